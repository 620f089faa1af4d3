import { fineBinHigh, fineBinLow, SUB_BINS } from './fine-bins.ts';

/**
 * The value below which a share of a fine histogram is, assuming an even distribution within its bin. The error is
 * at most the width of the bin: 6.25 % of the value. The histogram's bin 0 is at `counts[origin]`; its non-empty
 * bins are in [from, to) and contain `total` I/Os. Undefined when it is empty.
 */
export function quantile(
  counts: Float64Array,
  origin: number,
  from: number,
  to: number,
  total: number,
  share: number,
): number | undefined {
  if (total === 0) return undefined;
  const rank = share * total;
  let below = 0;
  for (let bin = from; bin < to; bin++) {
    const count = counts[origin + bin]!;
    if (count > 0 && below + count >= rank) return within(bin, (rank - below) / count);
    below += count;
  }
  return fineBinLow(to);
}

function within(bin: number, share: number): number {
  const low = fineBinLow(bin);
  // Bins of a single value are not interpolated: 0 ns must not be shown as a fraction of 1 ns.
  return bin < SUB_BINS ? low : low + share * (fineBinHigh(bin) - low);
}
