import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisOf } from '../../../src/heatmap/axis/axis.ts';
import {
  nextDomain,
  SHRINK_AFTER_NS,
  trackDomain,
} from '../../../src/heatmap/axis/domain-tracker.ts';
import type { Interval } from '../../../src/heatmap/axis/scale.ts';
import { METRICS, SCALE_KINDS } from '../../../src/model/metric.ts';

const extent = fc
  .tuple(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.double({ min: 0, max: 40, noNaN: true }))
  .map(([low, octaves]) => ({ low, high: (low + 1) * 2 ** octaves }));

describe('domain of an axis', () => {
  it('an axis domain holds all values it was fitted to, except what no such axis shows', () => {
    for (const kind of SCALE_KINDS) {
      fc.assert(
        fc.property(fc.constantFrom('device' as const, 'size' as const), extent, (metric, data) => {
          const { low, high } = axisOf(metric, kind).fit(data);
          const least = kind === 'linear' ? 0 : metric === 'size' ? 512 : 100;
          expect(low).toBeLessThanOrEqual(Math.max(data.low, least));
          expect(high).toBeGreaterThanOrEqual(data.high);
        }),
      );
    }
  });

  it('fitting an axis domain to itself changes nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...METRICS),
        fc.constantFrom(...SCALE_KINDS),
        extent,
        (m, k, e) => {
          const axis = axisOf(m, k);
          const once = axis.fit(e);
          expect(axis.fit(once)).toEqual(once);
        },
      ),
    );
  });

  it('a latency domain ends at 1 or 3 times powers of ten, and spans at least two decades', () => {
    const axis = axisOf('device', 'log');
    expect(axis.fit({ low: 15e3, high: 11e6 })).toEqual({ low: 10e3, high: 30e6 });
    expect(axis.fit({ low: 80e3, high: 90e3 })).toEqual({ low: 10e3, high: 1e6 });
    expect(axis.fit({ low: 0, high: 2 })).toEqual({ low: 100, high: 10e3 });
  });

  it('a linear latency domain starts at 0 and ends at a round value', () => {
    expect(axisOf('total', 'linear').fit({ low: 5e6, high: 11e6 })).toEqual({ low: 0, high: 20e6 });
  });

  it('a size domain goes from a sector to 1 MiB, or as far as needed', () => {
    const axis = axisOf('size', 'log');
    expect(axis.fit({ low: 4096, high: 4352 })).toEqual({ low: 512, high: 2 ** 20 });
    expect(axis.fit({ low: 4096, high: 5e6 })).toEqual({ low: 512, high: 2 ** 23 });
  });

  it('a utilization domain is 0 to 100 %', () => {
    expect(axisOf('utilization', 'log').fit({ low: 0.2, high: 0.3 })).toEqual({ low: 0, high: 1 });
  });
});

const FULL: Interval = { low: 10, high: 1000 };
const SMALL: Interval = { low: 10, high: 100 };

describe('tracked domain', () => {
  it('an axis domain expands at once, and only as far as it must', () => {
    const next = nextDomain(trackDomain(SMALL), { low: 30, high: 3000 }, 0);
    expect(next.domain).toEqual({ low: 10, high: 3000 });
  });

  it('an axis domain shrinks after the data has left room for long enough', () => {
    let tracked = trackDomain(FULL);
    tracked = nextDomain(tracked, SMALL, 1e9);
    tracked = nextDomain(tracked, SMALL, 1e9 + SHRINK_AFTER_NS - 1);
    expect(tracked.domain).toEqual(FULL);
    expect(nextDomain(tracked, SMALL, 1e9 + SHRINK_AFTER_NS).domain).toEqual(SMALL);
  });

  it('an axis domain waits again to shrink when the data fills it in between', () => {
    let tracked = nextDomain(trackDomain(FULL), SMALL, 0);
    tracked = nextDomain(tracked, FULL, SHRINK_AFTER_NS / 2);
    tracked = nextDomain(tracked, SMALL, SHRINK_AFTER_NS);
    expect(nextDomain(tracked, SMALL, 1.5 * SHRINK_AFTER_NS).domain).toEqual(FULL);
  });

  it('an axis domain shrinks to the largest range needed while it waited, not to the last', () => {
    let tracked = nextDomain(trackDomain(FULL), { low: 10, high: 300 }, 0);
    tracked = nextDomain(tracked, SMALL, SHRINK_AFTER_NS);
    expect(tracked.domain).toEqual({ low: 10, high: 300 });
  });

  it('an axis domain shrinks at one end while the data still fills the other', () => {
    let tracked = trackDomain(FULL);
    for (let second = 0; second * 1e9 <= SHRINK_AFTER_NS; second++) {
      tracked = nextDomain(tracked, { low: 10, high: 300 }, second * 1e9);
    }
    expect(tracked.domain).toEqual({ low: 10, high: 300 });
  });

  it('a jump back in time does not count as waiting to shrink an axis domain', () => {
    let tracked = nextDomain(trackDomain(FULL), SMALL, 1000e9);
    tracked = nextDomain(tracked, SMALL, 5e9);
    expect(nextDomain(tracked, SMALL, 6e9).domain).toEqual(FULL);
  });

  it('an axis domain shrinks at most once per waiting time, whatever the data does', () => {
    const fits = fc.array(fc.constantFrom(FULL, SMALL, { low: 1, high: 100 }), {
      minLength: 200,
      maxLength: 200,
    });
    fc.assert(
      fc.property(fits, (sequence) => {
        let tracked = trackDomain(SMALL);
        let shrinks = 0;
        sequence.forEach((fit, second) => {
          const next = nextDomain(tracked, fit, second * 1e9);
          const isSmaller =
            next.domain.high < tracked.domain.high || next.domain.low > tracked.domain.low;
          if (isSmaller) shrinks++;
          tracked = next;
        });
        expect(shrinks).toBeLessThanOrEqual(Math.ceil((sequence.length * 1e9) / SHRINK_AFTER_NS));
      }),
    );
  });
});
