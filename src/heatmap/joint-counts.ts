import type { CompletionColumns } from '../model/completion-columns.ts';
import { FINE_BINS, fineBinLow, fineBinOfDouble, HIGH_WORD } from '../model/fine-bins.ts';
import { Verdict } from '../model/verdict.ts';
import { BLOCK_ROWS, fineBinOfFloat, SECTOR_BYTES, valuesOf, weightsOf } from './binning.ts';
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

const acrossValues = new Float64Array(BLOCK_ROWS);
const acrossWords = new Uint32Array(acrossValues.buffer);
const acrossFines = new Uint16Array(BLOCK_ROWS);
const acrossColumns = new Int16Array(BLOCK_ROWS);

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
  const { map, across, acrossMetric } = axes;
  const { binEnds, firstBin, areBinsNarrow, scale, stride } = map;
  const { counts, weights, worst, fine, acrossFine } = into;
  const { completeNs } = rows;
  fillAcross(acrossMetric, rows, from, to);
  findColumns(across, to - from);
  const verdicts = filter?.judgeRows(rows, from, to);
  const values = valuesOf(map.metric, rows, from, to);
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const rowWeights = weightsOf(map.weight, rows, from, to);
  const columns = across.bins;
  const isFitted = acrossMetric === 'size';
  let { farthest, left, right, withoutAcross, unmeasurable, undecided } = into;
  for (let row = from; row < to; row++) {
    const at = completeNs[row]!;
    if (!(at >= fromNs && at < toNs)) continue;
    const i = row - from;
    const verdict = verdicts === undefined ? Verdict.all : verdicts[i]!;
    if (verdict === Verdict.none) continue;
    if (verdict === Verdict.unknown) {
      undecided++;
      continue;
    }
    const x = acrossValues[i]!;
    if (!(x >= 0)) {
      withoutAcross++;
      continue;
    }
    const value = values[i]!;
    const fineY = fineBinOfFloat(value, bits[i]!);
    if (fineY < 0) {
      unmeasurable++;
      continue;
    }
    fine[fineY]!++;
    if (isFitted) acrossFine[acrossFines[i]!]!++;
    if (x > farthest) farthest = x;
    const column = acrossColumns[i]!;
    if (column < 0) left++;
    else if (column >= columns) right++;
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
  Object.assign(into, { farthest, left, right, withoutAcross, unmeasurable, undecided });
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

/** As `Scale.binOf` of the first `count` values, −1 for those that are none. */
function findColumns(scale: Scale, count: number): void {
  const { kind, domain, edges, bins } = scale;
  const { low, high } = domain;
  const perUnit = bins / (high - low);
  const first = kind === 'log' ? firstColumnsOf(scale) : undefined;
  for (let i = 0; i < count; i++) {
    const value = acrossValues[i]!;
    const fine = fineBinOfDouble(value, acrossWords[2 * i + HIGH_WORD]!);
    acrossFines[i] = fine;
    let column = -1;
    if (value >= high) column = bins;
    else if (value >= low) {
      column = first ? first[fine]! : Math.floor((value - low) * perUnit);
      // The product may be rounded across an edge, and a fine bin may begin in an earlier column.
      if (column >= bins) column = bins - 1;
      while (value < edges[column]!) column--;
      while (value >= edges[column + 1]!) column++;
    }
    acrossColumns[i] = column;
  }
}

const firstColumns = new WeakMap<Scale, Int16Array>();

/** Column of each fine bin's lower edge, 0 where that lies below the axis. */
function firstColumnsOf(scale: Scale): Int16Array {
  const known = firstColumns.get(scale);
  if (known !== undefined) return known;
  const found = Int16Array.from({ length: FINE_BINS }, (_, fine) =>
    Math.max(0, scale.binOf(fineBinLow(fine))),
  );
  firstColumns.set(scale, found);
  return found;
}
