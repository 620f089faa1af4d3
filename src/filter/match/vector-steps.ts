import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { QuantityCodes } from './codes.ts';
import type { Quantity } from '../fields.ts';
import { nextAbove } from './quantity.ts';
import { i32, local, moduleOf, repeatWhile, v128 } from './wasm-code.ts';
import type { Code, WasmFunction } from './wasm-code.ts';

/** Rows that are gone through together: their columns fit the first-level cache. */
export const VECTOR_ROWS = 2048;
/** Steps of one quantity that take less time than to look up its codes. */
export const MOST_STEPS = 16;

const LANES = 4;

/*
 * Bytes at which everything begins in the memory. A step is a threshold, which is as wide as the values
 * that are compared with it, and 8 bytes after that what is added from there on.
 */
const PLACES_AT = 0;
const DEVICE_AT = PLACES_AT + 4 * VECTOR_ROWS;
const QUEUE_AT = DEVICE_AT + 4 * VECTOR_ROWS;
const BYTES_AT = QUEUE_AT + 4 * VECTOR_ROWS;
const SECTOR_AT = BYTES_AT + 4 * VECTOR_ROWS;
const STEPS_AT = SECTOR_AT + 8 * VECTOR_ROWS;
const STEP_BYTES = 16;
const PAGES = 1;

/** Parameters: bytes of the places to go through, and where the steps end. Then the locals. */
const END = 0;
const STEPS_END = 1;
const AT = 2;
const STEP = 3;
const SUM = 4;
const LOW = 5;
const HIGH = 6;

const at = local.get(AT);
const step = local.get(STEP);

/** Adds the steps that values of four rows have reached to their places, for all rows. */
function stepLoop(name: string, read: Code, isReached: Code): WasmFunction {
  const added = v128.and(isReached, v128.load32Splat(step, 8));
  const body = repeatWhile(i32.isBelow(at, local.get(END)), [
    ...local.set(SUM, v128.load(at, PLACES_AT)),
    ...read,
    ...local.set(STEP, i32.const(STEPS_AT)),
    ...repeatWhile(i32.isBelow(step, local.get(STEPS_END)), [
      ...local.set(SUM, v128.add32(local.get(SUM), added)),
      ...local.set(STEP, i32.add(step, i32.const(STEP_BYTES))),
    ]),
    ...v128.store(at, local.get(SUM), PLACES_AT),
    ...local.set(AT, i32.add(at, i32.const(4 * LANES))),
  ]);
  return { name, parameters: 2, numbers: 2, vectors: 3, body };
}

const low = local.get(LOW);
const high = local.get(HIGH);
const isReachedByDoubles = v128.narrow(
  v128.isAtLeast64Floats(low, v128.load64Splat(step, 0)),
  v128.isAtLeast64Floats(high, v128.load64Splat(step, 0)),
);

function sumOfTimes(offset: number): Code {
  return v128.add64Floats(
    v128.promote(v128.load64Zero(at, DEVICE_AT + offset)),
    v128.promote(v128.load64Zero(at, QUEUE_AT + offset)),
  );
}

function floatLoop(name: string, column: number): WasmFunction {
  const isReached = v128.isAtLeast32Floats(low, v128.load32Splat(step, 0));
  return stepLoop(name, local.set(LOW, v128.load(at, column)), isReached);
}

const twiceAt = i32.shiftLeft(at, i32.const(1));

const LOOPS: readonly WasmFunction[] = [
  floatLoop('device', DEVICE_AT),
  floatLoop('queue', QUEUE_AT),
  stepLoop(
    'size',
    local.set(LOW, v128.load(at, BYTES_AT)),
    v128.isAtLeast32Unsigned(low, v128.load32Splat(step, 0)),
  ),
  stepLoop(
    'total',
    [...local.set(LOW, sumOfTimes(0)), ...local.set(HIGH, sumOfTimes(8))],
    isReachedByDoubles,
  ),
  stepLoop(
    'offset',
    [
      ...local.set(LOW, v128.load(twiceAt, SECTOR_AT)),
      ...local.set(HIGH, v128.load(twiceAt, SECTOR_AT + 16)),
    ],
    isReachedByDoubles,
  ),
];

const PROGRAM = moduleOf(LOOPS, PAGES);

type StepLoop = (end: number, stepsEnd: number) => void;
type Loops = Readonly<Record<Quantity, StepLoop>>;

/** What is used of it: its types come with those of browsers. */
interface WasmEngine {
  readonly validate: (program: Uint8Array) => boolean;
  readonly Module: new (program: Uint8Array) => object;
  readonly Instance: new (module: object) => {
    readonly exports: Loops & { readonly memory: { readonly buffer: ArrayBuffer } };
  };
}

