import { compressFrameSync } from 'lz4-napi';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { xxHash32 } from '../../../src/trace/recording/lz4/xx-hash.ts';

test.each([
  ['', 0x02cc5d05],
  ['a', 0x550d7456],
  ['abc', 0x32d153ff],
  ['Nobody inspects the spammish repetition', 0xe2293b2f],
])('XXH32 of %j is the published value', (text, hash) => {
  expect(xxHash32(Buffer.from(text))).toBe(hash);
});

test('XXH32 equals the checksum that LZ4 writes at the end of its frames, aligned or not', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 0, max: 3 }), (data, shift) => {
      const frame = compressFrameSync(Buffer.from(data), { contentChecksum: true });
      const room = new Uint8Array(data.length + shift);
      room.set(data, shift);
      expect(xxHash32(room.subarray(shift))).toBe(frame.readUInt32LE(frame.length - 4));
    }),
  );
});
