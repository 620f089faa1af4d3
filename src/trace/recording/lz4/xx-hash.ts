const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;
const STRIPE_BYTES = 16;

/** The checksum of LZ4 frames: XXH32 with seed 0. */
export function xxHash32(bytes: Uint8Array): number {
  const { length } = bytes;
  const stripesEnd = length - (length % STRIPE_BYTES);
  const hash = (stripesEnd === 0 ? PRIME_5 : hashStripes(bytes, stripesEnd)) + length;
  return avalanche(hashRest(hash | 0, bytes, stripesEnd));
}

function hashStripes(bytes: Uint8Array, end: number): number {
  const words = wordsOf(bytes, end);
  let [a, b, c, d] = [(PRIME_1 + PRIME_2) | 0, PRIME_2 | 0, 0, -PRIME_1 | 0];
  for (let word = 0; word < words.length; word += 4) {
    a = Math.imul(rotate((a + Math.imul(words[word]!, PRIME_2)) | 0, 13), PRIME_1);
    b = Math.imul(rotate((b + Math.imul(words[word + 1]!, PRIME_2)) | 0, 13), PRIME_1);
    c = Math.imul(rotate((c + Math.imul(words[word + 2]!, PRIME_2)) | 0, 13), PRIME_1);
    d = Math.imul(rotate((d + Math.imul(words[word + 3]!, PRIME_2)) | 0, 13), PRIME_1);
  }
  return (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
}

/** Copies the bytes if they are not aligned. Signed, so that the numbers stay in machine registers. */
function wordsOf(bytes: Uint8Array, end: number): Int32Array {
  const { buffer, byteOffset } = bytes;
  return byteOffset % 4 === 0
    ? new Int32Array(buffer, byteOffset, end >> 2)
    : new Int32Array(new Uint8Array(bytes.subarray(0, end)).buffer);
}

function hashRest(hash: number, bytes: Uint8Array, from: number): number {
  let at = from;
  let out = hash;
  for (; at + 4 <= bytes.length; at += 4) {
    const word =
      bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    out = Math.imul(rotate((out + Math.imul(word, PRIME_3)) | 0, 17), PRIME_4);
  }
  for (; at < bytes.length; at++)
    out = Math.imul(rotate((out + Math.imul(bytes[at]!, PRIME_5)) | 0, 11), PRIME_1);
  return out;
}

function avalanche(hash: number): number {
  let out = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  out = Math.imul(out ^ (out >>> 13), PRIME_3);
  return (out ^ (out >>> 16)) >>> 0;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