/** Values of up to VECTOR_ROWS rows are written here, and the steps that they reach are added. */
export class VectorSteps {
  readonly places: Int32Array;
  private readonly deviceNs: Float32Array;
  private readonly queueNs: Float32Array;
  private readonly bytes: Uint32Array;
  private readonly sector: Float64Array;
  private readonly steps: Uint8Array;
  private readonly loops: Loops;

  constructor({ Instance, Module }: WasmEngine) {
    const { exports } = new Instance(new Module(PROGRAM));
    const { buffer } = exports.memory;
    this.places = new Int32Array(buffer, PLACES_AT, VECTOR_ROWS);
    this.deviceNs = new Float32Array(buffer, DEVICE_AT, VECTOR_ROWS);
    this.queueNs = new Float32Array(buffer, QUEUE_AT, VECTOR_ROWS);
    this.bytes = new Uint32Array(buffer, BYTES_AT, VECTOR_ROWS);
    this.sector = new Float64Array(buffer, SECTOR_AT, VECTOR_ROWS);
    this.steps = new Uint8Array(buffer, STEPS_AT, MOST_STEPS * STEP_BYTES);
    this.loops = exports;
  }

  /** Adds the steps of one quantity, as `stepsOf` packs them, to the places of `count` rows. */
  add(
    quantity: Quantity,
    steps: Uint8Array,
    rows: CompletionColumns,
    from: number,
    count: number,
  ): void {
    this.copy(quantity, rows, from, from + count);
    this.steps.set(steps);
    this.loops[quantity](4 * count, STEPS_AT + steps.length);
  }

  private copy(quantity: Quantity, rows: CompletionColumns, from: number, to: number): void {
    if (quantity === 'offset') this.sector.set(rows.sector.subarray(from, to));
    else if (quantity === 'size') this.bytes.set(rows.bytes.subarray(from, to));
    else {
      if (quantity !== 'queue') this.deviceNs.set(rows.deviceNs.subarray(from, to));
      if (quantity !== 'device') this.queueNs.set(rows.queueNs.subarray(from, to));
    }
  }
}

let shared: VectorSteps | 'none' | undefined;

/** The one that all use; undefined where there are no such instructions, or no memory for them. */
export function vectorSteps(): VectorSteps | undefined {
  shared ??= createShared();
  return shared === 'none' ? undefined : shared;
}

function createShared(): VectorSteps | 'none' {
  const { WebAssembly } = globalThis as { WebAssembly?: WasmEngine };
  if (!WebAssembly?.validate(PROGRAM)) return 'none';
  try {
    return new VectorSteps(WebAssembly);
  } catch (cause) {
    // Its memory takes gigabytes of addresses, which `ulimit -v` may not allow.
    if (cause instanceof RangeError) return 'none';
    throw cause;
  }
}

/** Packs what is added to the place of a value at each threshold; undefined where there are too many. */
export function stepsOf(codes: QuantityCodes, stride: number): Uint8Array | undefined {
  const { quantity, thresholds, steps } = codes;
  if (thresholds.length > MOST_STEPS) return undefined;
  const packed = new DataView(new ArrayBuffer(thresholds.length * STEP_BYTES));
  thresholds.forEach((threshold, i) => {
    const at = i * STEP_BYTES;
    if (quantity === 'size') packed.setUint32(at, leastSize(threshold), true);
    else if (quantity === 'offset') packed.setFloat64(at, leastSector(threshold), true);
    else if (quantity === 'total') packed.setFloat64(at, threshold, true);
    else packed.setFloat32(at, leastFloat(threshold), true);
    const isReachable = quantity !== 'size' || threshold <= MOST_BYTES;
    packed.setInt32(at + 8, isReachable ? steps[i]! * stride : 0, true);
  });
  return new Uint8Array(packed.buffer);
}

const MOST_BYTES = 2 ** 32 - 1;

/** What has no bytes has no size. */
function leastSize(threshold: number): number {
  return Math.min(MOST_BYTES, Math.max(1, Math.ceil(threshold)));
}

/** The quotient of the least doubles is rounded down to 0. */
function leastSector(threshold: number): number {
  const sector = threshold / SECTOR_BYTES;
  return sector * SECTOR_BYTES < threshold ? nextAbove(sector) : sector;
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The first float that is not below a threshold, of which none is negative but an infinite one. */
function leastFloat(threshold: number): number {
  float[0] = threshold;
  if (float[0] < threshold) bits[0]!++;
  return float[0];
}
