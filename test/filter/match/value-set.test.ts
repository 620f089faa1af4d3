import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { term } from '../../../src/filter/filter.ts';
import type { Term } from '../../../src/filter/filter.ts';
import { ValueMarker } from '../../../src/filter/match/value-marker.ts';
import {
  complement,
  isMember,
  joinSets,
  judgeRange,
  nextAbove,
  valuesMeeting,
} from '../../../src/filter/match/value-set.ts';
import type { ValueSet } from '../../../src/filter/match/value-set.ts';
import { Verdict } from '../../../src/filter/verdict.ts';

/** Comparisons of one quantity in any combination, and what they mean for one value. */
interface Question {
  readonly set: ValueSet;
  readonly limits: readonly number[];
  readonly passes: (value: number) => boolean;
}

const anyLimit = fc.oneof(
  fc.constantFrom(0, 1, 511, 512, 4096, 1e6, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40),
  fc.integer({ min: 0, max: 5000 }),
  fc.maxSafeNat(),
);

const anyComparison: fc.Arbitrary<Question> = fc
  .tuple(
    fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
    fc.array(anyLimit, { minLength: 1, maxLength: 12 }),
  )
  .map(([operator, limits]) => {
    const asked = term('lat', operator, ...limits);
    return { set: valuesMeeting(asked), limits, passes: (value) => meets(asked, value) };
  });

function meets({ operator, values }: Term, value: number): boolean {
  const limit = Number(values[0]);
  if (operator === '=') return values.includes(value);
  if (operator === '!=') return !values.includes(value);
  if (operator === '<') return value < limit;
  if (operator === '<=') return value <= limit;
  return operator === '>' ? value > limit : value >= limit;
}

const { question } = fc.letrec<{ question: Question }>((tie) => ({
  question: fc.oneof(
    { depthSize: 'small' },
    anyComparison,
    tie('question').map(({ set, limits, passes }) => ({
      set: complement(set),
      limits,
      passes: (value: number) => !passes(value),
    })),
    fc
      .tuple(fc.constantFrom('and', 'or'), tie('question'), tie('question'))
      .map(([kind, a, b]) => ({
        set: joinSets(kind, a.set, b.set),
        limits: [...a.limits, ...b.limits],
        passes: (value: number) =>
          kind === 'and' ? a.passes(value) && b.passes(value) : a.passes(value) || b.passes(value),
      })),
  ),
}));

/** Every limit, what lies next to it, and what is rare or not a number. */
function valuesAt(limits: readonly number[]): number[] {
  const near = limits.flatMap((limit) => [limit, nextAbove(limit), limit - 1, limit / 512]);
  return [...near, 0, -0, -1, NaN, Infinity, -Infinity, 1e-40, 3e38, 4095, 4096.5];
}

describe('a set of values', () => {
  it('a value set contains what meets the comparisons it was made from', () => {
    fc.assert(
      fc.property(question, ({ set, limits, passes }) => {
        for (const value of valuesAt(limits))
          expect([value, isMember(set, value)]).toEqual([value, passes(value)]);
      }),
    );
  });

  it('a value set marks many values at once as it does one by one', () => {
    fc.assert(
      fc.property(question, ({ set, limits, passes }) => {
        const values = Float64Array.from(valuesAt(limits));
        const verdicts = new Uint8Array(values.length + 1).fill(7);
        new ValueMarker(set).mark(values, values.length, verdicts);
        const wanted = Array.from(values, (value) => (passes(value) ? Verdict.yes : Verdict.no));
        expect([...verdicts]).toEqual([...wanted, 7]);
      }),
    );
  });

  it('a value set answers yes or no for a range where all values in it agree', () => {
    const anyRange = fc.record({ a: anyLimit, b: anyLimit, someLackIt: fc.boolean() });
    fc.assert(
      fc.property(question, anyRange, ({ set, limits, passes }, { a, b, someLackIt }) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const values = [low, ...valuesAt(limits)].filter((value) => value >= low && value < high);
        if (someLackIt || low === high) values.push(NaN);
        const answers = new Set(values.map(passes));
        const wanted =
          answers.size === 2 ? Verdict.maybe : answers.has(true) ? Verdict.yes : Verdict.no;
        expect(judgeRange(set, { low, high, someLackIt })).toBe(wanted);
      }),
    );
  });

  it('a value set answers maybe for unknown values, unless it contains everything or nothing', () => {
    const below = valuesMeeting(term('lat', '<', 5));
    expect(judgeRange(below, undefined)).toBe(Verdict.maybe);
    expect(judgeRange(joinSets('or', below, complement(below)), undefined)).toBe(Verdict.yes);
    expect(judgeRange(joinSets('and', below, complement(below)), undefined)).toBe(Verdict.no);
  });
});
