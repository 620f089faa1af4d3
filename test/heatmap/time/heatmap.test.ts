import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extentWithout } from '../../../src/heatmap/axis/fine-histogram.ts';
import { binRows } from '../../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import { totalsOf, weightExtent } from '../../../src/heatmap/time/totals.ts';
import { term } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { FINE_BINS, fineBin, fineBinHigh, fineBinLow } from '../../../src/model/fine-bins.ts';
import { SCALE_KINDS } from '../../../src/model/metric.ts';
import { columnsOf, createInfo, keyOf } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';
import {
  anyRow,
  COLUMN_NS,
  contentsOf,
  countPlainly,
  ROW_METRICS,
  shapeOf,
  valueOf,
} from '../fixtures.ts';

const shape = fc
  .tuple(
    fc.constantFrom(...ROW_METRICS),
    fc.constantFrom(...SCALE_KINDS),
    fc.integer({ min: 1, max: 60 }),
  )
  .map(([metric, kind, bins]) => shapeOf(metric, kind, bins));
const rowList = fc.array(anyRow, { maxLength: 120 });
const info = createInfo([0, 1, 2, 3].map((tgid) => keyOf({ tgid })));
const filter = compileFilter(term('pid', '=', 1, 3), info.identities, info);

function mapOf(of: ReturnType<typeof shapeOf>, rows: readonly Row[]): Heatmap {
  const map = new Heatmap(of);
  binRows(map, columnsOf(rows), 0, rows.length);
  return map;
}

