import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { Term } from '../filter.ts';
import { quantityOf } from '../fields.ts';
import type { Quantity } from '../fields.ts';
import { opposite, Verdict } from '../verdict.ts';

/** What is known of one quantity of some I/Os. */
export interface KnownRange {
  /** Those that have it lie in [low, high); none has when that is empty. */
  readonly low: number;
  readonly high: number;
  /** Some do not have it: a flush has no size, and not every time is known. */
  readonly someLackIt: boolean;
}

/** Values from `from` on, and below `to` unless that is infinite. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A term that asks about a value of each I/O; what lacks the value meets no comparison but `!=`. */
export interface ValueTest {
  readonly quantity: Quantity;
  /** Disjoint. */
  readonly intervals: readonly Interval[];
  readonly isInverse: boolean;
}

export function valueTest(term: Term): ValueTest | undefined {
  const quantity = quantityOf(term.field);
  if (quantity === undefined) return undefined;
  const scale = term.field === 'sector' ? SECTOR_BYTES : 1;
  const values = [...new Set(term.values)];
  const intervals = values.map((value) => intervalOf(term, Number(value) * scale));
  return { quantity, intervals, isInverse: term.operator === '!=' };
}

function intervalOf({ operator }: Term, value: number): Interval {
  if (operator === '<') return { from: -Infinity, to: value };
  if (operator === '<=') return { from: -Infinity, to: nextAbove(value) };
  if (operator === '>') return { from: nextAbove(value), to: Infinity };
  return { from: value, to: operator === '>=' ? Infinity : nextAbove(value) };
}

/** The next number that a double can hold; `value` is finite and not negative. */
export function nextAbove(value: number): number {
  double[0] = value;
  bits[0]! += 1n;
  return double[0];
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** Whether a value passes; NaN is none. */
export function passesTest({ intervals, isInverse }: ValueTest, value: number): boolean {
  const isInside = intervals.some(
    ({ from, to }) => value >= from && (value < to || to === Infinity),
  );
  return isInside !== isInverse;
}

/** Whether the values of a range pass. */
export function judgeRange(test: ValueTest, range: KnownRange): Verdict {
  const verdict = judgeIntervals(test.intervals, range);
  return test.isInverse ? opposite(verdict) : verdict;
}

function judgeIntervals(intervals: readonly Interval[], range: KnownRange): Verdict {
  const { low, high, someLackIt } = range;
  if (!(low < high)) return Verdict.no;
  if (intervals.every(({ from, to }) => to <= low || from >= high)) return Verdict.no;
  const isInside = !someLackIt && intervals.some(({ from, to }) => from <= low && to >= high);
  return isInside ? Verdict.yes : Verdict.maybe;
}

/** The quantity of a row; NaN where there is none. */
export function valueOf(
  quantity: Quantity,
  { deviceNs, queueNs, bytes, sector }: CompletionColumns,
  row: number,
): number {
  switch (quantity) {
    case 'device':
      return deviceNs[row]!;
    case 'queue':
      return queueNs[row]!;
    case 'total':
      return deviceNs[row]! + queueNs[row]!;
    case 'size':
      return bytes[row]! || NaN;
    case 'offset':
      return sector[row]! * SECTOR_BYTES;
  }
}
