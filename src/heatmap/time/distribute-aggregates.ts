import { offsetMiddle } from '../../history/estimate/known-ranges.ts';
import { seedOf } from '../../history/estimate/even-share.ts';
import { judgeEntry, judgeAggregate } from '../../history/estimate/judge-bins.ts';
import type { BinJudge } from '../../history/estimate/judge-bins.ts';
import { sumsOfAggregate, sumsOfEntry } from '../../history/estimate/known-sums.ts';
import { Field, isSliceMetric, MAX_FIELDS } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import {
  FINE_BINS,
  fineBin,
  fineBinHigh,
  fineBinLow,
  fineBinMiddle,
} from '../../model/fine-bins.ts';
import { isLatency } from '../../model/metric.ts';
import type { Metric } from '../../model/metric.ts';
import { mostNs } from '../../model/most-total.ts';
import { columnOf } from '../../history/window/column-ring.ts';
import { shareColumns } from '../../history/window/share-columns.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { unitWeight, WEIGHS_NOTHING } from './estimated-weight.ts';
import type { UnitWeight, WeighedValues } from './estimated-weight.ts';
import type { Heatmap, Selection } from './heatmap.ts';
import type { Interval } from '../axis/scale.ts';
import { piecesOf } from './value-pieces.ts';

/** I/Os of one identity, known only as a histogram over [startNs, endNs). */
interface Aggregate {
  readonly startNs: number;
  readonly endNs: number;
  /** Slot of the only column that they are in, if all of them are selected; otherwise −1. */
  readonly onlySlot: number;
}

/** The largest value of an aggregate, and its fine bin. */
interface Max {
  readonly bin: number;
  readonly value: number;
}

/** A part of an aggregate: `count` I/Os of one value. */
interface Share {
  /** Decides where rounding puts remainders, from 0 to 1. */
  readonly seed: number;
  readonly count: number;
  /** −1 to `bins`; `bins` + 1 for unknown values, `bins` + 2 for I/O that may match the filter. */
  readonly bin: number;
  readonly fine: number | undefined;
  readonly max: number;
  /** Estimated weight of one I/O. */
  readonly each: number;
}

