/**
 * Fine bins: the log-linear histogram that the kernel programs, the history's slices and the tables share. 16 bins
 * per octave, so a bin is at most 6.25 % wide (HdrHistogram's scheme with four significant bits). Values below 16
 * have a bin each.
 */
export const SUB_BIN_BITS = 4;
/** Bins below this contain a single integer. */
export const SUB_BINS = 1 << SUB_BIN_BITS;

/** Latency in ns up to 2^42 (73 minutes); sizes in bytes up to 2^32 use the same numbering. */
export const FINE_BINS = (42 - SUB_BIN_BITS + 1) * SUB_BINS;

/**
 * Bin of a value ≥ 0; larger values than the last bin's are counted in it. The exponent and the top mantissa bits of
 * a double equal the bin plus a constant. Reading them takes 2 ns, powers and divisions 40 ns; every I/O needs four bins.
 */
export function fineBin(value: number): number {
  double[0] = value;
  return fineBinOfDouble(value, words[EXPONENT_WORD]!);
}

/** As `fineBin`, given the word of the double that contains the exponent. */
function fineBinOfDouble(value: number, highBits: number): number {
  if (value < SUB_BINS) return value > 0 ? Math.floor(value) : 0;
  const bin = (highBits >>> MANTISSA_SHIFT) - FIRST_EXPONENT;
  return bin < FINE_BINS ? bin : FINE_BINS - 1;
}

const double = new Float64Array([1]);
const words = new Uint32Array(double.buffer);
/** The index of the half of a double that contains the exponent: it depends on the byte order of the machine. */
const EXPONENT_WORD = words[1] === 0 ? 0 : 1;
const MANTISSA_SHIFT = 20 - SUB_BIN_BITS;
const EXPONENT_BIAS = 1023;
/** Maps `SUB_BINS`, the first value with an exponent of its own, to the bin of that number. */
const FIRST_EXPONENT = (EXPONENT_BIAS + SUB_BIN_BITS) * SUB_BINS - SUB_BINS;

/** Edges of all bins, computed once: exponentiation for each call would dominate the time of drawing aggregates. */
const LOWER_EDGES = Float64Array.from({ length: FINE_BINS + 1 }, (_, bin) => {
  const octave = Math.floor(bin / SUB_BINS) - 1;
  return bin < SUB_BINS ? bin : (SUB_BINS + (bin % SUB_BINS)) * 2 ** octave;
});

/** Lower edge of a bin, inclusive. */
export function fineBinLow(bin: number): number {
  return LOWER_EDGES[bin]!;
}

/** Upper edge of a bin, exclusive. */
export function fineBinHigh(bin: number): number {
  return fineBinLow(bin + 1);
}

/** The largest whole number in a bin: Infinity in the last one, which also counts all values beyond it. */
export function fineBinMost(bin: number): number {
  return bin === FINE_BINS - 1 ? Infinity : fineBinHigh(bin) - 1;
}

/** The middle of a bin, which is used as its value when aggregates are drawn or quantiles are read. */
export function fineBinMiddle(bin: number): number {
  return bin < SUB_BINS ? bin : (fineBinLow(bin) + fineBinHigh(bin)) / 2;
}

/**
 * The last bin that has I/O, or −1. A loop, because `findLastIndex` would call a function for each of hundreds of empty
 * bins.
 */
export function lastFilled(bins: Uint32Array): number {
  let last = bins.length - 1;
  while (last >= 0 && bins[last] === 0) last--;
  return last;
}

/** Linear bins over a disk, for offsets of aggregated I/O. */
export const OFFSET_BINS = 256;
