import type { CompletionColumns } from '../model/completion-columns.ts';
import { FINE_BINS, fineBin } from '../model/fine-bins.ts';
import { Verdict } from '../model/verdict.ts';
import { SECTOR_BYTES, valuesOf, weightsOf } from './binning.ts';
import type { Heatmap, Selection } from './heatmap.ts';
import type { Scale } from './scale.ts';

/** What lies across in a map of two values. */
export const ACROSS_METRICS = ['size', 'offset'] as const;
export type AcrossMetric = (typeof ACROSS_METRICS)[number];

/** I/Os that pass the filter and have no place in a map of two values. */
export interface LeftOut {
  /** Beyond the ends of the x axis. */
  left: number;
  right: number;
  /** Without a value for the x axis, or without one for the y axis. */
  withoutAcross: number;
  unmeasurable: number;
  /** Not known whether they pass. */
  undecided: number;
}

/** The I/O of a stretch of time by two values, in the layout of the map that it is added to. */
export interface JointCounts extends LeftOut {
  readonly counts: Uint32Array;
  readonly weights: Float64Array | undefined;
  /** Largest y value per x column; −Infinity where there is none. */
  readonly worst: Float64Array;
  /** All that have both values, whatever the axes, by the fine bin of each value. */
  readonly fine: Uint32Array;
  readonly acrossFine: Uint32Array;
  /** Largest x value; −1 when there is none. */
  farthest: number;
}

export function createJointCounts({ counts, weights, worst }: Heatmap): JointCounts {
  return {
    counts: new Uint32Array(counts.length),
    weights: weights && new Float64Array(weights.length),
    worst: new Float64Array(worst.length).fill(-Infinity),
    fine: new Uint32Array(FINE_BINS),
    acrossFine: new Uint32Array(FINE_BINS),
    farthest: -1,
    left: 0,
    right: 0,
    withoutAcross: 0,
    unmeasurable: 0,
    undecided: 0,
  };
}

export function emptyJointCounts(into: JointCounts): void {
  into.counts.fill(0);
  into.weights?.fill(0);
  into.worst.fill(-Infinity);
  into.fine.fill(0);
  into.acrossFine.fill(0);
  into.farthest = -1;
  into.left = into.right = into.withoutAcross = into.unmeasurable = into.undecided = 0;
}

/** The two axes. The columns of `map` are the bins of `across`. */
export interface JointAxes {
  readonly map: Heatmap;
  readonly across: Scale;
  readonly acrossMetric: AcrossMetric;
}

/** Rows whose values are computed at once: few enough that they stay in the first-level cache. */
const BLOCK_ROWS = 4096;
const acrossValues = new Float64Array(BLOCK_ROWS);

/** Counts those of rows [from, to) that are selected. */
export function addJointRows(
  into: JointCounts,
  axes: JointAxes,
  rows: CompletionColumns,
  from: number,
  to: number,
  selection: Selection,
): void {
  for (let start = from; start < to; start += BLOCK_ROWS)
    addBlock(into, axes, rows, start, Math.min(to, start + BLOCK_ROWS), selection);
}

function addBlock(
  into: JointCounts,
  axes: JointAxes,
  rows: CompletionColumns,
  from: number,
  to: number,
  { fromNs, toNs, filter }: Selection,
): void {
  const { map, across } = axes;
  const { binEnds, firstBin, areBinsNarrow, scale, stride } = map;
  const { counts, weights, worst, fine, acrossFine } = into;
  const { completeNs } = rows;
  fillAcross(axes.acrossMetric, rows, from, to);
  const verdicts = filter?.judgeRows(rows, from, to);
  const values = valuesOf(map.metric, rows, from, to);
  const rowWeights = weightsOf(map.weight, rows, from, to);
  const columnOf = columnFinder(across);
  const columns = across.bins;
  for (let row = from; row < to; row++) {
    const at = completeNs[row]!;
    if (!(at >= fromNs && at < toNs)) continue;
    const i = row - from;
    const verdict = verdicts === undefined ? Verdict.all : verdicts[i]!;
    if (verdict === Verdict.none) continue;
    const x = acrossValues[i]!;
    const value = values[i]!;
    if (verdict === Verdict.unknown) into.undecided++;
    else if (!(x >= 0)) into.withoutAcross++;
    else if (!(value >= 0)) into.unmeasurable++;
    else {
      const fineY = fineBin(value);
      fine[fineY]!++;
      acrossFine[fineBin(x)]!++;
      if (x > into.farthest) into.farthest = x;
      const column = columnOf(x);
      if (column < 0) into.left++;
      else if (column >= columns) into.right++;
      else {
        let bin = firstBin[fineY]!;
        if (areBinsNarrow && value >= binEnds[bin + 1]!) bin = scale.binOf(value);
        while (value >= binEnds[bin + 1]!) bin++;
        const index = column * stride + 1 + bin;
        counts[index]!++;
        if (weights !== undefined) weights[index]! += rowWeights![i]!;
        if (value > worst[column]!) worst[column] = value;
      }
    }
  }
}

/** In bytes; a flush has neither size nor place. */
function fillAcross(
  metric: AcrossMetric,
  { bytes, sector }: CompletionColumns,
  from: number,
  to: number,
): void {
  if (metric === 'offset')
    for (let row = from; row < to; row++) acrossValues[row - from] = sector[row]! * SECTOR_BYTES;
  else
    for (let row = from; row < to; row++)
      acrossValues[row - from] = bytes[row]! > 0 ? bytes[row]! : NaN;
}

/** As `Scale.binOf`, by a guess that is right but for the rounding, which halving would find slower. */
function columnFinder({ kind, domain, edges, bins }: Scale): (value: number) => number {
  const { low, high } = domain;
  const perUnit = kind === 'log' ? bins / Math.log2(high / low) : bins / (high - low);
  return (value) => {
    if (!(value >= low)) return -1;
    if (value >= high) return bins;
    const place = kind === 'log' ? Math.log2(value / low) : value - low;
    let bin = Math.min(bins - 1, Math.floor(place * perUnit));
    while (value < edges[bin]!) bin--;
    while (value >= edges[bin + 1]!) bin++;
    return bin;
  };
}
