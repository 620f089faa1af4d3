import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DamagedError } from '../../../src/trace/recording/arrow/flat-reader.ts';
import { compressBufferSync, unpackBuffer } from '../../../src/trace/recording/lz4/lz4-buffers.ts';
import { SeededRandom } from '../../random.ts';

function unpacked(packed: Buffer, length: number): Buffer {
  const into = Buffer.alloc(length);
  unpackBuffer(packed, into);
  return into;
}

/** Half of it packs well, half of it not at all. */
function contents(length: number): Uint8Array {
  const random = new SeededRandom(7, 1);
  return Uint8Array.from({ length }, (_, i) => ((i >> 10) % 2 === 0 ? i >> 8 : random.below(256)));
}

test.each([1, 1000, 65_536, 262_148, 1_500_000, 9_000_000])(
  'an LZ4 buffer of %i bytes is decompressed unchanged, in however many blocks',
  (length) => {
    const raw = contents(length);
    const back = unpacked(Buffer.from(compressBufferSync(raw)), length);
    expect(Buffer.compare(back, raw)).toBe(0);
  },
);

test('decompressing LZ4 does not change its input', () => {
  const packed = Buffer.from(compressBufferSync(contents(100_000)));
  const before = Buffer.from(packed);
  unpacked(packed, 100_000);
  expect(Buffer.compare(packed, before)).toBe(0);
});

test('a changed byte in LZ4 data is reported as damage, or changes nothing', () => {
  const raw = contents(3000);
  const packed = compressBufferSync(raw);
  const place = fc.integer({ min: 0, max: packed.length - 1 });
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const damaged = Buffer.from(packed);
      damaged[at]! ^= flip;
      const outcome = tryTo(() => unpacked(damaged, raw.length));
      expect(outcome instanceof DamagedError || Buffer.from(raw).equals(outcome)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

function tryTo(work: () => Buffer): Buffer | DamagedError {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof DamagedError) return cause;
    throw cause;
  }
}
