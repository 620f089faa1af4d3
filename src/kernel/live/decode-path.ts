import { decodeText } from './decode-comm.ts';

/** The path from names that start with the file's own, each with a NUL; `isCut`: more names are above. */
export function decodePath(bytes: Uint8Array, isCut: boolean): string {
  const names: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue;
    names.push(decodeText(bytes.subarray(from, at)));
    from = at + 1;
  }
  return `${isCut ? '/…/' : '/'}${names.reverse().join('/')}`;
}
