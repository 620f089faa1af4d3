import { FLOAT_SHIFT, floatTable, SIZE_BITS, sizeTable } from './code-table.ts';
import type { CodeTable } from './code-table.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { QuantityCodes } from './codes.ts';
import type { Quantity } from '../fields.ts';
import { valueOf } from './quantity.ts';
import { stepsOf } from './vector-steps.ts';
import type { VectorSteps } from './vector-steps.ts';

/** Adds the codes of `count` rows from `from` on to their places, the first at index 0. */
export type AddCodes = (
  rows: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
) => void;

/**
 * A loop that adds the codes of a quantity, times `stride`. Where there are `vectors`, their places are
 * those that it has to be given.
 */
export function addingLoop(
  codes: QuantityCodes,
  stride: number,
  vectors: VectorSteps | undefined,
): AddCodes {
  return vectorLoop(codes, stride, vectors) ?? tableLoop(codes, stride) ?? stepLoops(codes, stride);
}

function vectorLoop(
  codes: QuantityCodes,
  stride: number,
  vectors: VectorSteps | undefined,
): AddCodes | undefined {
  const steps = stepsOf(codes, stride);
  if (vectors === undefined || steps === undefined || steps.length === 0) return undefined;
  return (rows, from, count) => {
    vectors.add(codes.quantity, steps, rows, from, count);
  };
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

type Steps = readonly [Step, Step, Step, Step];

type StepLoop = (
  rows: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  steps: Steps,
) => void;

/** For any number of steps, four at a time: for more than vectors take, and where there are none. */
function stepLoops({ quantity, thresholds, steps }: QuantityCodes, stride: number): AddCodes {
  const left = thresholds.map((at, i) => ({ at, step: steps[i]! * stride }));
  const add = stepLoop(quantity);
  const loops: AddCodes[] = [];
  while (left.length > 0) {
    const [a = NO_STEP, b = NO_STEP, c = NO_STEP, d = NO_STEP] = left.splice(0, 4);
    const some: Steps = [a, b, c, d];
    loops.push((rows, from, count, places) => {
      add(rows, from, count, places, some);
    });
  }
  return (rows, from, count, places) => {
    for (const add of loops) add(rows, from, count, places);
  };
}

function stepLoop(quantity: Quantity): StepLoop {
  if (quantity === 'total') return addSums;
  if (quantity === 'offset') return addOffsets;
  return (rows, from, count, places, all) => {
    addSteps(quantity, rows, from, count, places, all);
  };
}

function addSums(
  { deviceNs, queueNs }: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  [a, b, c, d]: Steps,
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  const { at: atC, step: stepC } = c;
  const { at: atD, step: stepD } = d;
  for (let i = 0; i < count; i++) {
    const value = deviceNs[from + i]! + queueNs[from + i]!;
    places[i]! +=
      (-Number(value >= atA) & stepA) +
      (-Number(value >= atB) & stepB) +
      (-Number(value >= atC) & stepC) +
      (-Number(value >= atD) & stepD);
  }
}

function addOffsets(
  { sector }: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  [a, b, c, d]: Steps,
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  const { at: atC, step: stepC } = c;
  const { at: atD, step: stepD } = d;
  for (let i = 0; i < count; i++) {
    const value = sector[from + i]! * SECTOR_BYTES;
    places[i]! +=
      (-Number(value >= atA) & stepA) +
      (-Number(value >= atB) & stepB) +
      (-Number(value >= atC) & stepC) +
      (-Number(value >= atD) & stepD);
  }
}

/** For the few that have no table, because they ask for values that lie too close together. */
function addSteps(
  quantity: Quantity,
  rows: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  all: Steps,
): void {
  for (let i = 0; i < count; i++) {
    const value = valueOf(quantity, rows, from + i);
    for (const { at, step } of all) places[i]! += -Number(value >= at) & step;
  }
}
