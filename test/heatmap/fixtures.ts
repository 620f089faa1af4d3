import fc from 'fast-check';
import { createLinearScale } from '../../src/heatmap/axis/linear-scale.ts';
import { createLogScale } from '../../src/heatmap/axis/log-scale.ts';
import type { Heatmap, HeatmapShape, Selection } from '../../src/heatmap/time/heatmap.ts';
import { EVERYTHING } from '../../src/heatmap/time/heatmap.ts';
import { laneSubjects } from '../../src/heatmap/lanes/lane-subjects.ts';
import type { SubjectNames } from '../../src/heatmap/lanes/lane-subjects.ts';
import type { LaneOwners } from '../../src/heatmap/lanes/lane-finder.ts';
import type { LaneKind, Metric } from '../../src/model/metric.ts';
import type { TermValue } from '../../src/filter/filter.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import type { Row } from '../history/fixtures.ts';

export const ROW_METRICS = [
  'device',
  'queue',
  'total',
  'size',
  'offset',
] as const satisfies Metric[];
export type RowMetric = (typeof ROW_METRICS)[number];

export const COLUMN_NS = 100e6;

const latency = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: 0, max: 1e11, noNaN: true }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 400_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(10e3, 30e3, 1e6, 100e6, 1e12) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity) },
);

/** Rows of any kind around a window of 20 columns, some far off it. */
export const anyRow: fc.Arbitrary<Row> = fc.record({
  completeNs: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: -5, max: 25 * COLUMN_NS }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 24 }).map((column) => column * COLUMN_NS) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1e16, noNaN: true }) },
  ),
  deviceNs: latency.map(Math.fround),
  queueNs: latency.map(Math.fround),
  sector: fc.oneof(fc.nat(2 ** 31), fc.constant(NaN)),
  bytes: fc.oneof(fc.nat(2 ** 23), fc.constantFrom(0, 512, 4096, 2 ** 20, 2 ** 32 - 512)),
  key: fc.nat(3),
});

/** Width of the finest slices in tests across rows and aggregates. */
export const SLICE_NS = 1_000;

/** Rows in 60 slices. Some latencies are on the given edges of bins, some are unknown. */
export function anyRowInSlices(edges: readonly number[], sizes: readonly number[]) {
  const anyLatency = fc.oneof(
    { weight: 7, arbitrary: fc.integer({ min: 0, max: 10_000_000 }) },
    ...(edges.length === 0 ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...edges) }]),
    { weight: 1, arbitrary: fc.constant(NaN) },
  );
  return fc.record({
    completeNs: fc.integer({ min: 0, max: 60 * SLICE_NS }),
    deviceNs: anyLatency.map(Math.fround),
    queueNs: anyLatency.map(Math.fround),
    sector: fc.oneof(fc.nat(2 ** 21 - 1), fc.constant(NaN)),
    bytes: fc.constantFrom(...sizes),
    key: fc.nat(7),
  });
}

export function shapeOf(metric: RowMetric, kind: 'log' | 'linear', bins: number): HeatmapShape {
  const domain = {
    size: { low: 512, high: 2 ** 21 },
    offset: { low: 0, high: 2 ** 39 },
    device: { low: 10e3, high: 100e6 },
    queue: { low: 10e3, high: 100e6 },
    total: { low: 10e3, high: 100e6 },
  }[metric];
  const isLog = kind === 'log' && metric !== 'offset';
  const scale = (isLog ? createLogScale : createLinearScale)(domain, bins);
  return { metric, scale, columns: 20, columnNs: COLUMN_NS, startNs: 2 * COLUMN_NS };
}

/** Undefined for what has no such value; in the precision in which rows are kept. */
export function valueOf(metric: RowMetric, row: Row): number | undefined {
  const value = {
    device: row.deviceNs,
    queue: row.queueNs,
    total: Math.fround(row.deviceNs + row.queueNs),
    size: row.bytes > 0 ? row.bytes : NaN,
    offset: row.sector * 512,
  }[metric];
  return Number.isNaN(value) ? undefined : value;
}

/** What a map shows, column by column, to be compared as a whole. */
export function contentsOf(map: Heatmap): unknown {
  return Array.from({ length: map.columns }, (_, column) => ({
    below: map.belowCount(column),
    bins: Array.from({ length: map.bins }, (_, bin) => map.count(column, bin)),
    above: map.aboveCount(column),
    unmeasurable: map.unmeasurableCount(column),
    max: map.maxValue(column),
  }));
}

/** The same contents, counted row by row in the plainest way. */
export function countPlainly(
  shape: HeatmapShape & { readonly metric: Metric },
  rows: readonly Row[],
  { fromNs, toNs, filter }: Selection = EVERYTHING,
): unknown {
  const { scale, columns, columnNs, startNs } = shape;
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.max(fromNs, startNs + column * columnNs);
    const to = Math.min(toNs, startNs + (column + 1) * columnNs);
    const values = rows
      .filter((row) => row.completeNs >= from && row.completeNs < to)
      .filter((row) => filter === undefined || filter.judge(row.key) === Verdict.yes)
      .map((row) => valueOf(shape.metric as RowMetric, row));
    const known = values.filter((value) => value !== undefined);
    const countIn = (bin: number) => known.filter((value) => scale.binOf(value) === bin).length;
    return {
      below: countIn(-1),
      bins: Array.from({ length: scale.bins }, (_, bin) => countIn(bin)),
      above: countIn(scale.bins),
      unmeasurable: values.length - known.length,
      max: known.length === 0 ? undefined : Math.max(...known),
    };
  });
}

export function laneOwners(
  kind: LaneKind,
  names: SubjectNames,
  keys: readonly TermValue[],
): LaneOwners {
  return { subjects: laneSubjects(kind, names), keys };
}
