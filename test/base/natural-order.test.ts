import fc from 'fast-check';
import { expect, it } from 'vitest';
import { naturalOrder } from '../../src/base/natural-order.ts';

it('sorts numbers in names by their value', () => {
  const names = ['sda10', 'nvme0n1', 'sdb', 'sda2', 'nvme0n12', 'md127', 'sda', 'md2'];
  expect(names.toSorted(naturalOrder)).toEqual([
    'md2',
    'md127',
    'nvme0n1',
    'nvme0n12',
    'sda',
    'sda2',
    'sda10',
    'sdb',
  ]);
});

it('sorts capital letters next to small ones, and numbers with zeros in front by their value', () => {
  expect(['b', 'C', 'a', 'B'].toSorted(naturalOrder)).toEqual(['a', 'B', 'b', 'C']);
  expect(['log-10', 'log-009', 'log-8'].toSorted(naturalOrder)).toEqual([
    'log-8',
    'log-009',
    'log-10',
  ]);
});

it('sorts a name before its continuation, even with zeros in front of its number', () => {
  expect(naturalOrder('log-009', 'log-9b')).toBeLessThan(0);
  expect(naturalOrder('log-9b', 'log-009')).toBeGreaterThan(0);
});

it('sorts small letters and digits as the collation of English does', () => {
  const english = new Intl.Collator('en', { numeric: true });
  const name = fc.stringMatching(/^[a-z]{1,3}(0|[1-9]\d{0,3})?([a-z](0|[1-9]\d?)?)?$/);
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(Math.sign(naturalOrder(a, b))).toBe(Math.sign(english.compare(a, b)));
    }),
  );
});

it('is an order: what is before is not after, and only the same text is equal', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) + 0);
      expect(naturalOrder(a, b) === 0).toBe(a === b);
    }),
  );
});
