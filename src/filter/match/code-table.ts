import type { QuantityCodes } from './codes.ts';

/**
 * Codes of values that are read as whole numbers, by their upper bits. Among values with the same upper
 * bits there are at most two limits, so the code of `value` is the one at three times the number of the
 * upper bits, plus one for each limit that it is above.
 */
export interface CodeTable {
  readonly codes: Int32Array;
  readonly firstLimit: Int32Array;
  readonly secondLimit: Int32Array;
}

/** Whole numbers that are looked up together: from the first to the last, and the number of both. */
type Part = readonly [at: number, first: number, last: number];

/**
 * Undefined where a part has more limits than two. `codeOf` says the code of a number, and `limits`,
 * ascending, are the last numbers before one with another code.
 */
function createTable(
  parts: Iterable<Part>,
  size: number,
  limits: readonly number[],
  codeOf: (value: number) => number,
): CodeTable | undefined {
  const codes = new Int32Array(3 * size);
  const firstLimit = new Int32Array(size);
  const secondLimit = new Int32Array(size);
  let next = 0;
  for (const [at, first, last] of parts) {
    const inside: number[] = [];
    while (next < limits.length && limits[next]! < first) next++;
    while (next < limits.length && limits[next]! < last) inside.push(limits[next++]!);
    if (inside.length > 2) return undefined;
    const [a = last, b = last] = inside;
    firstLimit[at] = a;
    secondLimit[at] = b;
    const code = codeOf(first);
    codes[3 * at] = code;
    codes[3 * at + 1] = a < last ? codeOf(a + 1) : code;
    codes[3 * at + 2] = b < last ? codeOf(b + 1) : code;
  }
  return { codes, firstLimit, secondLimit };
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

function floatOf(ofBits: number): number {
  bits[0] = ofBits;
  return float[0]!;
}

/** How many of its lower bits of a float do not number its part: its sign, exponent and 4 bits do. */
export const FLOAT_SHIFT = 19;
const FLOAT_PARTS = 2 ** (32 - FLOAT_SHIFT);
const INFINITY_BITS = 0x7f800000;
const NEGATIVE_ZERO_BITS = -0x80000000;

/** By the bits of a float: its part is `bits >>> FLOAT_SHIFT`. */
export function floatTable(codes: QuantityCodes, stride: number): CodeTable | undefined {
  const limits = codes.thresholds
    .filter((limit) => limit > 0 && limit < Infinity)
    .map((limit) => bitsFrom(limit) - 1);
  // Zero has two signs, and what has the bits after those of infinity is no number.
  const all = new Set([
    NEGATIVE_ZERO_BITS,
    ...limits,
    INFINITY_BITS,
    INFINITY_BITS | NEGATIVE_ZERO_BITS | 0,
  ]);
  const sorted = [...all].sort((a, b) => a - b);
  const codeOf = (value: number): number => codes.of(floatOf(value)) * stride;
  return createTable(floatParts(), FLOAT_PARTS, sorted, codeOf);
}

/** As 32-bit numbers ascend: what has a sign comes first. */
function* floatParts(): Generator<Part> {
  for (let i = 0; i < FLOAT_PARTS; i++) {
    const at = (i + FLOAT_PARTS / 2) % FLOAT_PARTS;
    const first = at << FLOAT_SHIFT;
    yield [at, first, first + 2 ** FLOAT_SHIFT - 1];
  }
}

/** Bits of the first float that is not below a positive value. */
function bitsFrom(value: number): number {
  float[0] = value;
  return float[0] < value ? bits[0]! + 1 : bits[0]!;
}

/** A size's highest bit and the 4 bits after it number its part. */
export const SIZE_BITS = 4;
const SIZE_PARTS = 33 << SIZE_BITS;
const MOST_SIZE = 2 ** 31 - 1;

/** By sizes as they are: the part is that of `sizePart`. */
export function sizeTable(codes: QuantityCodes, stride: number): CodeTable | undefined {
  const limits = codes.thresholds.map((limit) => Math.max(1, Math.ceil(limit)) - 1);
  if (limits.some((limit) => limit > MOST_SIZE)) return undefined;
  const sorted = [...new Set(limits)].sort((a, b) => a - b);
  const codeOf = (value: number): number =>
    value === 0 ? 0 : codes.of(value < 0 ? MOST_SIZE + 1 : value) * stride;
  return createTable(sizeParts(), SIZE_PARTS, sorted, codeOf);
}

function* sizeParts(): Generator<Part> {
  for (let at = 0; at < SIZE_PARTS; at++) {
    const first = firstSize(at);
    // Larger ones would be negative as 32-bit numbers, but there is no limit among them.
    if (first > MOST_SIZE) yield [at, -1, -1];
    else yield [at, first, Math.max(first, firstSize(at + 1) - 1)];
  }
}

function firstSize(part: number): number {
  const octave = part >>> SIZE_BITS;
  const steps = 2 ** SIZE_BITS;
  return octave === 0 ? 0 : Math.ceil((2 ** (octave - 1) * (steps + (part % steps))) / steps);
}
