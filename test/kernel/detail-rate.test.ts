import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DetailRate, LEAST_ROWS, type DetailLoad } from '../../src/kernel/live/detail-rate.ts';
import { SeededRandom } from '../random.ts';

const BUDGET = 0.05;

/** What a machine with so many I/Os a second delivers, where an I/O takes `ioNs`. */
function loadOf(perSecond: number, ioNs: number, oneIn: number): DetailLoad {
  const rows = perSecond / oneIn;
  return { rows, share: (rows * ioNs) / 1e9 };
}

const RATES = fc.double({ min: 1, max: 4e7, noNaN: true });
const COSTS = fc.double({ min: 100, max: 5000, noNaN: true });

describe('the share of I/Os that come individually', () => {
  it('is all of them while they cost less than the budget', () => {
    const rate = new DetailRate(BUDGET);
    const chosen = Array.from({ length: 60 }, () => rate.next({ rows: 100_000, share: 0.049 }));
    expect(new Set(chosen)).toEqual(new Set([1]));
  });

  it('stays for one second over the budget, and falls after the second one', () => {
    const rate = new DetailRate(BUDGET);
    const heavy = { rows: 450_000, share: 0.18 };
    expect(rate.next(heavy)).toBe(1);
    expect(rate.next({ rows: 9000, share: 0.01 })).toBe(1);
    expect(rate.next(heavy)).toBe(1);
    expect(rate.next(heavy)).toBe(4);
  });

  it('is back at all of them three seconds after a storm', () => {
    const rate = new DetailRate(BUDGET);
    for (let i = 0; i < 10; i++) rate.next(loadOf(4e7, 300, rate.oneIn));
    expect(rate.oneIn).toBe(256);
    const after = Array.from({ length: 3 }, () => rate.next(loadOf(2000, 300, rate.oneIn)));
    expect(after).toEqual([256, 256, 1]);
  });

  it('leaves a thousand I/Os a second, whatever they cost', () => {
    fc.assert(
      fc.property(RATES, fc.double({ min: 0.001, max: 1, noNaN: true }), (perSecond, share) => {
        const rate = new DetailRate(0.001);
        for (let i = 0; i < 30; i++) rate.next({ rows: perSecond / rate.oneIn, share });
        expect(perSecond / rate.oneIn).toBeGreaterThan(Math.min(perSecond, LEAST_ROWS) / 2);
      }),
    );
  });

  it('a steady load stays within the budget, and uses two fifths of it or all I/Os', () => {
    fc.assert(
      fc.property(RATES, COSTS, (perSecond, ioNs) => {
        const rate = new DetailRate(BUDGET);
        for (let i = 0; i < 30; i++) rate.next(loadOf(perSecond, ioNs, rate.oneIn));
        const { share, rows } = loadOf(perSecond, ioNs, rate.oneIn);
        expect(share <= BUDGET || rows <= LEAST_ROWS).toBe(true);
        expect(rate.oneIn === 1 || share >= 0.4 * BUDGET || rows >= 0.4 * LEAST_ROWS).toBe(true);
      }),
    );
  });

  it('under a steady load that varies by a tenth, the rate never goes back and forth', () => {
    fc.assert(
      fc.property(RATES, COSTS, fc.integer(), (perSecond, ioNs, seed) => {
        const random = new SeededRandom(seed);
        const rate = new DetailRate(BUDGET);
        const chosen = Array.from({ length: 300 }, () => {
          const noise = 0.9 + 0.2 * random.next();
          return rate.next(loadOf(perSecond * noise, ioNs, rate.oneIn));
        });
        const changes = chosen.filter((oneIn, i) => i > 0 && oneIn !== chosen[i - 1]);
        const directions = new Set(changes.map((oneIn, i) => oneIn > (changes[i - 1] ?? 1)));
        expect(directions.size).toBeLessThanOrEqual(1);
      }),
    );
  });
});
