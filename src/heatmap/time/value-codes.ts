import { fineBin, FINE_BINS } from '../../model/fine-bins.ts';
import type { Scale } from '../axis/scale.ts';

/** Values are looked up by a float's exponent and at least this many bits of its mantissa; more for narrow bins. */
const LEAST_MANTISSA_BITS = 4;
const MOST_MANTISSA_BITS = 8;
const MANTISSA_BITS = 23;

/** Values in this range have codes by their bits; no fine bin starts outside of it. */
const FIRST_VALUE = 1;
const END_VALUE = 2 ** 42;

/** Bits of an infinite 32-bit float (IEEE 754); those above them are NaN, an unknown value. */
export const INFINITY_BITS = 0x7f800000;
const NEGATIVE_ZERO_BITS = -0x80000000;
const MOST_BITS = 0x7fffffff;

/** Codes of the values outside this range. The code after each of them means an unknown value. */
const SMALL = 0;
const LARGE = 2;
const UNMEASURABLE = 3;
const FIRST_CODE = 4;

/**
 * Numbers the stretches of float values that are in one fine bin and in one bin of a scale. The code of a value with
 * `bits` is `codeOf[bits >>> shift] + ((limits[bits >>> shift] - bits) >>> 31)`: among values with the same upper
 * bits there is at most one limit, above which the next code applies.
 */
export interface ValueCodes {
  readonly shift: number;
  readonly codeOf: Uint16Array;
  readonly limits: Int32Array;
  /** By code, its fine bin (−1 for unknown values), and its bin. */
  readonly fineOf: Int16Array;
  readonly binOf: Int16Array;
}

/** Undefined when the bins of a scale are too narrow, or are beyond the fine bins. */
export function createValueCodes(scale: Scale): ValueCodes | undefined {
  const edges = scale.edges.filter((edge) => edge > 0);
  if (edges.some((edge) => edge < FIRST_VALUE || edge > END_VALUE)) return undefined;
  for (let bits = LEAST_MANTISSA_BITS; bits <= MOST_MANTISSA_BITS; bits++) {
    const shift = MANTISSA_BITS - bits;
    const limits = findLimits(edges, shift);
    if (limits !== undefined) return { shift, limits, ...nameCodes(scale, shift, limits) };
  }
  return undefined;
}

function findLimits(edges: Float64Array, shift: number): Int32Array | undefined {
  const limits = new Int32Array(2 ** (32 - shift));
  limits.fill(MOST_BITS, 0, limits.length / 2);
  limits.fill(-1, limits.length / 2);
  limits[INFINITY_BITS >>> shift] = INFINITY_BITS;
  limits[NEGATIVE_ZERO_BITS >>> shift] = NEGATIVE_ZERO_BITS;
  for (const edge of edges) {
    const first = bitsFrom(edge);
    if (limits[first >>> shift] !== MOST_BITS) return undefined;
    limits[first >>> shift] = first - 1;
  }
  return limits;
}

function nameCodes(scale: Scale, shift: number, limits: Int32Array) {
  const codeOf = new Uint16Array(limits.length).fill(UNMEASURABLE);
  const first = bitsFrom(FIRST_VALUE) >>> shift;
  const end = bitsFrom(END_VALUE) >>> shift;
  codeOf.fill(SMALL, 0, first);
  codeOf.fill(LARGE, end, (INFINITY_BITS >>> shift) + 1);
  codeOf[NEGATIVE_ZERO_BITS >>> shift] = SMALL;
  const fineOf = new Int16Array(FIRST_CODE + 2 * (end - first)).fill(-1);
  const binOf = new Int16Array(fineOf.length);
  const name = (code: number, fine: number, value: number): void => {
    fineOf[code] = fine;
    binOf[code] = scale.binOf(value);
  };
  name(SMALL, 0, 0);
  name(LARGE, FINE_BINS - 1, END_VALUE);
  for (let upper = first; upper < end; upper++) {
    const code = FIRST_CODE + 2 * (upper - first);
    const value = floatOf(upper << shift);
    const limit = limits[upper]!;
    codeOf[upper] = code;
    name(code, fineBin(value), value);
    name(code + 1, fineBin(value), limit === MOST_BITS ? value : floatOf(limit + 1));
  }
  return { codeOf, fineOf, binOf };
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

export function floatOf(ofBits: number): number {
  bits[0] = ofBits;
  return float[0]!;
}

/** Bits of the smallest float that is not below a positive value. */
function bitsFrom(value: number): number {
  float[0] = value;
  return float[0] < value ? bits[0]! + 1 : bits[0]!;
}
