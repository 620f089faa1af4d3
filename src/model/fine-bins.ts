/**
 * Fine bins: the one log-linear histogram that the kernel program, the history's slices and the top
 * tables share. 16 bins per octave, so a bin is at most 6.25 % wide (HdrHistogram's scheme with four
 * significant bits). Values below 16 have a bin each.
 */
export const SUB_BIN_BITS = 4;
const SUB_BINS = 1 << SUB_BIN_BITS;

/** Latency in ns up to 2^42 (73 minutes); sizes in bytes up to 2^32 use the same numbering. */
export const FINE_BINS = (42 - SUB_BIN_BITS + 1) * SUB_BINS;

/** Bin of a value ≥ 0; values beyond the last bin fall into the last bin. */
export function fineBin(value: number): number {
  if (value < SUB_BINS) return value >= 0 ? Math.floor(value) : 0;
  const exponent = exponentOf(value);
  const mantissa = Math.floor(value / 2 ** (exponent - SUB_BIN_BITS)) - SUB_BINS;
  const bin = (exponent - SUB_BIN_BITS + 1) * SUB_BINS + mantissa;
  return bin < FINE_BINS ? bin : FINE_BINS - 1;
}

function exponentOf(value: number): number {
  return value < 2 ** 31 ? 31 - Math.clz32(value) : 31 + (31 - Math.clz32(value / 2 ** 31));
}

/** Lower edge of a bin, inclusive. */
export function fineBinLow(bin: number): number {
  if (bin < SUB_BINS) return bin;
  const octave = Math.floor(bin / SUB_BINS) - 1;
  return (SUB_BINS + (bin % SUB_BINS)) * 2 ** octave;
}

/** Upper edge of a bin, exclusive. */
export function fineBinHigh(bin: number): number {
  return fineBinLow(bin + 1);
}

/** The value that stands for a bin when a summary is drawn or a quantile is read: its middle. */
export function fineBinMiddle(bin: number): number {
  return bin < SUB_BINS ? bin : (fineBinLow(bin) + fineBinHigh(bin)) / 2;
}

/** Linear bins over a disk for offsets of I/O that is only known in summary. */
export const OFFSET_BINS = 256;
