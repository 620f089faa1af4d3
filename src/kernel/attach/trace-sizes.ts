import { OP_CLASSES } from '../../model/operation.ts';
import type { Disk } from '../machine/disks.ts';
import { Control, Dimension, Summary } from '../abi/layout.ts';

/** Sizes of the maps, fixed at load. */
export interface TraceSizes {
  readonly ringBytes: number;
  /** Slots for requests in flight; a power of two. */
  readonly slots: number;
  /** Disks and volumes that have their own summaries. */
  readonly devices: number;
  readonly stripes: number;
}

/**
 * 8 MB take 100,000 I/Os. With a load of 140,000 a second on both of two processors, a quarter came aggregated through
 * 8 MB because the reader had to wait, and none through 16 MB. All of the ring is resident from the start.
 */
const RING_BYTES_PER_CPU = 2 ** 23;
const MIN_RING_BYTES = 2 ** 24;
const MAX_RING_BYTES = 2 ** 25;

/** Room for disks that appear while tracing. */
const SPARE_DEVICES = 4;
const MIN_SLOTS = 1 << 12;
const MAX_SLOTS = 1 << 16;
/** Probing starts at random slots, so spare slots make collisions rare. */
const SLOTS_PER_REQUEST = 4;
/** With more CPUs, several share a stripe; they count here only while the ring is full. */
const MAX_STRIPES = 4;
/** The kernel allocates this memory at load, even if it is never used. */
const SUMMARY_BUDGET_BYTES = 16e6;

const SUMMARIES_PER_DEVICE = OP_CLASSES.length * Dimension.epochs;
const DEVICE_BYTES = SUMMARIES_PER_DEVICE * Summary.bytes;
/** What all other disks share, all other volumes, and calls on all devices has summaries after those of devices. */
export const SHARED_SUMMARIES = ['disks', 'volumes', 'calls'] as const;
const SHARED = SHARED_SUMMARIES.length;

/** How many summaries there are; `devices`: with their own. */
export function summaryCount({
  devices,
  stripes,
}: Pick<TraceSizes, 'devices' | 'stripes'>): number {
  return (devices + SHARED) * SUMMARIES_PER_DEVICE * stripes;
}

export function planSizes(
  disks: readonly Disk[],
  cpus: number,
  ringBytes: number = ringFor(cpus),
): TraceSizes {
  const seen = disks.filter(isSummarised);
  const requests = disks.reduce((sum, disk) => sum + disk.requestLimit, 0);
  const affordable = Math.floor(SUMMARY_BUDGET_BYTES / DEVICE_BYTES) - SHARED;
  const devices = Math.min(seen.length + SPARE_DEVICES, affordable, Control.lengths.devices);
  let stripes = Math.min(MAX_STRIPES, powerOfTwo(cpus));
  while (stripes > 1 && summaryCount({ devices, stripes }) * Summary.bytes > SUMMARY_BUDGET_BYTES)
    stripes /= 2;
  const slots = powerOfTwo(requests * SLOTS_PER_REQUEST);
  return {
    ringBytes,
    slots: Math.min(MAX_SLOTS, Math.max(MIN_SLOTS, slots)),
    devices,
    stripes,
  };
}

function ringFor(cpus: number): number {
  const wanted = powerOfTwo(cpus) * RING_BYTES_PER_CPU;
  return Math.min(MAX_RING_BYTES, Math.max(MIN_RING_BYTES, wanted));
}

/** Unused loop and zram devices have no size and need no summary yet. */
export function isSummarised(disk: Disk): boolean {
  return (disk.sizeBytes ?? 0) > 0;
}

/** The smallest power of two that is not below `value`. */
function powerOfTwo(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
