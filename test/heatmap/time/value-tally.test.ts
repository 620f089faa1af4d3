import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinearScale } from '../../../src/heatmap/axis/linear-scale.ts';
import { createLogScale } from '../../../src/heatmap/axis/log-scale.ts';
import { binRows } from '../../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import type { HeatmapShape } from '../../../src/heatmap/time/heatmap.ts';
import { createValueCodes } from '../../../src/heatmap/time/value-codes.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { fineBin } from '../../../src/model/fine-bins.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { Verdict } from '../../../src/filter/verdict.ts';
import { columnsOf, createInfo, keyOf, SDA } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';
import { parsed } from '../../filter/fixtures.ts';
import { anyRow, COLUMN_NS, contentsOf, countPlainly, ROW_METRICS, valueOf } from '../fixtures.ts';
import type { RowMetric } from '../fixtures.ts';

fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const scales = fc
  .record({
    isLog: fc.boolean(),
    low: fc.oneof(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1, 512, 4096, 10e3)),
    ratio: fc.oneof(fc.double({ min: 1.001, max: 1e7, noNaN: true }), fc.constantFrom(2, 10, 1e4)),
    bins: fc.integer({ min: 1, max: 120 }),
  })
  .map(({ isLog, low, ratio, bins }) => {
    const domain = { low: isLog ? low : 0, high: low * ratio };
    return (isLog ? createLogScale : createLinearScale)(domain, bins);
  });

const oneColumn = fc.array(
  anyRow.map((row) => ({ ...row, completeNs: 3 * COLUMN_NS + (row.bytes % COLUMN_NS) })),
  { minLength: 1, maxLength: 120 },
);

function shapeWith(scale: HeatmapShape['scale'], metric: RowMetric): HeatmapShape {
  return { metric, scale, columns: 20, columnNs: COLUMN_NS, startNs: 2 * COLUMN_NS };
}

const INFO = createInfo([
  keyOf({ tgid: 1 }),
  keyOf({ tgid: 2, dev: SDA + 1 }),
  keyOf({ tgid: 3, cmdFlags: 1 }),
  keyOf({ marks: IdentityMark.noDetail | IdentityMark.ownerUnknown }),
]);

describe('values of one column, counted at once', () => {
  const metrics = fc.constantFrom(...ROW_METRICS.filter((metric) => metric !== 'offset'));

  it('values of a column counted together lie in the same bins as counted one by one, on any scale', () => {
    let looked = 0;
    fc.assert(
      fc.property(oneColumn, scales, metrics, (rows, scale, metric) => {
        const shape = shapeWith(scale, metric);
        const map = new Heatmap(shape);
        if (map.tally !== undefined) looked++;
        binRows(map, columnsOf(rows), 0, rows.length);
        expect(contentsOf(map)).toEqual(countPlainly(shape, rows));
        expect([...map.fineTotal]).toEqual(fineBinsOf(rows, metric, map.fineTotal.length));
      }),
      { numRuns: 1000 },
    );
    expect(looked).toBeGreaterThan(300);
  });

  it('values of a column counted together obey the filter, undecided ones apart', () => {
    const asked = fc.constantFrom(
      'lat>1ms',
      'pid=1',
      'pid!=2 (lat>50us or size<1m)',
      'not pid=1 or dlat<1ms',
      'lat>100s',
    );
    fc.assert(
      fc.property(oneColumn, scales, metrics, asked, (rows, scale, metric, text) => {
        const filter = compileFilter(parsed(text), INFO.identities, INFO);
        const shape = shapeWith(scale, metric);
        const map = new Heatmap(shape);
        const columns = columnsOf(rows);
        binRows(map, columns, 0, rows.length, { fromNs: -Infinity, toNs: Infinity, filter });
        const verdicts = [...filter.judgeRows(columns, 0, rows.length)];
        const passing = rows.filter((_, i) => verdicts[i] === Verdict.yes);
        const unknown = verdicts.filter((verdict) => verdict === Verdict.maybe).length;
        expect(contentsOf(map)).toEqual(countPlainly(shape, passing));
        expect(map.undecidedCount(1)).toBe(unknown);
      }),
      { numRuns: 500 },
    );
  });

  it('values counted together may be NaN, negative or infinite', () => {
    const rows = [NaN, -NaN, -0, 0, -1, -1e-40, 1e-40, Infinity, -Infinity, 2 ** 42, 15e3];
    const shape = shapeWith(createLogScale({ low: 10e3, high: 1e6 }, 10), 'device');
    const map = new Heatmap(shape);
    const columns = columnsOf(rows.map((deviceNs) => ({ deviceNs, completeNs: 3 * COLUMN_NS })));
    binRows(map, columns, 0, rows.length);
    expect(map.unmeasurableCount(1)).toBe(5);
    expect(map.belowCount(1)).toBe(3);
    expect(map.aboveCount(1)).toBe(2);
    expect(map.columnTotal(1)).toBe(6);
    expect(map.maxValue(1)).toBe(Infinity);
  });

  it('values are looked up on every scale an axis has, except with bins narrower than float precision', () => {
    expect(createValueCodes(createLogScale({ low: 10e3, high: 100e6 }, 90))).toBeDefined();
    expect(createValueCodes(createLinearScale({ low: 0, high: 10e6 }, 100))).toBeDefined();
    expect(createValueCodes(createLogScale({ low: 10e3, high: 10.01e3 }, 90))).toBeUndefined();
    expect(createValueCodes(createLinearScale({ low: 0, high: 10 }, 90))).toBeUndefined();
  });
});

function fineBinsOf(rows: readonly Row[], metric: RowMetric, length: number): number[] {
  const bins = new Array<number>(length).fill(0);
  for (const row of rows) {
    const value = valueOf(metric, row);
    if (value !== undefined) bins[fineBin(Math.fround(value))]!++;
  }
  return bins;
}
