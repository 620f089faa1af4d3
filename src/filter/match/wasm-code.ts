/*
 * The few parts of WebAssembly that the loops over many values at once are written in: instructions are
 * bytes, as the specification numbers them.
 */

export type Code = readonly number[];

const SIMD = 0xfd;
const I32 = 0x7f;
const V128 = 0x7b;
const NO_RESULT = 0x40;

/** Numbers are written 7 bits at a time, the last ones without the eighth bit. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const isLast = value >= -0x40 && value < 0x40;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

function sized(code: Code): Code {
  return [...unsigned(code.length), ...code];
}

function listed(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function simd(instruction: number): (...operands: readonly Code[]) => Code {
  return (...operands) => [...operands.flat(), SIMD, ...unsigned(instruction)];
}

/** Reads at an address and so many bytes after it; nothing is said of how it is aligned. */
function simdLoad(instruction: number): (address: Code, offset: number) => Code {
  return (address, offset) => [...simd(instruction)(address), 0, ...unsigned(offset)];
}

export const local = {
  get: (index: number): Code => [0x20, ...unsigned(index)],
  set: (index: number, value: Code): Code => [...value, 0x21, ...unsigned(index)],
};

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  shiftLeft: (a: Code, b: Code): Code => [...a, ...b, 0x74],
  isBelow: (a: Code, b: Code): Code => [...a, ...b, 0x49],
};

export const v128 = {
  load: simdLoad(0x00),
  /** All lanes are alike. */
  load32Splat: simdLoad(0x09),
  load64Splat: simdLoad(0x0a),
  /** The lower half; the upper one is 0. */
  load64Zero: simdLoad(0x5d),
  store: (address: Code, value: Code, offset: number): Code => [
    ...simd(0x0b)(address, value),
    0,
    ...unsigned(offset),
  ],
  and: simd(0x4e),
  add32: simd(0xae),
  add64Floats: simd(0xf0),
  isAtLeast32Floats: simd(0x46),
  isAtLeast32Unsigned: simd(0x40),
  isAtLeast64Floats: simd(0x4c),
  /** The lower two floats as doubles. */
  promote: simd(0x5f),
  /** The lower halves of the lanes of 64 bits of `a` and `b`. */
  narrow: (a: Code, b: Code): Code => [
    ...simd(0x0d)(a, b),
    ...[0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27],
  ],
};

/** Runs `body`, and again as long as `condition` holds then. */
export function repeatWhile(condition: Code, body: Code): Code {
  return [0x03, NO_RESULT, ...body, ...condition, 0x0d, 0, 0x0b];
}

/** What takes so many whole numbers, and has so many locals of its own: numbers, then vectors. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  readonly numbers: number;
  readonly vectors: number;
  readonly body: Code;
}

function nameOf(text: string): Code {
  return sized([...Buffer.from(text)]);
}

/** A module that exports the functions, and its `memory` of so many pages of 64 KiB. */
export function moduleOf(
  functions: readonly WasmFunction[],
  pages: number,
): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }): Code => [
    0x60,
    ...listed(Array<Code>(parameters).fill([I32])),
    0,
  ]);
  const exported = functions.map(({ name }, i): Code => [...nameOf(name), 0, ...unsigned(i)]);
  const bodies = functions.map(({ numbers, vectors, body }) =>
    sized([2, ...unsigned(numbers), I32, ...unsigned(vectors), V128, ...body, 0x0b]),
  );
  const section = (id: number, content: Code): Code => [id, ...sized(content)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, listed(types)),
    ...section(3, listed(functions.map((_, i) => unsigned(i)))),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, listed([[...nameOf('memory'), 2, 0], ...exported])),
    ...section(10, listed(bodies)),
  ]);
}
