import { FLOAT_SHIFT, floatTable, SIZE_BITS, sizeTable } from './code-table.ts';
import type { CodeTable } from './code-table.ts';
import type { CompletionColumns } from './completion-columns.ts';
import type { QuantityCodes } from './filter-codes.ts';
import { SECTOR_BYTES, valueOf } from './filter-quantity.ts';

/** Adds the codes of `count` rows from `from` on to their places, the first at index 0. */
export type AddCodes = (
  rows: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
) => void;

/** A loop that adds the codes of a quantity, times `stride`. */
export function addingLoop(codes: QuantityCodes, stride: number): AddCodes {
  return tableLoop(codes, stride) ?? shortLoop(codes, stride) ?? longLoop(codes, stride);
}

/*
 * Each kind of array has a loop of its own, as one loop for several kinds is compiled for none. They
 * have no branch, as whether a value passes cannot be foreseen.
 */

function tableLoop(codes: QuantityCodes, stride: number): AddCodes | undefined {
  const { quantity } = codes;
  if (quantity === 'size') {
    const table = sizeTable(codes, stride);
    return (
      table &&
      ((rows, from, count, places) => {
        addSizes(rows.bytes, from, count, places, table);
      })
    );
  }
  if (quantity !== 'device' && quantity !== 'queue') return undefined;
  const table = floatTable(codes, stride);
  return (
    table &&
    ((rows, from, count, places) => {
      const { buffer, byteOffset } = quantity === 'device' ? rows.deviceNs : rows.queueNs;
      addFloats(new Int32Array(buffer, byteOffset + 4 * from, count), places, table);
    })
  );
}

function addFloats(
  bits: Int32Array,
  places: Int32Array,
  { codes, firstLimit, secondLimit }: CodeTable,
): void {
  for (let i = 0; i < bits.length; i++) {
    const value = bits[i]!;
    const part = value >>> FLOAT_SHIFT;
    const above = ((firstLimit[part]! - value) >>> 31) + ((secondLimit[part]! - value) >>> 31);
    places[i]! += codes[3 * part + above]!;
  }
}

function addSizes(
  bytes: Uint32Array,
  from: number,
  count: number,
  places: Int32Array,
  { codes, firstLimit, secondLimit }: CodeTable,
): void {
  for (let i = 0; i < count; i++) {
    const value = bytes[from + i]!;
    const zeros = Math.clz32(value);
    const part = ((32 - zeros) << SIZE_BITS) | ((value << (zeros + 1)) >>> (32 - SIZE_BITS));
    const above = ((firstLimit[part]! - value) >>> 31) + ((secondLimit[part]! - value) >>> 31);
    places[i]! += codes[3 * part + above]!;
  }
}

/** What is added to the place of each row whose value is at least `at`. */
interface Step {
  readonly at: number;
  readonly step: number;
}

/** Which no value reaches. */
const NO_STEP: Step = { at: NaN, step: 0 };

function stepsOf({ thresholds, steps }: QuantityCodes, stride: number, unit = 1): Step[] {
  return thresholds.map((limit, i) => ({ at: limit / unit, step: steps[i]! * stride }));
}

/** For two steps at most. */
function shortLoop(codes: QuantityCodes, stride: number): AddCodes | undefined {
  const { quantity, thresholds } = codes;
  if (thresholds.length > 2) return undefined;
  // To divide by a power of two is exact.
  const unit = quantity === 'offset' ? SECTOR_BYTES : 1;
  const [a = NO_STEP, b = NO_STEP] = stepsOf(codes, stride, unit);
  if (quantity === 'total')
    return (rows, from, count, places) => {
      addSums(rows, from, count, places, a, b);
    };
  if (quantity !== 'offset') return undefined;
  return (rows, from, count, places) => {
    addSectors(rows.sector, from, count, places, a, b);
  };
}

function addSums(
  { deviceNs, queueNs }: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  { at: atA, step: stepA }: Step,
  { at: atB, step: stepB }: Step,
): void {
  for (let i = 0; i < count; i++) {
    const value = deviceNs[from + i]! + queueNs[from + i]!;
    places[i]! += (-Number(value >= atA) & stepA) + (-Number(value >= atB) & stepB);
  }
}

function addSectors(
  sector: Float64Array,
  from: number,
  count: number,
  places: Int32Array,
  { at: atA, step: stepA }: Step,
  { at: atB, step: stepB }: Step,
): void {
  for (let i = 0; i < count; i++) {
    const value = sector[from + i]!;
    places[i]! += (-Number(value >= atA) & stepA) + (-Number(value >= atB) & stepB);
  }
}

let values = new Float64Array(4096);

/** For any number of steps, four at a time. */
function longLoop(codes: QuantityCodes, stride: number): AddCodes {
  const { quantity } = codes;
  const steps = stepsOf(codes, stride);
  return (rows, from, count, places) => {
    if (values.length < count) values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = valueOf(quantity, rows, from + i);
    for (let first = 0; first < steps.length; first += 4)
      addValues(count, places, steps.slice(first, first + 4));
  };
}

function addValues(
  count: number,
  places: Int32Array,
  [a = NO_STEP, b = NO_STEP, c = NO_STEP, d = NO_STEP]: readonly Step[],
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  const { at: atC, step: stepC } = c;
  const { at: atD, step: stepD } = d;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    places[i]! +=
      (-Number(value >= atA) & stepA) +
      (-Number(value >= atB) & stepB) +
      (-Number(value >= atC) & stepC) +
      (-Number(value >= atD) & stepD);
  }
}
