import { fineBinHigh, fineBinLow } from '../model/fine-bins.ts';

/**
 * The value below which a share of a fine histogram lies, spread evenly within its bin. It is off by
 * at most the width of the bin: 6.25 % of the value. Undefined when the histogram is empty.
 */
export function quantile(
  counts: Float64Array,
  from: number,
  to: number,
  total: number,
  share: number,
): number | undefined {
  if (total === 0) return undefined;
  const rank = share * total;
  let below = 0;
  let last = from;
  for (let bin = from; bin < to; bin++) {
    const count = counts[bin]!;
    if (count === 0) continue;
    if (below + count >= rank) return within(bin - from, Math.max(0, rank - below) / count);
    below += count;
    last = bin;
  }
  return fineBinHigh(last - from);
}

function within(bin: number, share: number): number {
  const low = fineBinLow(bin);
  return low + share * (fineBinHigh(bin) - low);
}
