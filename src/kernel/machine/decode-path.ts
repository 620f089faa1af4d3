import { decodeName } from '../../base/decode-name.ts';

/**
 * Joins the names of a path, which end with a NUL each and start with that of the file. `isCut` means that names of
 * higher directories are missing.
 */
export function decodePath(bytes: Uint8Array, isCut: boolean): string {
  const names: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue;
    names.push(decodeName(bytes.subarray(from, at)));
    from = at + 1;
  }
  return `${isCut ? '/…/' : '/'}${names.reverse().join('/')}`;
}
