import { expect, it } from 'vitest';
import { timeNamespaceOffset } from '../../src/kernel/machine/clock-base.ts';

it.each([
  ['monotonic           0         0\nboottime            0         0\n', 0n],
  ['monotonic      100000         5\nboottime            7         0\n', 100_000_000_000_005n],
  ['monotonic         -10 500000000\n', -9_500_000_000n],
  ['', 0n],
])('the offset of a time namespace, %j, is %d ns', (offsets, expected) => {
  expect(timeNamespaceOffset(offsets)).toBe(expected);
});