describe('heat map', () => {
  it('a heat map counts every row in its pixel, for any metric, scale and number of bins', () => {
    fc.assert(
      fc.property(shape, rowList, (of, rows) => {
        expect(contentsOf(mapOf(of, rows))).toEqual(countPlainly(of, rows));
      }),
      { numRuns: 400 },
    );
  });

  it('a heat map counts only selected identities and times', () => {
    const within = fc.integer({ min: 3 * COLUMN_NS, max: 6 * COLUMN_NS });
    const close = fc.array(fc.tuple(anyRow, within), { maxLength: 40 });
    fc.assert(
      fc.property(shape, close, within, within, (of, pairs, fromNs, toNs) => {
        const rows = pairs.map(([row, completeNs]) => ({ ...row, completeNs }));
        const selection = { fromNs, toNs, filter };
        const map = new Heatmap(of);
        binRows(map, columnsOf(rows), 0, rows.length, selection);
        expect(contentsOf(map)).toEqual(countPlainly(of, rows, selection));
      }),
    );
  });

  it('a heat map is the same whether rows come at once or in pieces', () => {
    fc.assert(
      fc.property(shape, rowList, fc.nat(120), (of, rows, cut) => {
        const at = Math.min(cut, rows.length);
        const pieces = new Heatmap(of);
        binRows(pieces, columnsOf(rows), 0, at);
        binRows(pieces, columnsOf(rows), at, rows.length);
        expect(contentsOf(pieces)).toEqual(contentsOf(mapOf(of, rows)));
      }),
    );
  });

  it('a heat map scrolled to a window and filled equals a new map of that window', () => {
    const moves = fc.array(fc.integer({ min: -25, max: 25 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(shape, rowList, moves, (of, rows, steps) => {
        const map = mapOf(of, rows);
        for (const step of steps) {
          const { startNs, endNs } = map;
          map.scrollTo(startNs + step * COLUMN_NS);
          const entered =
            step > 0
              ? { fromNs: Math.max(endNs, map.startNs), toNs: map.endNs }
              : { fromNs: map.startNs, toNs: Math.min(startNs, map.endNs) };
          binRows(map, columnsOf(rows), 0, rows.length, { ...entered, filter: undefined });
        }
        const fresh = mapOf({ ...of, startNs: map.startNs }, rows);
        expect(contentsOf(map)).toEqual(contentsOf(fresh));
        expect(map.fineTotal).toEqual(fresh.fineTotal);
      }),
      { numRuns: 300 },
    );
  });

  it('a heat map keeps the fine histogram of exactly what is visible', () => {
    fc.assert(
      fc.property(rowList, (rows) => {
        const of = shapeOf('device', 'log', 20);
        const map = mapOf(of, rows);
        const expected = new Float64Array(FINE_BINS);
        for (const row of rows) {
          const value = valueOf('device', row);
          const isVisible = row.completeNs >= map.startNs && row.completeNs < map.endNs;
          if (value !== undefined && isVisible) expected[fineBin(value)]!++;
        }
        expect(map.fineTotal).toEqual(expected);
      }),
    );
  });

  it('the totals of a heat map are the sums of its columns', () => {
    fc.assert(
      fc.property(shape, rowList, (of, rows) => {
        const map = mapOf(of, rows);
        const totals = totalsOf(map);
        const visible = rows.filter(
          ({ completeNs }) => completeNs >= map.startNs && completeNs < map.endNs,
        );
        const inBins = totals.bins.reduce((a, b) => a + b, 0);
        expect(totals.all).toBe(visible.length);
        expect(inBins + totals.below + totals.above + totals.unmeasurable).toBe(totals.all);
        const columnTotals = Array.from({ length: map.columns }, (_, c) => map.columnTotal(c));
        expect(columnTotals.reduce((a, b) => a + b)).toBe(totals.all - totals.unmeasurable);
      }),
    );
  });

  it('the largest count of a heat map is that of its fullest pixel, not of the outlier row', () => {
    const map = new Heatmap(shapeOf('device', 'log', 10));
    const at = 5 * COLUMN_NS;
    const rows = [20e3, 20e3, 1e9, 1e9, 1e9].map((deviceNs) => ({ completeNs: at, deviceNs }));
    binRows(map, columnsOf(rows), 0, rows.length);
    expect(weightExtent(map)?.high).toBe(2);
    expect(map.aboveCount(3)).toBe(3);
    expect(map.maxValue(3)).toBe(1e9);
  });

  it('the version of a heat map changes with its counts and not otherwise', () => {
    const map = new Heatmap(shapeOf('device', 'log', 10));
    const versions = [map.version];
    binRows(map, columnsOf([{ completeNs: 30 * COLUMN_NS }]), 0, 1);
    versions.push(map.version);
    binRows(map, columnsOf([{ completeNs: 3 * COLUMN_NS }]), 0, 1);
    versions.push(map.version);
    map.scrollTo(map.startNs);
    versions.push(map.version);
    map.scrollTo(map.startNs + COLUMN_NS);
    versions.push(map.version);
    expect(versions).toEqual([0, 0, 1, 1, 2]);
  });

  it('a heat map refuses a window that does not start at a column', () => {
    expect(() => new Heatmap({ ...shapeOf('device', 'log', 10), startNs: 5 })).toThrow();
    expect(() => {
      new Heatmap(shapeOf('device', 'log', 10)).scrollTo(5);
    }).toThrow('not a boundary');
  });
});

describe('extent without outliers', () => {
  it('the extent without outliers leaves out at most the share asked for', () => {
    const values = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 0.01, 0.05, 0.2), (list, share) => {
        const histogram = new Uint32Array(FINE_BINS);
        for (const value of list) histogram[fineBin(value)]!++;
        const { low, high } = extentWithout(histogram, share)!;
        expect(low).toBe(fineBinLow(fineBin(Math.min(...list))));
        const above = list.filter((value) => value >= high).length;
        expect(above).toBeLessThanOrEqual(share * list.length);
        const inTopBin = list.filter((value) => fineBinHigh(fineBin(value)) === high).length;
        expect(above + inTopBin).toBeGreaterThan(Math.floor(share * list.length));
      }),
    );
  });

  it('the extent of an empty heat map is undefined', () => {
    expect(extentWithout(new Uint32Array(FINE_BINS), 0.01)).toBeUndefined();
  });
});
