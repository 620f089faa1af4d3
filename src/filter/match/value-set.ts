import type { Term } from '../filter.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { Verdict } from '../verdict.ts';

/**
 * The values of one quantity that match. Any combination of comparisons is such a set, so conditions on the same
 * quantity become one before any row is read.
 */
export interface ValueSet {
  /** Whether I/O without a value matches: a flush has no size, and not every latency is known. */
  readonly hasMissing: boolean;
  /** Ascending. At each of these numbers, membership changes. A missing value counts as below all of them. */
  readonly flips: readonly number[];
}

/** The known range of one quantity of some I/Os. */
export interface KnownRange {
  /** The values that are known to exist are in [low, high); none exists if that is empty. */
  readonly low: number;
  readonly high: number;
  readonly someLackIt: boolean;
}

/** The values that match a term, in ns and bytes. */
export function valuesMeeting({ field, operator, values }: Term): ValueSet {
  const scale = field === 'sector' ? SECTOR_BYTES : 1;
  const numbers = [...new Set(values)].map((value) => Number(value) * scale);
  const { hasMissing, flips } = setOf(operator, numbers);
  // A size of 0 means unknown, so each known size is above it.
  const lowest = field === 'size' ? Number.MIN_VALUE : -Infinity;
  return { hasMissing, flips: flips.map((at) => Math.max(at, lowest)) };
}

/** A missing value matches only `!=`. */
function setOf(operator: Term['operator'], values: readonly number[]): ValueSet {
  const one = values[0]!;
  switch (operator) {
    case '<':
      return { hasMissing: false, flips: [-Infinity, one] };
    case '<=':
      return { hasMissing: false, flips: [-Infinity, nextAbove(one)] };
    case '>':
      return { hasMissing: false, flips: [nextAbove(one)] };
    case '>=':
      return { hasMissing: false, flips: [one] };
    case '!=':
      return complement(setOf('=', values));
    default:
      return {
        hasMissing: false,
        flips: values.toSorted((a, b) => a - b).flatMap((value) => [value, nextAbove(value)]),
      };
  }
}

/** The next representable double; `value` is finite. */
export function nextAbove(value: number): number {
  double[0] = value;
  bits[0]! += value < 0 ? -1n : 1n;
  return double[0];
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

export function complement({ hasMissing, flips }: ValueSet): ValueSet {
  return { hasMissing: !hasMissing, flips };
}

/** The intersection (`and`) or union (`or`) of two sets. */
export function joinSets(kind: 'and' | 'or', a: ValueSet, b: ValueSet): ValueSet {
  const join = (inA: boolean, inB: boolean): boolean => (kind === 'and' ? inA && inB : inA || inB);
  const hasMissing = join(a.hasMissing, b.hasMissing);
  const flips: number[] = [];
  let isInside = hasMissing;
  for (const at of [...new Set([...a.flips, ...b.flips])].sort((x, y) => x - y)) {
    if (join(isMember(a, at), isMember(b, at)) === isInside) continue;
    isInside = !isInside;
    flips.push(at);
  }
  return { hasMissing, flips };
}

/** Whether a value is in the set; NaN means missing. */
export function isMember({ hasMissing, flips }: ValueSet, value: number): boolean {
  let isInside = hasMissing;
  for (const at of flips) if (value >= at) isInside = !isInside;
  return isInside;
}

/** The verdict on I/Os with values in this range; `range` is undefined if nothing is known. */
export function judgeRange(set: ValueSet, range: KnownRange | undefined): Verdict {
  const { hasMissing, flips } = set;
  if (flips.length === 0) return hasMissing ? Verdict.yes : Verdict.no;
  if (range === undefined) return Verdict.maybe;
  const { low, high, someLackIt } = range;
  const someHaveIt = low < high;
  if (someHaveIt && flips.some((at) => at > low && at < high)) return Verdict.maybe;
  const isInside = someHaveIt ? isMember(set, low) : hasMissing;
  if (someLackIt && isInside !== hasMissing) return Verdict.maybe;
  return isInside ? Verdict.yes : Verdict.no;
}
