import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinearScale } from '../../../src/heatmap/axis/linear-scale.ts';
import { createLogScale } from '../../../src/heatmap/axis/log-scale.ts';
import type { Interval, Scale } from '../../../src/heatmap/axis/scale.ts';

const roundness = fc.constantFrom('decimal' as const, 'binary' as const);
const bins = fc.integer({ min: 1, max: 400 });

const logScale = fc
  .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 1, max: 12 }), bins, roundness)
  .map(([low, span, count, kind]) =>
    createLogScale({ low: 10 ** (low / 2), high: 10 ** ((low + span) / 2) }, count, kind),
  );
const linearScale = fc
  .tuple(fc.double({ min: 1, max: 1e15, noNaN: true }), bins, roundness)
  .map(([high, count, kind]) => createLinearScale({ low: 0, high }, count, kind));
const anyScale = fc.oneof(logScale, linearScale);

/** A value anywhere from well below to well above the domain. */
function valueFor({ domain }: Scale): fc.Arbitrary<number> {
  return fc.oneof(
    fc.double({ min: domain.low, max: domain.high, noNaN: true }),
    fc.double({ min: 0, max: domain.high * 3, noNaN: true }),
  );
}

function isInside(value: number, { low, high }: Interval): boolean {
  return value >= low && value < high;
}

describe('scale', () => {
  it('every value on a scale lies in its bin', () => {
    const scaleAndValue = anyScale.chain((scale) => fc.tuple(fc.constant(scale), valueFor(scale)));
    fc.assert(
      fc.property(scaleAndValue, ([scale, value]) => {
        const bin = scale.binOf(value);
        if (bin < 0) expect(value).toBeLessThan(scale.domain.low);
        else if (bin >= scale.bins) expect(value).toBeGreaterThanOrEqual(scale.domain.high);
        else expect(isInside(value, scale.invertExtent(bin))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('a value on a bin edge belongs to the upper bin', () => {
    fc.assert(
      fc.property(anyScale, (scale) => {
        scale.edges.forEach((edge, i) => {
          expect(scale.binOf(edge)).toBe(i);
        });
      }),
    );
  });

  it('bins cover the domain of a scale without gap or overlap', () => {
    fc.assert(
      fc.property(anyScale, (scale) => {
        let end = scale.domain.low;
        for (let bin = 0; bin < scale.bins; bin++) {
          const extent = scale.invertExtent(bin);
          expect(extent.low).toBe(end);
          expect(extent.high).toBeGreaterThan(extent.low);
          end = extent.high;
        }
        expect(end).toBe(scale.domain.high);
      }),
    );
  });

  it('ticks ascend inside the domain and are not many more than asked for', () => {
    fc.assert(
      fc.property(anyScale, fc.integer({ min: 1, max: 40 }), (scale, count) => {
        const ticks = scale.ticks(count);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
        ticks.forEach((tick, i) => {
          expect(tick).toBeGreaterThanOrEqual(scale.domain.low);
          expect(tick).toBeLessThanOrEqual(scale.domain.high);
          if (i > 0) expect(tick).toBeGreaterThan(ticks[i - 1]!);
        });
      }),
    );
  });

  it('asking a scale for a bin outside its domain throws', () => {
    const scale = createLinearScale({ low: 0, high: 10 }, 5);
    expect(() => scale.invertExtent(5)).toThrow('bin 5 of 5');
    expect(() => scale.invertExtent(-1)).toThrow();
  });
});

describe('log scale', () => {
  it('decades of a log scale are exact bin edges, so that 1 ms lies at its label', () => {
    const scale = createLogScale({ low: 1e4, high: 1e8 }, 40);
    for (const decade of [1e5, 1e6, 1e7]) expect(scale.edges).toContain(decade);
    expect(scale.binOf(1e6)).toBe(20);
    expect(scale.binOf(1e6 - 0.001)).toBe(19);
  });

  it('a log scale of time has ticks at 1-2-5, then 1-3, then at decades, as room gets scarce', () => {
    const scale = createLogScale({ low: 1e4, high: 1e6 }, 20);
    expect(scale.ticks(7)).toEqual([1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6]);
    expect(scale.ticks(6)).toEqual([1e4, 3e4, 1e5, 3e5, 1e6]);
    expect(scale.ticks(4)).toEqual([1e4, 1e5, 1e6]);
    expect(scale.ticks(2)).toEqual([1e4, 1e6]);
  });

  it('a wide log scale of time has ticks at µs, ms and s when there is room for few', () => {
    expect(createLogScale({ low: 1e2, high: 1e10 }, 20).ticks(3)).toEqual([1e3, 1e6, 1e9]);
  });

  it('a log scale of sizes has ticks at powers of two, thinned to 4K, 64K and 1M', () => {
    const scale = createLogScale({ low: 512, high: 2 ** 21 }, 26, 'binary');
    expect(scale.ticks(13)).toEqual(Array.from({ length: 13 }, (_, i) => 512 * 2 ** i));
    expect(scale.ticks(3)).toEqual([2 ** 12, 2 ** 16, 2 ** 20]);
  });
});

describe('linear scale', () => {
  it('linear scales of time and shares have ticks at multiples of 1, 2 or 5', () => {
    expect(createLinearScale({ low: 0, high: 10e6 }, 20).ticks(5)).toEqual([
      0, 2e6, 4e6, 6e6, 8e6, 10e6,
    ]);
    expect(createLinearScale({ low: 0, high: 1 }, 20).ticks(10)).toEqual([
      0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
    ]);
  });

  it('a scale of offsets has ticks at powers of two however odd the disk size', () => {
    const scale = createLinearScale({ low: 0, high: 500_107_862_016 }, 60, 'binary');
    expect(scale.ticks(5)).toEqual([0, 128, 256, 384].map((gib) => gib * 2 ** 30));
  });
});
