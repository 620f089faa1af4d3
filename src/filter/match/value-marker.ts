import { Verdict } from '../verdict.ts';
import type { ValueSet } from './value-set.ts';

/** Above this many flips, halving finds the last one that a value has reached sooner than comparing. */
const MOST_COMPARED = 16;

/**
 * Writes for many values whether they are in a set. Most of the time of a filter is spent here, so no
 * loop has a branch that depends on a value: none could be predicted.
 */
export class ValueMarker {
  private readonly missing: Verdict;
  private readonly isCompared: boolean;
  /** Padded with NaN, which no value reaches, to an even number or to one less than a power of 2. */
  private readonly flips: Float64Array;

  constructor({ hasMissing, flips }: ValueSet) {
    const { length } = flips;
    this.missing = hasMissing ? Verdict.yes : Verdict.no;
    this.isCompared = length <= MOST_COMPARED;
    const padded = this.isCompared
      ? length + (length % 2)
      : 2 ** Math.ceil(Math.log2(length + 1)) - 1;
    this.flips = new Float64Array(padded).fill(NaN);
    this.flips.set(flips);
  }

  mark(values: Float64Array, count: number, verdicts: Uint8Array): void {
    verdicts.fill(this.missing, 0, count);
    if (this.isCompared) this.compare(values, count, verdicts);
    else this.bisect(values, count, verdicts);
  }

  private compare(values: Float64Array, count: number, verdicts: Uint8Array): void {
    const { flips } = this;
    for (let i = 0; i < flips.length; i += 4) {
      if (i + 2 < flips.length) flipAtFour(values, count, verdicts, flips.subarray(i, i + 4));
      else flipAtTwo(values, count, verdicts, flips.subarray(i, i + 2));
    }
  }

  private bisect(values: Float64Array, count: number, verdicts: Uint8Array): void {
    const { flips } = this;
    const half = (flips.length + 1) / 2;
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      let reached = 0;
      for (let step = half; step > 0; step >>= 1)
        reached += Number(value >= flips[reached + step - 1]!) * step;
      verdicts[i]! ^= (reached & 1) * Verdict.yes;
    }
  }
}

type Flip = (values: Float64Array, count: number, verdicts: Uint8Array, at: Float64Array) => void;

const flipAtTwo: Flip = (values, count, verdicts, at) => {
  const a = at[0]!;
  const b = at[1]!;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    verdicts[i]! ^= (Number(value >= a) ^ Number(value >= b)) * Verdict.yes;
  }
};

/** Two more comparisons take half as long as going through the values once more. */
const flipAtFour: Flip = (values, count, verdicts, at) => {
  const a = at[0]!;
  const b = at[1]!;
  const c = at[2]!;
  const d = at[3]!;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    verdicts[i]! ^=
      (Number(value >= a) ^ Number(value >= b) ^ Number(value >= c) ^ Number(value >= d)) *
      Verdict.yes;
  }
};
