import type { CompiledFilter, KnownRange, KnownValues } from '../../filter/match/match.ts';
import type { Quantity } from '../../filter/fields.ts';
import type { Metric } from '../../model/metric.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { NO_VALUE, rangeOfBin, rangesOfEntry } from './known-ranges.ts';
import type { KnownRanges } from './known-ranges.ts';
import { isSliceMetric } from '../slices/slice.ts';
import type { Slice } from '../slices/slice.ts';

/**
 * Whether I/Os of one identity match the filter when only a histogram per metric is known. The filter may compare other
 * metrics, of which only minimum and maximum are known here, or have a limit inside a bin. Then the answer is `maybe`.
 */
export interface BinJudge {
  /** The verdict on all I/Os of the entry together. */
  readonly verdict: Verdict;
  /** The verdict on the I/Os in one bin of the given metric. */
  ofBin(bin: number, offsetShift: number): Verdict;
  /** The verdict on the I/Os without a value of that metric. */
  ofUnmeasured(): Verdict;
}

/** A `filter` that is undefined matches everything. */
export function judgeEntry(
  filter: CompiledFilter | undefined,
  slice: Slice,
  entry: number,
  metric: Metric,
): BinJudge {
  const identity = slice.identity(entry);
  const verdict = filter?.judge(identity) ?? Verdict.yes;
  if (filter === undefined || verdict !== Verdict.maybe) return SAME_FOR_ALL[verdict];
  const ranges = rangesOfEntry(slice, entry, filter.quantities);
  return new RangeJudge(filter, identity, ranges, metric);
}

/** As `judgeEntry`, for an aggregate that is in no slice. */
export function judgeAggregate(
  filter: CompiledFilter | undefined,
  summary: CompletionSummary,
  metric: Metric,
): BinJudge {
  const { identity: identity } = summary;
  const verdict = filter?.judge(identity) ?? Verdict.yes;
  if (filter === undefined || verdict !== Verdict.maybe) return SAME_FOR_ALL[verdict];
  const ranges: Partial<Record<Quantity, KnownRange | undefined>> = {};
  for (const quantity of filter.quantities) ranges[quantity] = rangeOfAggregate(summary, quantity);
  return new RangeJudge(filter, identity, ranges, metric);
}

function rangeOfAggregate(summary: CompletionSummary, quantity: Quantity): KnownRange | undefined {
  if (!isSliceMetric(quantity)) return undefined;
  let [low, high, having] = [Infinity, -Infinity, 0];
  summary[quantity].forEach((count, bin) => {
    const range = rangeOfBin(quantity, bin, summary.offsetShift);
    if (count === 0 || range === NO_VALUE) return;
    low = Math.min(low, range.low);
    high = Math.max(high, range.high);
    having += count;
  });
  return { low, high, someLackIt: having < summary.count };
}

const SAME_FOR_ALL: Readonly<Record<Verdict, BinJudge>> = {
  [Verdict.no]: sameForAll(Verdict.no),
  [Verdict.maybe]: sameForAll(Verdict.maybe),
  [Verdict.yes]: sameForAll(Verdict.yes),
};

function sameForAll(verdict: Verdict): BinJudge {
  return { verdict, ofBin: () => verdict, ofUnmeasured: () => verdict };
}

class RangeJudge implements BinJudge {
  readonly verdict: Verdict;

  constructor(
    private readonly filter: CompiledFilter,
    private readonly identity: number,
    private readonly ranges: KnownRanges,
    private readonly metric: Metric,
  ) {
    this.verdict = filter.judge(identity, (quantity) => ranges[quantity]);
  }

  ofBin(bin: number, offsetShift: number): Verdict {
    const { metric } = this;
    if (!isSliceMetric(metric)) return this.verdict;
    return this.judge(rangeOfBin(metric, bin, offsetShift));
  }

  /** Without a histogram of the metric, it is unknown whether they have a value. */
  ofUnmeasured(): Verdict {
    if (!isSliceMetric(this.metric)) return this.verdict;
    return this.judge(NO_VALUE);
  }

  private judge(own: KnownRange): Verdict {
    const { metric, ranges } = this;
    const known: KnownValues = (quantity) => (quantity === metric ? own : ranges[quantity]);
    return this.filter.judge(this.identity, known);
  }
}
