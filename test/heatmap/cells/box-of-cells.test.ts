import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxOfCells } from '../../../src/heatmap/cells/box-of-cells.ts';
import { binRows } from '../../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { inspectBox } from '../../query/fixtures/at-once.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { HistoryInfo } from '../../../src/history/slices/identity-facts.ts';
import type { BoxReport } from '../../../src/query/box/drill-down.ts';
import type { Box } from '../../../src/filter/box.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import type { CompiledFilter } from '../../../src/filter/match/match.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { SCALE_KINDS } from '../../../src/model/metric.ts';
import { Verdict } from '../../../src/filter/verdict.ts';
import {
  anyTrace,
  appendTrace,
  columnsOf,
  createInfo,
  keyOf,
  SDA,
  someKeys,
} from '../../history/fixtures.ts';
import type { Row, TraceStep } from '../../history/fixtures.ts';
import { parsed } from '../../filter/fixtures.ts';
import { anyRow, COLUMN_NS, ROW_METRICS, shapeOf } from '../fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

const anyShape = fc
  .tuple(
    fc.constantFrom(...ROW_METRICS),
    fc.constantFrom(...SCALE_KINDS),
    fc.integer({ min: 1, max: 60 }),
  )
  .map(([metric, kind, bins]) => shapeOf(metric, kind, bins));

const anyFilter = fc.constantFrom<Filter>(
  NO_FILTER,
  parsed('pid!=1'),
  parsed('disk=sda'),
  parsed('dlat>=30us'),
  parsed('size<=4k or qlat<10us'),
);

/** Two cells as shares of the map, so that they suit a map of any size; 1 is the outlier row. */
const anyShare = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const anyCorners = fc.array(anyShare, { minLength: 4, maxLength: 4 });

/** Within a few seconds: a disk that was busy for days costs the history a while. */
function brief(row: Row): Row {
  const deviceNs = row.deviceNs > 2 ** 30 ? 2 ** 30 : row.deviceNs;
  return { ...row, deviceNs, completeNs: Math.min(row.completeNs, 30 * COLUMN_NS) };
}

/** Latencies that fill an axis, and sizes that a float can hold, as the map takes them for floats. */
function slower(step: TraceStep): TraceStep {
  const { deviceNs, queueNs, bytes } = step.row;
  const row = {
    deviceNs: deviceNs * 1000,
    queueNs: queueNs * 1000,
    bytes: Math.min(bytes, 2 ** 31),
  };
  return { ...step, row: { ...step.row, ...row } };
}

interface Rectangle {
  readonly box: Box;
  /** Of the map's own counters. */
  readonly count: number;
}

function rectangleOf(map: Heatmap, corners: readonly number[]): Rectangle {
  const columnAt = (share: number) => Math.min(map.columns - 1, Math.floor(share * map.columns));
  // From below the axis to the lane above it.
  const binAt = (share: number) => Math.floor(share * (map.bins + 1.999)) - 1;
  const [column0, column1] = [columnAt(corners[0]!), columnAt(corners[1]!)];
  const [bin0, bin1] = [binAt(corners[2]!), binAt(corners[3]!)];
  let count = 0;
  for (let column = Math.min(column0, column1); column <= Math.max(column0, column1); column++) {
    for (let bin = Math.min(bin0, bin1); bin <= Math.max(bin0, bin1); bin++)
      count += map.count(column, bin);
  }
  return { box: boxOfCells(map, column0, column1, bin0, bin1), count };
}

function columnsTotal(map: Heatmap, { startNs, endNs }: Box): number {
  let sum = 0;
  for (let column = 0; column < map.columns; column++) {
    const atNs = map.startNs + column * map.columnNs;
    if (atNs < startNs || atNs >= endNs) continue;
    sum += map.columnTotal(column) + map.unmeasurableCount(column);
  }
  return sum;
}

