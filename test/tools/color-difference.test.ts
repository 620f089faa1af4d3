import { expect, it } from 'vitest';
import { ciede2000, contrast, difference, labOf } from './color-difference.ts';
import type { Triple } from './color-difference.ts';

/** Table 1 of Sharma, Wu and Dalal 2005: pairs 1, 2, 3, 7, 17 to 20, 25 and 34. */
const PAIRS: readonly (readonly [Triple, Triple, number])[] = [
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615],
  [[50, 2.8361, -74.02], [50, 0, -82.7485], 3.4412],
  [[50, 0, 0], [50, -1, 2], 2.3669],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[50, 2.5, 0], [61, -5, 29], 22.8977],
  [[50, 2.5, 0], [56, -27, -3], 31.903],
  [[50, 2.5, 0], [58, 24, 15], 19.4535],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
];

it.each(PAIRS)('CIEDE2000 of %j and %j is %d, as published', (first, second, expected) => {
  expect(ciede2000(first, second)).toBeCloseTo(expected, 4);
  expect(ciede2000(second, first)).toBeCloseTo(expected, 4);
});

it('black and white have the lightness and the contrast of the standards', () => {
  expect(labOf(0xffffff).map((value) => Math.abs(Math.round(value)))).toEqual([100, 0, 0]);
  expect(labOf(0x000000).map((value) => Math.abs(Math.round(value)))).toEqual([0, 0, 0]);
  expect(contrast(0x000000, 0xffffff)).toBeCloseTo(21, 6);
});

it('red and green of the same lightness differ less for eyes that confuse them', () => {
  const [red, green] = [0xc05040, 0x508030];
  for (const vision of ['deuteranopia', 'protanopia'] as const)
    expect(difference(red, green, vision)).toBeLessThan(difference(red, green, 'normal') / 2);
});

it('greys look the same to all eyes', () => {
  for (const vision of ['deuteranopia', 'protanopia'] as const)
    expect(labOf(0x808080, vision)[0]).toBeCloseTo(labOf(0x808080)[0], 1);
});
