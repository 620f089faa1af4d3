import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { createHistory } from '../../../src/history/history.ts';
import { LiveTrend, trendOf } from '../../../src/query/trend/trend.ts';
import type { TrendWindow } from '../../../src/query/trend/trend-grid.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import type { Trend } from '../../../src/model/trend.ts';
import { parsed } from '../../filter/fixtures.ts';
import type { CompletionSummary } from '../../../src/trace/completion-summary.ts';
import { anyTrace, appendTrace, columnsOf, createInfo, someKeys } from '../../history/fixtures.ts';

fc.configureGlobal({ seed: 20_100_702 });

const SLICE_NS = 1_000;
const immediately = (): boolean => true;

/** Nothing ages: of what has, a trend that was counted before knows more than one that is counted now. */
function setUp() {
  const info = createInfo(someKeys());
  const history = createHistory({ info, budgetBytes: 2 ** 24, sliceNs: SLICE_NS, coarsening: [] });
  const live = new LiveTrend(history, info);
  const feed = {
    append: (rows: CompletionColumns): void => {
      history.append(rows);
      live.append(rows);
    },
    appendAggregate: (summary: CompletionSummary): void => {
      history.appendAggregate(summary);
      live.appendAggregate(summary);
    },
  };
  const filters = ['', 'disk=sda', 'size>=1k', 'op=write device<2us'].map((text) =>
    compileFilter(parsed(text), info.identities, info),
  );
  return { info, history, live, feed, filters };
}

const anyLook = fc.record({
  /** Of the right edge before the end of the history. */
  beforeNs: fc.oneof(fc.constant(0), fc.integer({ min: -3_000, max: 60_000 })),
  columnNs: fc.constantFrom(100, 300, 600, 1_000, 3_000),
  columns: fc.integer({ min: 1, max: 260 }),
  filter: fc.nat(3),
  isInParts: fc.boolean(),
});

const looksAndLength = fc.record({
  looks: fc.array(anyLook, { minLength: 1 }),
  lengthNs: fc.constantFrom(0, 250, 700),
});

/** Sums of shares of a whole differ in their last digits with the order of the parts. */
function rounded(trend: Trend): unknown {
  const round = (value: unknown): unknown => {
    if (typeof value === 'number') return Number(value.toPrecision(9));
    if (value instanceof Float64Array) return Array.from(value, round);
    if (Array.isArray(value)) return value.map(round);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, round(one)]));
  };
  return round(trend);
}

describe('a trend that is kept up', () => {
  test('a trend updated as I/O arrives equals a trend counted from scratch', () => {
    fc.assert(
      fc.property(anyTrace(8), looksAndLength, (steps, { looks, lengthNs }) => {
        const { info, history, live, feed, filters } = setUp();
        let next = 0;
        const look = (isToTheEnd: boolean): void => {
          const { beforeNs, columnNs, columns, filter, isInParts } = looks[next++ % looks.length]!;
          const window = { endNs: history.endNs - beforeNs, columnNs, columns };
          const show = (shouldYield?: () => boolean): Trend =>
            live.show(window, filters[filter]!, shouldYield);
          const first = show(isInParts ? immediately : undefined);
          if (isInParts && !isToTheEnd) return;
          while (live.isCounting) show(immediately);
          const fresh = trendOf(history, window, filters[filter]!, info);
          expect(rounded(show())).toEqual(rounded(fresh));
          if (!isInParts) expect(first.countedShare).toBe(1);
        };
        const looking = {
          append: (rows: CompletionColumns): void => {
            feed.append(rows);
            look(false);
          },
          appendAggregate: (summary: CompletionSummary): void => {
            // As the kernel's counts do, it may cross the edge of a slice.
            feed.appendAggregate({ ...summary, startNs: summary.startNs - lengthNs });
            look(false);
          },
        };
        appendTrace(looking, info.identities, steps, 7);
        look(true);
      }),
      { numRuns: 150 },
    );
  });

  test('a trend shows the newest first, and no value of a bucket before all of it is counted', () => {
    const { history, live, feed, filters } = setUp();
    const rows = Array.from({ length: 300_000 }, (_, i) => ({ completeNs: i }));
    feed.append(columnsOf(rows));
    const window: TrendWindow = { endNs: history.endNs + 1_000, columnNs: 500, columns: 603 };
    const shares: number[] = [];
    do {
      const { reads, countedShare } = live.show(window, filters[0]!, immediately);
      shares.push(countedShare);
      const known = [...reads.slice(0, -1)].map((value) => !Number.isNaN(value));
      const firstKnown = known.indexOf(true);
      expect(firstKnown).toBeGreaterThanOrEqual(0);
      expect(known.slice(firstKnown)).not.toContain(false);
      const whole = reads.slice(firstKnown, -2);
      expect(new Set(whole)).toEqual(new Set(whole.length > 0 ? [1e9] : []));
    } while (live.isCounting);
    expect(shares.length).toBeGreaterThan(3);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(shares.at(-1)).toBe(1);
  });
});
