import { seedOf } from '../../history/estimate/even-share.ts';
import { judgeEntry, judgeAggregate } from '../../history/estimate/judge-bins.ts';
import type { BinJudge } from '../../history/estimate/judge-bins.ts';
import { Field, MAX_FIELDS } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import {
  FINE_BINS,
  fineBin,
  fineBinHigh,
  fineBinLow,
  fineBinMiddle,
} from '../../model/fine-bins.ts';
import type { Metric } from '../../model/metric.ts';
import { columnOf } from '../../history/window/column-ring.ts';
import { shareColumns } from '../../history/window/share-columns.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';

import { unitWeight, WEIGHS_NOTHING } from './estimated-weight.ts';
import type { UnitWeight } from './estimated-weight.ts';
import type { Heatmap, Selection } from './heatmap.ts';
import type { Interval } from '../axis/scale.ts';
import { piecesOf } from './value-pieces.ts';

/** I/Os of one identity, known only as a histogram over [startNs, endNs). */
interface Aggregate {
  readonly startNs: number;
  readonly endNs: number;
  /** Slot of the only column that they are in, if all of them are selected; otherwise −1. */
  readonly onlySlot: number;
  /** Fine bin of the largest value, and that value; undefined when it is not known exactly. */
  readonly max: { readonly bin: number; readonly value: number } | undefined;
}

/** A part of an aggregate: `count` I/Os of one value. */
interface Share {
  /** From 0 to 1: decides where rounding puts remainders. */
  readonly seed: number;
  readonly count: number;
  /** −1 to `bins`; `bins` + 1 for unknown values, `bins` + 2 for I/O that may match the filter. */
  readonly bin: number;
  readonly fine: number | undefined;
  readonly worst: number;
  /** Estimated weight of one I/O. */
  readonly each: number;
}

/** Counts the selected part of a slice of the history. A slice that still grows contains no I/O after `latestNs`. */
export function distributeSlice(
  map: Heatmap,
  slice: SliceView,
  selection: Selection,
  latestNs = Infinity,
): void {
  const { metric } = map;
  if (metric === 'utilization') return;
  const judges = judgesOf(slice, selection.filter, metric);
  const endNs = Math.min(slice.endNs, Math.max(latestNs, slice.startNs));
  const onlySlot = onlySlotOf(map, slice.startNs, endNs, selection);
  const aggregate = { startNs: slice.startNs, endNs, onlySlot, max: maxOf(map, slice, judges) };
  const weights = unitWeights(map, slice, judges);
  const unmeasured = new Map<number, number>();
  slice.forEachEntry(Field.count, (key, count) => {
    if (judges.has(key)) unmeasured.set(key, count);
  });
  slice.forEachBin(
    metric,
    (key, bin, count, offsetShift) => {
      if (isAbsent(map, bin)) return;
      unmeasured.set(key, unmeasured.get(key)! - count);
      const verdict = judges.get(key)!.ofBin(bin, offsetShift);
      const weight = weights.get(key) ?? WEIGHS_NOTHING;
      distributeBin(map, aggregate, { key, bin, count, offsetShift, weight }, verdict, selection);
    },
    (key) => judges.has(key),
  );
  for (const [key, count] of unmeasured) {
    const verdict = judges.get(key)!.ofUnmeasured();
    const rest = unmeasurable(map, key, count, weights.get(key));
    distributeJudged(map, aggregate, rest, verdict, selection);
  }
  map.version++;
}

function onlySlotOf(
  map: Heatmap,
  startNs: number,
  endNs: number,
  { fromNs, toNs }: Selection,
): number {
  if (startNs < Math.max(fromNs, map.startNs) || endNs > Math.min(toNs, map.endNs)) return -1;
  const column = columnOf(startNs, map.columnNs);
  return endNs <= (column + 1) * map.columnNs ? map.slotOf(column) : -1;
}

