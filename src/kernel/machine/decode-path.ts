import { tryUtf8 } from './decode-comm.ts';

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

/** What an escaped byte looks like. */
const ESCAPED = /\\[0-3][0-7]{2}/;
const BACKSLASH = 0x5c;
const LONGEST_CHARACTER = 4;

/**
 * Decodes UTF-8. In a name that is not UTF-8, or looks as if it had such an escape, bytes that are not UTF-8 become `\351`, and `\`
 * becomes `\\`, as `ls -b` prints them: different names stay different.
 */
export function decodeName(bytes: Uint8Array): string {
  const text = tryUtf8(bytes);
  if (text !== undefined && !ESCAPED.test(text)) return text;
  let escaped = '';
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at);
    const character = length === 0 ? octal(bytes[at]!) : tryUtf8(bytes.subarray(at, at + length))!;
    escaped += bytes[at] === BACKSLASH ? '\\\\' : character;
    at += Math.max(1, length);
  }
  return escaped;
}

/** The number of bytes of the character of UTF-8 there; 0 if there is none. */
function characterAt(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= LONGEST_CHARACTER && at + length <= bytes.length; length++)
    if (tryUtf8(bytes.subarray(at, at + length)) !== undefined) return length;
  return 0;
}

function octal(byte: number): string {
  return `\\${byte.toString(8)}`;
}
