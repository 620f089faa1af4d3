import { Verdict } from '../verdict.ts';
import type { ValueSet } from './value-set.ts';

/** Up to this many flips are compared one by one; more use binary search. */
const FEW = 4;

/**
 * Marks which of many values are in a set. A filter spends most of its time here, so no loop has a branch that
 * depends on a value: it could not be predicted.
 */
export class ValueMarker {
  private readonly missing: number;
  /** Padded with NaN, which no value reaches, to `FEW` or to a power of 2 minus 1. */
  private readonly flips: Float64Array;

  constructor({ hasMissing, flips }: ValueSet) {
    this.missing = Number(hasMissing);
    const padded = flips.length <= FEW ? FEW : 2 ** Math.ceil(Math.log2(flips.length + 1)) - 1;
    this.flips = new Float64Array(padded).fill(NaN);
    this.flips.set(flips);
  }

  mark(values: Float64Array, count: number, verdicts: Uint8Array): void {
    const { flips, missing } = this;
    if (flips.length > FEW) bisect(values, count, verdicts, missing, flips);
    else if (Number.isNaN(flips[2])) compareTwo(values, count, verdicts, missing, flips);
    else compareFour(values, count, verdicts, missing, flips);
  }
}

type Mark = (
  values: Float64Array,
  count: number,
  verdicts: Uint8Array,
  missing: number,
  flips: Float64Array,
) => void;

const compareTwo: Mark = (values, count, verdicts, missing, flips) => {
  const a = flips[0]!;
  const b = flips[1]!;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    verdicts[i] = (missing ^ Number(value >= a) ^ Number(value >= b)) * Verdict.yes;
  }
};

const compareFour: Mark = (values, count, verdicts, missing, flips) => {
  const a = flips[0]!;
  const b = flips[1]!;
  const c = flips[2]!;
  const d = flips[3]!;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const flipped =
      Number(value >= a) ^ Number(value >= b) ^ Number(value >= c) ^ Number(value >= d);
    verdicts[i] = (missing ^ flipped) * Verdict.yes;
  }
};

const bisect: Mark = (values, count, verdicts, missing, flips) => {
  const half = (flips.length + 1) / 2;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    let reached = 0;
    for (let step = half; step > 0; step >>= 1)
      reached += Number(value >= flips[reached + step - 1]!) * step;
    verdicts[i] = (missing ^ (reached & 1)) * Verdict.yes;
  }
};
