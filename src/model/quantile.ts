import { fineBinHigh, fineBinLow, SUB_BINS } from './fine-bins.ts';

/**
 * The value below which a share of a fine histogram lies, spread evenly within its bin. It is off by
 * at most the width of the bin: 6.25 % of the value. The histogram's bin 0 is at `counts[origin]`; its
 * filled bins lie in [from, to) and hold `total` I/Os. Undefined when it is empty.
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
  // Bins of a single value: what took 0 ns must not be shown as a part of 1.
  return bin < SUB_BINS ? low : low + share * (fineBinHigh(bin) - low);
}
