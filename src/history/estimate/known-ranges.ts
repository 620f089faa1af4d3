import type { Quantity } from '../../filter/fields.ts';
import type { KnownRange } from '../../filter/match/match.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { FINE_BINS, fineBinHigh, fineBinLow, OFFSET_BINS } from '../../model/fine-bins.ts';
import { createBinList, Field, isSliceMetric, METRIC_INDEX } from '../slices/slice.ts';
import type { Slice } from '../slices/slice.ts';

/** Value ranges that histograms give for some I/Os. */
export type KnownRanges = Readonly<Partial<Record<Quantity, KnownRange | undefined>>>;

/** The range of I/Os without the value. */
export const NO_VALUE: KnownRange = { low: Infinity, high: -Infinity, someLackIt: true };

/** The ranges of the I/Os of an entry, in the quantities that a filter compares. */
export function rangesOfEntry(
  slice: Slice,
  entry: number,
  quantities: readonly Quantity[],
): KnownRanges {
  const count = slice.field(entry, Field.count);
  const shift = slice.offsetShift(entry);
  const ranges: Partial<Record<Quantity, KnownRange>> = {};
  for (const quantity of quantities.filter(isSliceMetric)) {
    const filled = slice.readBins(entry, METRIC_INDEX[quantity], list);
    const bins = list.bins.subarray(0, filled);
    const counts = list.counts.subarray(0, filled);
    ranges[quantity] = rangeOfBins(quantity, bins, counts, { count, shift });
  }
  return ranges;
}

const list = createBinList();

function rangeOfBins(
  quantity: Quantity,
  bins: Uint16Array,
  counts: Float64Array,
  { count, shift }: { readonly count: number; readonly shift: number },
): KnownRange {
  const first = bins.findIndex((bin) => rangeOfBin(quantity, bin, shift) !== NO_VALUE);
  if (first < 0) return NO_VALUE;
  const { low } = rangeOfBin(quantity, bins[first]!, shift);
  const { high } = rangeOfBin(quantity, bins.at(-1)!, shift);
  const having = counts.subarray(first).reduce((a, b) => a + b, 0);
  return { low, high, someLackIt: having < count };
}

/** The middle of an offset bin of 2^`offsetShift` sectors, in bytes. */
export function offsetMiddle(bin: number, offsetShift: number): number {
  return (bin + 0.5) * 2 ** offsetShift * SECTOR_BYTES;
}

/** The range of the I/Os in one bin; offset bins are 2^`offsetShift` sectors wide. */
export function rangeOfBin(quantity: Quantity, bin: number, offsetShift: number): KnownRange {
  if (quantity === 'offset') {
    const binBytes = 2 ** offsetShift * SECTOR_BYTES;
    // The last bin also counts everything beyond it.
    const high = bin === OFFSET_BINS - 1 ? Infinity : (bin + 1) * binBytes;
    return { low: bin * binBytes, high, someLackIt: false };
  }
  // Size 0 means no size, as for flushes.
  if (quantity === 'size' && bin === 0) return NO_VALUE;
  const high = bin === FINE_BINS - 1 ? Infinity : fineBinHigh(bin);
  return { low: fineBinLow(bin), high, someLackIt: false };
}
