import type { TimeRange } from '../../base/time.ts';
import { seedOf } from '../../history/estimate/even-share.ts';
import { judgeEntry, judgeAggregate } from '../../history/estimate/judge-bins.ts';
import type { BinJudge } from '../../history/estimate/judge-bins.ts';
import {
  knownValues,
  latencySum,
  sumsOfAggregate,
  sumsOfEntry,
} from '../../history/estimate/known-sums.ts';
import type { KnownSums } from '../../history/estimate/known-sums.ts';
import { createBinList, METRIC_INDEX, MAX_FIELDS } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import { shareColumns } from '../../history/window/share-columns.ts';
import { FINE_BINS, fineBinMiddle, fineBinMost } from '../../model/fine-bins.ts';
import { mostNs } from '../../model/most-total.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { Selection } from '../time/heatmap.ts';
import type { LaneCounts } from './lane-counts.ts';
import type { CountedLanes } from './lane-finder.ts';

/** I/Os of one identity, known only as a histogram of their latency over [startNs, endNs). */
interface Aggregate {
  readonly startNs: number;
  readonly endNs: number;
  readonly identity: number;
  readonly lane: number;
  /** It may belong to any lane. */
  readonly isUnknown: boolean;
  readonly sums: KnownSums;
  /** The largest latency if it is known, otherwise Infinity. */
  readonly maxNs: number;
  readonly judge: BinJudge;
  readonly bins: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  readonly filled: number;
}

const list = createBinList();

/** Counts the selected part of a slice. A slice that still grows contains no I/O after `latestNs`. */
export function distributeSlice(
  into: LaneCounts,
  view: SliceView,
  lanes: CountedLanes,
  { fromNs, toNs, filter }: Selection,
  latestNs: number,
): void {
  const { metric } = into;
  const passedNs = view.isOver ? Infinity : Math.max(latestNs, view.startNs);
  const endNs = Math.min(view.endNs, passedNs);
  view.forEachShown((slice, entry, identity) => {
    const lane = lanes.laneOf(identity);
    const judge = judgeEntry(filter, slice, entry, metric);
    if (lane < 0 || judge.verdict === Verdict.no) return;
    const filled = slice.readBins(entry, METRIC_INDEX[metric], list);
    const { bins, counts } = list;
    const maxNs = slice.field(entry, MAX_FIELDS[metric]) || Infinity;
    const sums = sumsOfEntry(slice, entry);
    const isUnknown = lanes.isUnknown(identity);
    const owned = { startNs: view.startNs, endNs, identity, lane, isUnknown };
    const aggregate = { ...owned, sums, maxNs, judge, bins, counts, filled };
    addAggregate(into, aggregate, { fromNs, toNs });
  });
  into.version++;
}

const ALL_BINS = Uint16Array.from({ length: FINE_BINS }, (_, bin) => bin);

/** Counts an aggregate of the kernel programs, if it is selected. */
export function distributeAggregate(
  into: LaneCounts,
  summary: CompletionSummary,
  lanes: CountedLanes,
  { fromNs, toNs, filter }: Selection,
): void {
  const { metric } = into;
  const { startNs, endNs, identity } = summary;
  const lane = lanes.laneOf(identity);
  const judge = judgeAggregate(filter, summary, metric);
  if (lane < 0 || judge.verdict === Verdict.no) return;
  const sums = sumsOfAggregate(summary);
  const counts = summary[metric];
  const owned = { startNs, endNs, identity, lane, isUnknown: lanes.isUnknown(identity) };
  const maxNs = mostNs(summary, metric) || Infinity;
  const known = { sums, maxNs, judge, bins: ALL_BINS, counts };
  addAggregate(into, { ...owned, ...known, filled: counts.length }, { fromNs, toNs });
  into.version++;
}

/** Only the sum over all bins is exact: each bin gets a part of it in proportion to its count and middle. */
function addAggregate(into: LaneCounts, aggregate: Aggregate, range: TimeRange): void {
  const { bins, counts, filled, judge, lane, maxNs, identity, sums } = aggregate;
  const stretch = stretchOf(aggregate);
  const values = knownValues(aggregate, filled);
  const perMiddle = values.sum > 0 ? latencySum(into.metric, sums, values) / values.sum : 0;
  for (let i = 0; i < filled; i++) {
    const [bin, count] = [bins[i]!, counts[i]!];
    const verdict = count === 0 ? Verdict.no : judge.ofBin(bin, 0);
    if (verdict === Verdict.no) continue;
    const each = fineBinMiddle(bin) * perMiddle;
    const max = Math.min(maxNs, fineBinMost(bin));
    shareColumns(into, stretch, count, seedOf(identity, bin), range, (column, part) => {
      if (verdict === Verdict.maybe) into.addUndecided(lane, column, part);
      else {
        into.addMany(lane, column, bin, part, each * part, max);
        if (aggregate.isUnknown) into.addLaneUnknown(column, part);
      }
    });
  }
  addUnmeasured(into, aggregate, sums.count - values.count, range);
}

function addUnmeasured(
  into: LaneCounts,
  aggregate: Aggregate,
  count: number,
  range: TimeRange,
): void {
  const verdict = aggregate.judge.ofUnmeasured();
  const seed = seedOf(aggregate.identity, FINE_BINS);
  if (count <= 0 || verdict === Verdict.no) return;
  shareColumns(into, stretchOf(aggregate), count, seed, range, (column, part) => {
    if (verdict === Verdict.maybe) into.addUndecided(aggregate.lane, column, part);
    else {
      into.addUnmeasured(aggregate.lane, column, part);
      if (aggregate.isUnknown) into.addLaneUnknown(column, part);
    }
  });
}

function stretchOf({ startNs, endNs }: Aggregate): TimeRange {
  return { fromNs: startNs, toNs: endNs };
}
