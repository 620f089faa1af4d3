import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { createBinList, Field, isSliceMetric, METRIC_INDEX } from '../slices/slice.ts';
import type { Slice, SliceMetric } from '../slices/slice.ts';
import { judgeAggregate, judgeEntry } from './judge-bins.ts';
import type { BinJudge } from './judge-bins.ts';

/** Number of I/Os of an aggregate that match a filter, and number of those that may match. */
export interface Matching {
  readonly count: number;
  readonly undecided: number;
}

/** A `filter` that is undefined matches everything. */
export function matchingOfEntry(
  filter: CompiledFilter | undefined,
  slice: Slice,
  entry: number,
): Matching {
  const metric = metricOf(filter);
  const judge = judgeEntry(filter, slice, entry, metric);
  const count = slice.field(entry, Field.count);
  if (judge.verdict !== Verdict.maybe) return whole(judge.verdict, count);
  const filled = slice.readBins(entry, METRIC_INDEX[metric], list);
  const bins = list.bins.subarray(0, filled);
  return countBins(judge, count, list.counts, slice.offsetShift(entry), bins);
}

/** As `matchingOfEntry`, for an aggregate that is in no slice. */
export function matchingOfAggregate(
  filter: CompiledFilter | undefined,
  summary: CompletionSummary,
): Matching {
  const metric = metricOf(filter);
  const judge = judgeAggregate(filter, summary, metric);
  const { count, offsetShift } = summary;
  if (judge.verdict !== Verdict.maybe) return whole(judge.verdict, count);
  const counts = summary[metric];
  return countBins(judge, count, counts, offsetShift, counts.keys());
}

const list = createBinList();

/** Only the bins of a metric that the filter compares decide anything. */
function metricOf(filter: CompiledFilter | undefined): SliceMetric {
  return filter?.quantities.find(isSliceMetric) ?? 'total';
}

function whole(verdict: Verdict, count: number): Matching {
  return { count: verdict === Verdict.yes ? count : 0, undecided: 0 };
}

/** `bins` has the number of the bin of each of `counts`. */
function countBins(
  judge: BinJudge,
  count: number,
  counts: ArrayLike<number>,
  offsetShift: number,
  bins: Iterable<number>,
): Matching {
  const found = { [Verdict.no]: 0, [Verdict.maybe]: 0, [Verdict.yes]: 0 };
  let unmeasured = count;
  let i = 0;
  for (const bin of bins) {
    const filled = counts[i++]!;
    if (filled === 0) continue;
    unmeasured -= filled;
    found[judge.ofBin(bin, offsetShift)] += filled;
  }
  if (unmeasured > 0) found[judge.ofUnmeasured()] += unmeasured;
  return { count: found[Verdict.yes], undecided: found[Verdict.maybe] };
}
