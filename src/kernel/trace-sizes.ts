import { OP_CLASSES } from '../model/operation.ts';
import type { Disk } from './disks.ts';
import { EPOCHS, Summary, SUMMARY_DEVICES } from './layout.ts';

/** Sizes of the maps, fixed at load. */
export interface TraceSizes {
  readonly ringBytes: number;
  /** Ordinary slots for requests in flight; a power of two. */
  readonly slots: number;
  /** Devices with summaries of their own. */
  readonly devices: number;
  readonly stripes: number;
}

export const DEFAULT_RING_BYTES = 1 << 24;

/** Room for disks that appear while tracing. */
const SPARE_DEVICES = 4;
const MIN_SLOTS = 1 << 12;
const MAX_SLOTS = 1 << 16;
/** Queues lie at random places, so sparse slots keep them from meeting. */
const SLOTS_PER_REQUEST = 4;
/** One stripe each is enough: only a full ring is counted here. */
const MAX_STRIPES = 4;
/** The kernel takes this memory whether or not it is ever used. */
const SUMMARY_BUDGET_BYTES = 16e6;

export const SUMMARIES_PER_DEVICE = OP_CLASSES.length * EPOCHS;
const DEVICE_BYTES = SUMMARIES_PER_DEVICE * Summary.bytes;

export function planSizes(
  disks: readonly Disk[],
  cpus: number,
  ringBytes: number = DEFAULT_RING_BYTES,
): TraceSizes {
  const seen = disks.filter(isSummarised);
  const requests = disks.reduce((sum, disk) => sum + disk.requestLimit, 0);
  const affordable = Math.floor(SUMMARY_BUDGET_BYTES / DEVICE_BYTES) - 1;
  const devices = Math.min(seen.length + SPARE_DEVICES, affordable, SUMMARY_DEVICES);
  let stripes = Math.min(MAX_STRIPES, powerOfTwo(cpus));
  while (stripes > 1 && (devices + 1) * stripes * DEVICE_BYTES > SUMMARY_BUDGET_BYTES) stripes /= 2;
  const slots = powerOfTwo(requests * SLOTS_PER_REQUEST);
  return {
    ringBytes,
    slots: Math.min(MAX_SLOTS, Math.max(MIN_SLOTS, slots)),
    devices,
    stripes,
  };
}

/** Unused loop devices have no size and need no summary yet. */
export function isSummarised(disk: Disk): boolean {
  return disk.requestBased && (disk.sizeBytes ?? 0) > 0;
}

/** The smallest power of two that is not below `value`. */
function powerOfTwo(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
