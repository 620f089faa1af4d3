import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf, HashIndex } from '../../src/model/hash-index.ts';

test('a hash index finds each number under its hash, whichever share it', () => {
  const hash = fc.constantFrom(0, 1, 2, 127, 128, 2 ** 32 - 1);
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 300 }), (hashes) => {
      const index = new HashIndex();
      hashes.forEach((one, number) => {
        index.add(one, number);
      });
      hashes.forEach((one, number) => {
        expect(index.find(one, (found) => found === number)).toBe(number);
      });
      expect(index.find(3, () => true)).toBeUndefined();
      expect(index.find(0, () => false)).toBeUndefined();
    }),
  );
});

test('a hash index finds any of 65,536 numbers after it has grown', () => {
  const index = new HashIndex();
  const hashes = Array.from({ length: 65_536 }, (_, number) => hashOf('file', number, 7));
  hashes.forEach((hash, number) => {
    index.add(hash, number);
  });
  const found = hashes.filter(
    (hash, number) => index.find(hash, (one) => one === number) === number,
  );
  expect(found).toHaveLength(65_536);
});

test('a hash tells numbers above 32 bits, texts and their order apart', () => {
  const values = [
    [1, 2],
    [2, 1],
    [1 + 2 ** 32, 2],
    [1, 2 + 2 ** 40],
    ['1', 2],
    ['a', 'b'],
    ['ab', ''],
  ];
  const hashes = values.map((one) => hashOf(...one));
  expect(new Set(hashes).size).toBe(values.length);
  expect(hashOf('a', 2 ** 40)).toBe(hashOf('a', 2 ** 40));
});

test('hashes of consecutive numbers hardly collide', () => {
  const hashes = Array.from({ length: 65_536 }, (_, number) => hashOf(1, number, number * 4096));
  // By chance, half a pair.
  expect(new Set(hashes).size).toBeGreaterThan(65_536 - 8);
});