/** By identity; empty when each I/O counts one. */
function unitWeights(map: Heatmap, slice: SliceView, judges: Judges): Map<number, UnitWeight> {
  const weights = new Map<number, UnitWeight>();
  const { metric, weight } = map;
  if (weight === 'count' || metric === 'utilization') return weights;
  const valueSums = new Map<number, number>();
  slice.forEachBin(
    metric,
    (key, bin, count) => {
      valueSums.set(key, (valueSums.get(key) ?? 0) + fineBinMiddle(bin) * count);
    },
    (key) => judges.has(key),
  );
  slice.forEachShown((shown, entry, key) => {
    const sums = {
      count: shown.field(entry, Field.count),
      bytes: shown.field(entry, Field.bytes),
      deviceNs: shown.field(entry, Field.deviceNs),
      queueNs: shown.field(entry, Field.queueNs),
    };
    weights.set(key, unitWeight(weight, metric, sums, valueSums.get(key) ?? 0));
  });
  return weights;
}

/** By identity, for those whose I/O may match. */
type Judges = ReadonlyMap<number, BinJudge>;

function judgesOf(view: SliceView, filter: Selection['filter'], metric: Metric): Judges {
  const judges = new Map<number, BinJudge>();
  view.forEachShown((slice, entry, key) => {
    const judge = judgeEntry(filter, slice, entry, metric);
    if (judge.verdict !== Verdict.no) judges.set(key, judge);
  });
  return judges;
}

function maxOf(map: Heatmap, slice: SliceView, judges: Judges): Aggregate['max'] {
  const { metric } = map;
  if (metric !== 'device' && metric !== 'queue' && metric !== 'total') return undefined;
  let max = 0;
  slice.forEachEntry(MAX_FIELDS[metric], (key, value) => {
    if (value > max && judges.get(key)?.ofBin(fineBin(value), 0) === Verdict.yes) max = value;
  });
  return { bin: fineBin(max), value: max };
}

/** Counts an aggregate of the kernel programs, if it is selected. */
export function distributeAggregate(
  map: Heatmap,
  summary: CompletionSummary,
  selection: Selection,
): void {
  const { metric } = map;
  const { startNs, endNs, identity: key, offsetShift } = summary;
  if (metric === 'utilization') return;
  const judge = judgeAggregate(selection.filter, summary, metric);
  if (judge.verdict === Verdict.no) return;
  const onlySlot = onlySlotOf(map, startNs, endNs, selection);
  const aggregate = { startNs, endNs, onlySlot, max: undefined };
  const histogram = summary[metric];
  const weight = unitWeightOf(map, summary, histogram);
  let unmeasured = summary.count;
  for (let bin = 0; bin < histogram.length; bin++) {
    const count = histogram[bin]!;
    if (count === 0 || isAbsent(map, bin)) continue;
    unmeasured -= count;
    const verdict = judge.ofBin(bin, offsetShift);
    distributeBin(map, aggregate, { key, bin, count, offsetShift, weight }, verdict, selection);
  }
  const rest = unmeasurable(map, key, unmeasured, weight);
  distributeJudged(map, aggregate, rest, judge.ofUnmeasured(), selection);
  map.version++;
}

function unitWeightOf(
  { weight, metric }: Heatmap,
  { count, bytes, deviceNsSum, queueNsSum }: CompletionSummary,
  histogram: Uint32Array,
): UnitWeight {
  const sums = { count, bytes, deviceNs: deviceNsSum, queueNs: queueNsSum };
  const valueSum = histogram.reduce((sum, filled, bin) => sum + filled * fineBinMiddle(bin), 0);
  return unitWeight(weight, metric, sums, valueSum);
}

/** I/O that may match the filter is counted separately. */
function distributeJudged(
  map: Heatmap,
  aggregate: Aggregate,
  share: Share,
  verdict: Verdict,
  selection: Selection,
): void {
  if (verdict === Verdict.no) return;
  const drawn = verdict === Verdict.yes ? share : undecided(map, share);
  distribute(map, aggregate, drawn, selection);
}

