import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';
import { judgeEntry } from '../../history/estimate/judge-bins.ts';
import { createBinList, MAX_FIELDS, METRIC_INDEX } from '../../history/slices/slice.ts';
import type { Slice } from '../../history/slices/slice.ts';
import { fineBin, fineBinLow } from '../../model/fine-bins.ts';
import type { Latency } from '../../model/metric.ts';

const list = createBinList();

/**
 * The largest latency above `aboveNs` among the I/Os of an entry that match the filter; undefined if none certainly
 * does. Where the largest of all does not match, it is the start of the highest bin that does: a lower bound.
 */
export function slowestOfEntry(
  slice: Slice,
  entry: number,
  latency: Latency,
  filter: CompiledFilter,
  aboveNs: number,
): number | undefined {
  const largestNs = slice.field(entry, MAX_FIELDS[latency]);
  if (!(largestNs > aboveNs)) return undefined;
  const judge = judgeEntry(filter, slice, entry, latency);
  if (judge.verdict === Verdict.no) return undefined;
  if (judge.ofBin(fineBin(largestNs), 0) === Verdict.yes) return largestNs;
  const filled = slice.readBins(entry, METRIC_INDEX[latency], list);
  for (let i = filled - 1; i >= 0 && fineBinLow(list.bins[i]!) > aboveNs; i--)
    if (judge.ofBin(list.bins[i]!, 0) === Verdict.yes) return fineBinLow(list.bins[i]!);
  return undefined;
}
