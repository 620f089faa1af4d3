import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { QuantityCodes } from '../../../src/filter/match/codes.ts';
import type { Quantity } from '../../../src/filter/fields.ts';
import { addingLoop } from '../../../src/filter/match/loops.ts';
import { nextAbove } from '../../../src/filter/match/quantity.ts';
import type { ValueTest } from '../../../src/filter/match/quantity.ts';
import { MOST_STEPS, VECTOR_ROWS, vectorSteps } from '../../../src/filter/match/vector-steps.ts';
import type { VectorSteps } from '../../../src/filter/match/vector-steps.ts';

const QUANTITIES: readonly Quantity[] = ['device', 'queue', 'total', 'size', 'offset'];
const STRIDE = 7;

/** Values at which something may go wrong, and others. */
const anyLimit = fc.oneof(
  fc.constantFrom(0, 1, 511, 512, 4096, 1e6, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40),
  fc.integer({ min: 0, max: 5000 }),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
);
const anyInterval = fc.oneof(
  anyLimit.map((from) => ({ from, to: nextAbove(from) })),
  anyLimit.map((from) => ({ from: nextAbove(from), to: Infinity })),
  anyLimit.map((to) => ({ from: -Infinity, to })),
);

function anyTests(most: number): fc.Arbitrary<ValueTest[]> {
  const intervals = fc.array(anyInterval, { minLength: 1, maxLength: 3 });
  const test = fc.record({ intervals, isInverse: fc.boolean() });
  return fc
    .tuple(fc.constantFrom(...QUANTITIES), fc.array(test, { minLength: 1, maxLength: most }))
    .map(([quantity, tests]) => tests.map((one) => ({ quantity, ...one })));
}

/** Every limit, what lies next to it, and what is no value. */
function rowsAt(tests: readonly ValueTest[]): CompletionColumns {
  const limits = tests.flatMap(({ intervals }) => intervals.flatMap(({ from, to }) => [from, to]));
  const near = limits.flatMap((limit) => [limit, nextFloat(limit), limit / 512, limit - 1]);
  const values = [...near, 0, -0, NaN, Infinity, 1e-40, 3e38, 4095, 4096.5];
  const rows = createColumns(values.length * 2);
  rows.length = values.length * 2;
  for (let row = 0; row < rows.length; row++) {
    const value = values[row >> 1]!;
    const isWhole = Number.isInteger(value) && value >= 0 && value < 2 ** 32;
    rows.deviceNs[row] = value;
    rows.queueNs[row] = row % 2 === 0 ? 0 : value;
    rows.bytes[row] = isWhole ? value : 0;
    rows.sector[row] = value;
  }
  return rows;
}

function nextFloat(value: number): number {
  return Math.fround(value * (1 + 2 ** -23));
}

/** The codes of rows [from, from + count), as a loop adds them to 1. */
function codesBy(
  vectors: VectorSteps | undefined,
  codes: QuantityCodes,
  rows: CompletionColumns,
  from: number,
  count: number,
): number[] {
  const places = vectors?.places ?? new Int32Array(VECTOR_ROWS);
  places.fill(1);
  addingLoop(codes, STRIDE, vectors)(rows, from, count, places);
  return [...places.subarray(0, count)].map((place) => (place - 1) / STRIDE);
}

function expectSame(tests: readonly ValueTest[], vectors: VectorSteps | undefined): void {
  const codes = new QuantityCodes(tests);
  const rows = rowsAt(tests);
  for (const from of [0, 3]) {
    const count = Math.min(VECTOR_ROWS, rows.length - from);
    const expected = Array.from({ length: count }, (_, i) => codes.ofRow(rows, from + i));
    expect(codesBy(vectors, codes, rows, from, count)).toEqual(expected);
  }
}

describe('addingLoop', () => {
  it('finds the code of every row by vectors', () => {
    fc.assert(
      fc.property(anyTests(3), (tests) => {
        expectSame(tests, vectorSteps());
      }),
    );
  });

  it('finds the same codes where there are no vectors', () => {
    fc.assert(
      fc.property(anyTests(3), (tests) => {
        expectSame(tests, undefined);
      }),
    );
  });

  it('finds the codes of more limits than are compared by vectors', () => {
    for (const quantity of QUANTITIES) {
      const intervals = Array.from({ length: MOST_STEPS }, (_, i) => {
        const from = 4096 * (i + 1);
        return { from, to: nextAbove(from) };
      });
      expectSame([{ quantity, intervals, isInverse: false }], vectorSteps());
    }
  });

  it('has vectors on this machine, or the tests above say nothing of them', () => {
    expect(vectorSteps()).toBeDefined();
  });
});