function undecided(map: Heatmap, { seed, count, each }: Share): Share {
  return { seed, count, bin: map.bins + 2, fine: undefined, worst: -Infinity, each };
}

/** Size 0 means no size, as for flushes. */
function isAbsent(map: Heatmap, bin: number): boolean {
  return map.metric === 'size' && bin === 0;
}

interface FilledBin {
  readonly key: number;
  readonly bin: number;
  readonly count: number;
  readonly offsetShift: number;
  readonly weight: UnitWeight;
}

/** Draws the bin at its middle, unless the map has several bins for it. */
function distributeBin(
  map: Heatmap,
  aggregate: Aggregate,
  filled: FilledBin,
  verdict: Verdict,
  selection: Selection,
): void {
  const { key, bin, count, offsetShift } = filled;
  const isOffset = map.metric === 'offset';
  const isMax = !isOffset && bin === aggregate.max?.bin;
  const unit = map.shares === undefined ? 1 : map.shares.bytesOf[key]!;
  const middle = isOffset ? offsetMiddle(bin, offsetShift) / unit : fineBinMiddle(bin);
  const worst = isMax ? aggregate.max.value : middle;
  const fine = isOffset ? undefined : bin;
  const seed = seedOf(key, bin);
  const each = filled.weight.perValue * middle + filled.weight.perIo;
  if (!map.isZoomed) {
    const whole = { bin: map.scale.binOf(middle), count, seed, fine, worst, each };
    distributeJudged(map, aggregate, whole, verdict, selection);
    return;
  }
  const extent = isOffset
    ? offsetExtent(bin, offsetShift, unit)
    : fineExtent(bin, isMax, aggregate);
  for (const piece of piecesOf(map, extent, middle, count, seed)) {
    distributeJudged(map, aggregate, { ...piece, fine, worst, each }, verdict, selection);
  }
}

function offsetMiddle(bin: number, offsetShift: number): number {
  return (bin + 0.5) * 2 ** offsetShift * SECTOR_BYTES;
}

/** `unit`: 1, or the size of the disk in bytes. */
function offsetExtent(bin: number, offsetShift: number, unit: number): Interval {
  const binBytes = 2 ** offsetShift * SECTOR_BYTES;
  return { low: (bin * binBytes) / unit, high: ((bin + 1) * binBytes) / unit };
}

/** The bin of the maximum ends there, if it is known. */
function fineExtent(bin: number, isMax: boolean, { max }: Aggregate): Interval {
  return { low: fineBinLow(bin), high: isMax ? max!.value : fineBinHigh(bin) };
}

function unmeasurable(map: Heatmap, key: number, count: number, weight = WEIGHS_NOTHING): Share {
  const seed = seedOf(key, FINE_BINS);
  const each = weight.perIo;
  return { seed, count, bin: map.bins + 1, fine: undefined, worst: -Infinity, each };
}

function distribute(map: Heatmap, aggregate: Aggregate, share: Share, selection: Selection): void {
  const { startNs: fromNs, endNs: toNs, onlySlot } = aggregate;
  const { count, seed } = share;
  if (onlySlot >= 0) addShare(map, onlySlot, share, count);
  else
    shareColumns(map, { fromNs, toNs }, count, seed, selection, (column, part) => {
      addShare(map, map.slotOf(column), share, part);
    });
}

function addShare(map: Heatmap, slot: number, share: Share, count: number): void {
  const index = slot * map.stride + 1 + share.bin;
  map.counts[index]! += count;
  if (map.weights !== undefined) map.weights[index]! += count * share.each;
  if (share.worst > map.worst[slot]!) map.worst[slot] = share.worst;
  if (share.fine === undefined) return;
  map.fineCounts[slot * FINE_BINS + share.fine]! += count;
}
