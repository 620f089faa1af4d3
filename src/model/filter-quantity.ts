import type { CompletionColumns } from './completion-columns.ts';
import type { Term } from './filter.ts';
import { quantityOf } from './filter-fields.ts';
import type { Quantity } from './filter-fields.ts';
import { opposite, Verdict } from './verdict.ts';

export const SECTOR_BYTES = 512;

/** What is known of one quantity of some I/Os. */
export interface KnownRange {
  /** Those that have it lie in [low, high); none has when that is empty. */
  readonly low: number;
  readonly high: number;
  /** Some do not have it: a flush has no size, and not every time is known. */
  readonly someLackIt: boolean;
}

/** Values in [from, to). */
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

/** Whether the values of a range pass. */
export function judgeRange(test: ValueTest, range: KnownRange): Verdict {
  const verdict = judgeIntervals(test.intervals, range);
  return test.isInverse ? opposite(verdict) : verdict;
}

function judgeIntervals(intervals: readonly Interval[], range: KnownRange): Verdict {
  const { low, high, someLackIt } = range;
  if (!(low < high)) return Verdict.none;
  if (intervals.every(({ from, to }) => to <= low || from >= high)) return Verdict.none;
  const isInside = !someLackIt && intervals.some(({ from, to }) => from <= low && to >= high);
  return isInside ? Verdict.all : Verdict.unknown;
}

/** The verdict on one row. */
export function judgeRow(
  { quantity, intervals, isInverse }: ValueTest,
  rows: CompletionColumns,
  row: number,
): number {
  const value = valueOf(quantity, rows, row);
  let isInside = false;
  for (const { from, to } of intervals) if (value >= from && value < to) isInside = true;
  return isInside === isInverse ? Verdict.none : Verdict.all;
}

function valueOf(
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

/** Writes the verdicts on rows [first, first + verdicts.length). */
export function judgeRows(
  { quantity, intervals, isInverse }: ValueTest,
  rows: CompletionColumns,
  first: number,
  verdicts: Uint8Array,
): void {
  const [interval, ...others] = intervals;
  if (interval === undefined) verdicts.fill(Verdict.none);
  else if (others.length === 0) {
    testColumn(quantity, rows, first, interval, isInverse ? Verdict.all : 0, verdicts);
    return;
  } else {
    const values = valuesOf(quantity, rows, first, verdicts.length);
    testValues(values, 0, interval, 0, verdicts);
    for (const other of others) flipInside(values, other, verdicts);
  }
  if (isInverse) for (let i = 0; i < verdicts.length; i++) verdicts[i]! ^= Verdict.all;
}

/** Tests values where they stand, which spares a copy. */
function testColumn(
  quantity: Quantity,
  rows: CompletionColumns,
  first: number,
  interval: Interval,
  flip: number,
  verdicts: Uint8Array,
): void {
  if (quantity === 'device') testFloats(rows.deviceNs, first, interval, flip, verdicts);
  else if (quantity === 'queue') testFloats(rows.queueNs, first, interval, flip, verdicts);
  else if (quantity === 'total') testSums(rows, first, interval, flip, verdicts);
  else {
    const values = valuesOf(quantity, rows, first, verdicts.length);
    testValues(values, 0, interval, flip, verdicts);
  }
}

/*
 * Each kind of array has a loop of its own, as one loop for several kinds is compiled for none. Without
 * a branch, as whether a value passes cannot be foreseen: that is twice as fast.
 */

function testFloats(
  values: Float32Array,
  first: number,
  { from, to }: Interval,
  flip: number,
  verdicts: Uint8Array,
): void {
  for (let i = 0; i < verdicts.length; i++) {
    const value = values[first + i]!;
    verdicts[i] = (-(Number(value >= from) & Number(value < to)) & Verdict.all) ^ flip;
  }
}

function testSums(
  { deviceNs, queueNs }: CompletionColumns,
  first: number,
  { from, to }: Interval,
  flip: number,
  verdicts: Uint8Array,
): void {
  for (let i = 0; i < verdicts.length; i++) {
    const value = deviceNs[first + i]! + queueNs[first + i]!;
    verdicts[i] = (-(Number(value >= from) & Number(value < to)) & Verdict.all) ^ flip;
  }
}

function testValues(
  values: Float64Array,
  first: number,
  { from, to }: Interval,
  flip: number,
  verdicts: Uint8Array,
): void {
  for (let i = 0; i < verdicts.length; i++) {
    const value = values[first + i]!;
    verdicts[i] = (-(Number(value >= from) & Number(value < to)) & Verdict.all) ^ flip;
  }
}

/** Turns the verdicts on values in the interval round. */
function flipInside(values: Float64Array, { from, to }: Interval, verdicts: Uint8Array): void {
  for (let i = 0; i < verdicts.length; i++) {
    const value = values[i]!;
    verdicts[i]! ^= -(Number(value >= from) & Number(value < to)) & Verdict.all;
  }
}

let scratch = new Float64Array(4096);

/** The quantity of rows from `first` on; NaN where there is none. Reused by the next call. */
function valuesOf(
  quantity: Quantity,
  rows: CompletionColumns,
  first: number,
  length: number,
): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(length);
  const { deviceNs, queueNs, bytes, sector } = rows;
  const values = scratch;
  switch (quantity) {
    case 'device':
      for (let i = 0; i < length; i++) values[i] = deviceNs[first + i]!;
      break;
    case 'queue':
      for (let i = 0; i < length; i++) values[i] = queueNs[first + i]!;
      break;
    case 'total':
      for (let i = 0; i < length; i++) values[i] = deviceNs[first + i]! + queueNs[first + i]!;
      break;
    case 'size':
      for (let i = 0; i < length; i++) values[i] = bytes[first + i]! || NaN;
      break;
    case 'offset':
      for (let i = 0; i < length; i++) values[i] = sector[first + i]! * SECTOR_BYTES;
      break;
  }
  return values;
}
