import type { CompletionColumns } from './completion-columns.ts';
import type { QuantityCodes } from './filter-codes.ts';
import type { Quantity } from './filter-fields.ts';
import { SECTOR_BYTES } from './filter-quantity.ts';

/** Adds to the places of `count` rows from `from` on, the first at index 0. */
export type AddSteps = (
  rows: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
) => void;

/** What is added to the place of each row whose value is at least `at`. */
interface Step {
  readonly at: number;
  readonly step: number;
}

type Steps = readonly [Step, Step, Step, Step];

/** Which no value reaches. */
const NO_STEP: Step = { at: NaN, step: 0 };

/** The loops that add the codes of each quantity, times its stride, to the places of rows. */
export function planSteps(
  codes: readonly QuantityCodes[],
  strides: readonly number[],
): readonly AddSteps[] {
  const left = new Map(codes.map((one, i) => [one.quantity, stepsOf(one, strides[i]!)]));
  const plan: AddSteps[] = [];
  const times = [left.get('device') ?? [], left.get('queue') ?? [], left.get('total') ?? []];
  if (times.filter((steps) => steps.length > 0).length > 1)
    plan.push(timesLoop(times.flatMap((steps) => padded(steps.splice(0, 2)).slice(0, 2))));
  for (const [quantity, steps] of left)
    while (steps.length > 0) plan.push(columnLoop(quantity, steps.splice(0, 4)));
  return plan;
}

function stepsOf({ quantity, thresholds, steps }: QuantityCodes, stride: number): Step[] {
  return thresholds.map((limit, i) => ({ at: inColumn(quantity, limit), step: steps[i]! * stride }));
}

/** A limit in the unit of its column: to divide by a power of two is exact, and 0 bytes are no size. */
function inColumn(quantity: Quantity, limit: number): number {
  if (quantity === 'offset') return limit / SECTOR_BYTES;
  return quantity === 'size' ? Math.max(1, limit) : limit;
}

function padded(steps: readonly Step[]): Steps {
  const [a = NO_STEP, b = NO_STEP, c = NO_STEP, d = NO_STEP] = steps;
  return [a, b, c, d];
}

function columnLoop(quantity: Quantity, steps: readonly Step[]): AddSteps {
  const [two, four] = LOOPS[quantity];
  const loop = steps.length > 2 ? four : two;
  const all = padded(steps);
  return (rows, from, count, places) => {
    loop(rows, from, count, places, all);
  };
}

type Loop = (
  rows: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  steps: Steps,
) => void;

/** For two steps at most, and for four. */
const LOOPS: Readonly<Record<Quantity, readonly [Loop, Loop]>> = {
  device: [
    ({ deviceNs }, from, count, places, steps) => {
      addTwoFloats(deviceNs, from, count, places, steps);
    },
    ({ deviceNs }, from, count, places, steps) => {
      addFourFloats(deviceNs, from, count, places, steps);
    },
  ],
  queue: [
    ({ queueNs }, from, count, places, steps) => {
      addTwoFloats(queueNs, from, count, places, steps);
    },
    ({ queueNs }, from, count, places, steps) => {
      addFourFloats(queueNs, from, count, places, steps);
    },
  ],
  total: [addTwoSums, addFourSums],
  size: [addTwoSizes, addFourSizes],
  offset: [addTwoSectors, addFourSectors],
};

/*
 * Each kind of array has loops of its own, as one loop for several kinds is compiled for none. They
 * have no branch, as whether a value passes cannot be foreseen, and take all limits they can at once:
 * a loop costs more than a comparison.
 */

function addTwoFloats(
  values: Float32Array,
  from: number,
  count: number,
  places: Int32Array,
  [a, b]: Steps,
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  for (let i = 0; i < count; i++) {
    const value = values[from + i]!;
    places[i]! += (-Number(value >= atA) & stepA) + (-Number(value >= atB) & stepB);
  }
}

function addFourFloats(
  values: Float32Array,
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
    const value = values[from + i]!;
    places[i]! +=
      (-Number(value >= atA) & stepA) +
      (-Number(value >= atB) & stepB) +
      (-Number(value >= atC) & stepC) +
      (-Number(value >= atD) & stepD);
  }
}

function addTwoSums(
  { deviceNs, queueNs }: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  [a, b]: Steps,
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  for (let i = 0; i < count; i++) {
    const value = deviceNs[from + i]! + queueNs[from + i]!;
    places[i]! += (-Number(value >= atA) & stepA) + (-Number(value >= atB) & stepB);
  }
}

function addFourSums(
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

function addTwoSizes(
  { bytes }: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  [a, b]: Steps,
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  for (let i = 0; i < count; i++) {
    const value = bytes[from + i]!;
    places[i]! += (-Number(value >= atA) & stepA) + (-Number(value >= atB) & stepB);
  }
}

function addFourSizes(
  { bytes }: CompletionColumns,
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
    const value = bytes[from + i]!;
    places[i]! +=
      (-Number(value >= atA) & stepA) +
      (-Number(value >= atB) & stepB) +
      (-Number(value >= atC) & stepC) +
      (-Number(value >= atD) & stepD);
  }
}

function addTwoSectors(
  { sector }: CompletionColumns,
  from: number,
  count: number,
  places: Int32Array,
  [a, b]: Steps,
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  for (let i = 0; i < count; i++) {
    const value = sector[from + i]!;
    places[i]! += (-Number(value >= atA) & stepA) + (-Number(value >= atB) & stepB);
  }
}

function addFourSectors(
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
    const value = sector[from + i]!;
    places[i]! +=
      (-Number(value >= atA) & stepA) +
      (-Number(value >= atB) & stepB) +
      (-Number(value >= atC) & stepC) +
      (-Number(value >= atD) & stepD);
  }
}

/** Two steps each of device, queue and total latency. */
function timesLoop(all: readonly Step[]): AddSteps {
  const [a, b, c, d, e, f] = all as readonly [Step, Step, Step, Step, Step, Step];
  return ({ deviceNs, queueNs }, from, count, places) => {
    addTimes(deviceNs, queueNs, from, count, places, [a, b, c, d], [e, f]);
  };
}

function addTimes(
  deviceNs: Float32Array,
  queueNs: Float32Array,
  from: number,
  count: number,
  places: Int32Array,
  [a, b, c, d]: Steps,
  [e, f]: readonly [Step, Step],
): void {
  const { at: atA, step: stepA } = a;
  const { at: atB, step: stepB } = b;
  const { at: atC, step: stepC } = c;
  const { at: atD, step: stepD } = d;
  const { at: atE, step: stepE } = e;
  const { at: atF, step: stepF } = f;
  for (let i = 0; i < count; i++) {
    const device = deviceNs[from + i]!;
    const queue = queueNs[from + i]!;
    const total = device + queue;
    places[i]! +=
      (-Number(device >= atA) & stepA) +
      (-Number(device >= atB) & stepB) +
      (-Number(queue >= atC) & stepC) +
      (-Number(queue >= atD) & stepD) +
      (-Number(total >= atE) & stepE) +
      (-Number(total >= atF) & stepF);
  }
}