describe('a box of cells', () => {
  it('a box holds exactly the I/Os that the map counts in its cells', () => {
    const anyRows = fc.array(anyRow.map(brief), { maxLength: 150 });
    fc.assert(
      fc.property(anyShape, anyRows, anyFilter, anyCorners, (shape, rows, asked, corners) => {
        const info = createInfo(someKeys());
        const filter = compileFilter(asked, info.identities, info);
        const history = createHistory({ info, budgetBytes: 2 ** 24 });
        const columns = columnsOf(rows);
        history.append(columns);
        const map = new Heatmap(shape);
        const { startNs, endNs } = map;
        binRows(map, columns, 0, rows.length, { fromNs: startNs, toNs: endNs, filter });
        const { box, count } = rectangleOf(map, corners);
        const report = inspectBox(history, box, filter, info);
        expect(report.count).toBe(count);
        expect(report.fromRows).toBe(count);
        expect([report.leastCount, report.mostCount, report.undecided]).toEqual([count, count, 0]);
        expect(report.allCount).toBe(columnsTotal(map, box));
      }),
      { numRuns: 500 },
    );
  });

  it('a box holds what the map shows also where I/O is aggregated', () => {
    const anyTimes = fc.tuple(fc.constantFrom(250, 4_000, 8_000, 30_000), anyShare);
    fc.assert(
      fc.property(
        anyTrace(8),
        fc.constantFrom(...ROW_METRICS),
        fc.constantFrom(...SCALE_KINDS),
        anyTimes,
        anyFilter,
        anyCorners,
        (steps, metric, scale, [columnNs, share], asked, corners) => {
          const info = createInfo([
            ...someKeys(),
            keyOf({ marks: IdentityMark.noDetail | IdentityMark.ownerUnknown }),
          ]);
          const filter = compileFilter(asked, info.identities, info);
          const history = createHistory({
            info,
            budgetBytes: 2 ** 24,
            sliceNs: 1_000,
            detailRows: 40,
          });
          const truth = appendTrace(history, info.identities, steps.map(slower), 7);
          if (truth.length === 0) return;
          const nowNs = history.endNs - (1 - share) * 20 * columnNs;
          const spec = { metric, scale, outlierCut: 0.05, columnNs, columns: 25, bins: 8 } as const;
          const live = new LiveHeatmap(history, {
            ...spec,
            filter,
            disks: [{ dev: SDA, sizeBytes: 2 ** 30 }],
          });
          live.update(nowNs);
          const { box, count } = rectangleOf(live.map, corners);
          const report = inspectBox(history, box, filter, info);
          expect(report.count).toBe(count);
          expect(report.fromRows + report.fromSlices).toBe(count);
          expect(report.allCount).toBe(columnsTotal(live.map, box));
          expectBounds(report, trueCount(truth, box, filter, info));
        },
      ),
      { numRuns: 800 },
    );
  });

  it('a box can be drawn from any corner', () => {
    const map = new Heatmap(shapeOf('device', 'log', 10));
    const box = boxOfCells(map, 3, 7, 2, 5);
    expect(boxOfCells(map, 7, 3, 5, 2)).toEqual(box);
    expect(boxOfCells(map, 3, 7, 5, 2)).toEqual(box);
    expect(box.startNs).toBe(map.startNs + 3 * COLUMN_NS);
    expect(box.endNs).toBe(map.startNs + 8 * COLUMN_NS);
    expect(box.low).toBe(map.scale.edges[2]);
    expect(box.high).toBe(map.scale.edges[6]);
  });

  it('a box in the outlier row has no upper end', () => {
    const map = new Heatmap(shapeOf('device', 'log', 10));
    expect(boxOfCells(map, 0, 0, 10, 10)).toMatchObject({ low: 100e6, high: Infinity });
    expect(boxOfCells(map, 0, 0, -1, -1)).toMatchObject({ low: 0, high: 10e3 });
  });
});

function expectBounds(report: BoxReport, truth: number): void {
  expect(report.leastCount).toBeLessThanOrEqual(truth);
  expect(report.mostCount).toBeGreaterThanOrEqual(truth);
  expect(report.leastCount).toBeLessThanOrEqual(report.count);
  expect(report.mostCount).toBeGreaterThanOrEqual(report.count);
  expect(report.undecided).toBe(report.mostCount - report.leastCount);
}

/** Of all that was ever appended, one by one. */
function trueCount(
  truth: ReturnType<typeof appendTrace>,
  { metric, startNs, endNs, low, high }: Box,
  filter: CompiledFilter,
  { identities }: HistoryInfo,
): number {
  let sum = 0;
  for (const { row, key, count } of truth) {
    const { completeNs, deviceNs, queueNs, bytes, sector } = row;
    const value = {
      device: deviceNs,
      queue: queueNs,
      total: deviceNs + queueNs,
      size: bytes || NaN,
      offset: sector * 512,
      utilization: NaN,
      'file-offset': NaN,
    }[metric];
    if (completeNs < startNs || completeNs >= endNs || !(value >= low && value < high)) continue;
    expect(key).toBeLessThan(identities.size);
    const verdict = filter.judgeRows(columnsOf([{ ...row, key }]), 0, 1)[0];
    if (verdict === Verdict.yes) sum += count;
  }
  return sum;
}

describe('the figures of a cell', () => {
  it('a map has the count of each cell, and the total and the maximum of each column', () => {
    const map = new Heatmap(shapeOf('device', 'log', 10));
    const at = map.startNs + 4 * COLUMN_NS;
    const latencies = [20e3, 20e3, 1e6, 200e6, NaN];
    const rows = latencies.map((deviceNs, i) => ({ completeNs: at + i, deviceNs }));
    binRows(map, columnsOf(rows), 0, rows.length);
    const bin = map.scale.binOf(20e3);
    expect([map.count(4, bin), map.count(4, 10), map.count(5, bin)]).toEqual([2, 1, 0]);
    expect([map.columnTotal(4), map.columnTotal(5)]).toEqual([4, 0]);
    expect([map.maxValue(4), map.maxValue(5)]).toEqual([200e6, undefined]);
    const { low, high } = map.scale.invertExtent(bin);
    expect(boxOfCells(map, 4, 4, bin, bin)).toMatchObject({ low, high });
  });
});
