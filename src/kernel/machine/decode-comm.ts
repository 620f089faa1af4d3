import { isUtf8 } from 'node:buffer';
import { decodeName } from '../../base/decode-name.ts';

/** The kernel's TASK_COMM_LEN, without the final NUL. */
const COMM_BYTES = 15;
const MOST_CUT = 3;

/**
 * Decodes a command name (comm). The kernel truncates it to 15 bytes, so an incomplete last character is removed. Bytes
 * that are not UTF-8 are escaped, see `decodeName`.
 */
export function decodeComm(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const name = end < 0 ? bytes : bytes.subarray(0, end);
  return decodeName(name.length === COMM_BYTES ? withoutCut(name) : name);
}

/** UTF-8 without a last character of which bytes are missing; anything else is returned whole. */
function withoutCut(name: Uint8Array): Uint8Array {
  for (let cut = 1; cut <= MOST_CUT; cut++) {
    const byte = name[name.length - cut]!;
    if (lengthOf(byte) > cut) {
      const rest = name.subarray(0, name.length - cut);
      return isUtf8(rest) ? rest : name;
    }
    // A byte that continues a character is 10xxxxxx.
    if (byte >> 6 !== 0b10) return name;
  }
  return name;
}

/** Bytes of a character of UTF-8 that starts with this byte; 0 if none does. */
function lengthOf(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xc0 && byte < 0xe0 ? 2 : 0;
}