/** Counts the selected part of a slice of the history. A slice that still grows contains no I/O after `latestNs`. */
export function distributeSlice(
  map: Heatmap,
  slice: SliceView,
  selection: Selection,
  latestNs: number,
): void {
  const { metric } = map;
  if (metric === 'utilization') return;
  const judges = judgesOf(slice, selection.filter, metric);
  const passedNs = slice.isOver ? Infinity : Math.max(latestNs, slice.startNs);
  const endNs = Math.min(slice.endNs, passedNs);
  const onlySlot = onlySlotOf(map, slice.startNs, endNs, selection);
  const aggregate = { startNs: slice.startNs, endNs, onlySlot };
  const maxima = maximaOf(map, slice);
  const weights = unitWeights(map, slice, judges);
  const unmeasured = new Map<number, number>();
  slice.forEachEntry(Field.count, (identity, count) => {
    if (judges.has(identity)) unmeasured.set(identity, count);
  });
  // There is no histogram of offsets in files: all of them are unknown.
  if (isSliceMetric(metric))
    slice.forEachBin(
      metric,
      (identity, bin, count, offsetShift) => {
        if (isAbsent(map, bin)) return;
        unmeasured.set(identity, unmeasured.get(identity)! - count);
        const verdict = judges.get(identity)!.ofBin(bin, offsetShift);
        const weight = weights.get(identity) ?? WEIGHS_NOTHING;
        distributeBin(
          map,
          aggregate,
          { identity, bin, count, offsetShift, weight, max: maxima.get(identity) },
          verdict,
          selection,
        );
      },
      (identity) => judges.has(identity),
    );
  for (const [identity, count] of unmeasured) {
    const verdict = judges.get(identity)!.ofUnmeasured();
    const rest = unmeasurable(map, identity, count, weights.get(identity));
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

/** The weight of one I/O, by identity; empty when each I/O counts one. */
function unitWeights(map: Heatmap, slice: SliceView, judges: Judges): Map<number, UnitWeight> {
  const weights = new Map<number, UnitWeight>();
  const { metric, weight } = map;
  if (weight === 'count' || metric === 'utilization') return weights;
  const values = new Map<number, WeighedValues>();
  if (isSliceMetric(metric))
    slice.forEachBin(
      metric,
      (identity, bin, count) => {
        const before = values.get(identity) ?? NO_VALUES;
        const sum = before.sum + fineBinMiddle(bin) * count;
        values.set(identity, { ...before, count: before.count + count, sum });
      },
      (identity) => judges.has(identity),
    );
  if (metric === 'device' && weight === 'time')
    slice.forEachBin(
      'total',
      (identity, bin, count) => {
        const before = values.get(identity) ?? NO_VALUES;
        const totalNs = before.totalNs + fineBinMiddle(bin) * count;
        values.set(identity, { ...before, totalNs });
      },
      (identity) => judges.has(identity),
    );
  slice.forEachShown((shown, entry, identity) => {
    const known = values.get(identity) ?? NO_VALUES;
    weights.set(identity, unitWeight(weight, metric, sumsOfEntry(shown, entry), known));
  });
  return weights;
}

const NO_VALUES: WeighedValues = { count: 0, sum: 0, totalNs: 0 };

/** The judges of identities whose I/O may match. */
type Judges = ReadonlyMap<number, BinJudge>;

function judgesOf(view: SliceView, filter: Selection['filter'], metric: Metric): Judges {
  const judges = new Map<number, BinJudge>();
  view.forEachShown((slice, entry, identity) => {
    const judge = judgeEntry(filter, slice, entry, metric);
    if (judge.verdict !== Verdict.no) judges.set(identity, judge);
  });
  return judges;
}

/** The largest latencies, by identity; empty for other metrics. */
function maximaOf({ metric }: Heatmap, slice: SliceView): ReadonlyMap<number, Max> {
  const maxima = new Map<number, Max>();
  if (isLatency(metric))
    slice.forEachEntry(MAX_FIELDS[metric], (identity, value) => {
      maxima.set(identity, { bin: fineBin(value), value });
    });
  return maxima;
}

const NO_HISTOGRAM = new Uint32Array(0);

/** Counts an aggregate of the kernel programs, if it is selected. */
export function distributeAggregate(
  map: Heatmap,
  summary: CompletionSummary,
  selection: Selection,
): void {
  const { metric } = map;
  const { startNs, endNs, identity, offsetShift } = summary;
  if (metric === 'utilization') return;
  const judge = judgeAggregate(selection.filter, summary, metric);
  if (judge.verdict === Verdict.no) return;
  const onlySlot = onlySlotOf(map, startNs, endNs, selection);
  const aggregate = { startNs, endNs, onlySlot };
  const max = maxOf(map, summary);
  const histogram = isSliceMetric(metric) ? summary[metric] : NO_HISTOGRAM;
  const weight = unitWeightOf(map, summary, histogram);
  let unmeasured = summary.count;
  for (let bin = 0; bin < histogram.length; bin++) {
    const count = histogram[bin]!;
    if (count === 0 || isAbsent(map, bin)) continue;
    unmeasured -= count;
    const verdict = judge.ofBin(bin, offsetShift);
    distributeBin(
      map,
      aggregate,
      { identity, bin, count, offsetShift, weight, max },
      verdict,
      selection,
    );
  }
  const rest = unmeasurable(map, identity, unmeasured, weight);
  distributeJudged(map, aggregate, rest, judge.ofUnmeasured(), selection);
  map.version++;
}

function maxOf({ metric }: Heatmap, summary: CompletionSummary): Max | undefined {
  if (!isLatency(metric)) return undefined;
  const value = mostNs(summary, metric);
  return { bin: fineBin(value), value };
}

function unitWeightOf(
  { weight, metric }: Heatmap,
  summary: CompletionSummary,
  histogram: Uint32Array,
): UnitWeight {
  if (weight === 'count') return WEIGHS_NOTHING;
  const values = {
    count: histogram.reduce((all, filled) => all + filled, 0),
    sum: sumOf(histogram),
    totalNs: sumOf(summary.total),
  };
  return unitWeight(weight, metric, sumsOfAggregate(summary), values);
}

function sumOf(histogram: Uint32Array): number {
  return histogram.reduce((all, filled, bin) => all + filled * fineBinMiddle(bin), 0);
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
  return { seed, count, bin: map.bins + 2, fine: undefined, max: -Infinity, each };
}

/** Size 0 means no size, as for flushes. */
function isAbsent(map: Heatmap, bin: number): boolean {
  return map.metric === 'size' && bin === 0;
}

interface FilledBin {
  readonly identity: number;
  readonly bin: number;
  readonly count: number;
  readonly offsetShift: number;
  readonly weight: UnitWeight;
  /** Of all bins of the identity; undefined where it is not known. */
  readonly max: Max | undefined;
}

/** Draws the bin at its middle, unless the map has several bins for it. That of the maximum ends there. */
function distributeBin(
  map: Heatmap,
  aggregate: Aggregate,
  filled: FilledBin,
  verdict: Verdict,
  selection: Selection,
): void {
  const { identity, bin, count, offsetShift } = filled;
  const isOffset = map.metric === 'offset';
  const largest = bin === filled.max?.bin ? filled.max.value : undefined;
  const unit = map.shares === undefined ? 1 : map.shares.bytesOf[identity]!;
  const middle = isOffset ? offsetMiddle(bin, offsetShift) / unit : fineBinMiddle(bin);
  const max = largest ?? middle;
  const fine = isOffset ? undefined : bin;
  const seed = seedOf(identity, bin);
  const each = filled.weight.perValue * middle + filled.weight.perIo;
  if (!map.isZoomed) {
    const whole = { bin: map.scale.binOf(middle), count, seed, fine, max, each };
    distributeJudged(map, aggregate, whole, verdict, selection);
    return;
  }
  const extent = isOffset
    ? offsetExtent(bin, offsetShift, unit)
    : { low: fineBinLow(bin), high: largest ?? fineBinHigh(bin) };
  for (const piece of piecesOf(map, extent, middle, count, seed)) {
    distributeJudged(map, aggregate, { ...piece, fine, max, each }, verdict, selection);
  }
}

/** `unit` is 1, or for shares the size of the disk in bytes. */
function offsetExtent(bin: number, offsetShift: number, unit: number): Interval {
  const binBytes = 2 ** offsetShift * SECTOR_BYTES;
  return { low: (bin * binBytes) / unit, high: ((bin + 1) * binBytes) / unit };
}

function unmeasurable(
  map: Heatmap,
  identity: number,
  count: number,
  weight = WEIGHS_NOTHING,
): Share {
  const seed = seedOf(identity, FINE_BINS);
  const each = weight.perIo;
  return { seed, count, bin: map.bins + 1, fine: undefined, max: -Infinity, each };
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
  if (share.max > map.columnMax[slot]!) map.columnMax[slot] = share.max;
  if (share.fine === undefined) return;
  map.fineCounts[slot * FINE_BINS + share.fine]! += count;
}
