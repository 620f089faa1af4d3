import { OP_CLASSES } from '../../model/operation.ts';
import type { Disk } from '../machine/disks.ts';
import { Control, Dimension, Summary } from '../abi/layout.ts';

/** Sizes of the maps, which cannot change after the load. */
export interface TraceSizes {
  readonly ringBytes: number;
  /** Slots for requests in flight; a power of two. */
  readonly slots: number;
  /** Disks and volumes that have their own summaries. */
  readonly devices: number;
  readonly stripes: number;
}

/**
 * 8 MB hold 65,000 I/Os. When a load of 140,000 per second took both of two processors, the reader had to wait so long
 * that a quarter came aggregated with 8 MB, and none with 16 MB. All of the ring is resident from the start.
 */
const RING_BYTES_PER_CPU = 2 ** 23;
const MIN_RING_BYTES = 2 ** 24;
const MAX_RING_BYTES = 2 ** 25;

/** Room for disks that appear while tracing. */
const SPARE_DEVICES = 4;
const MIN_SLOTS = 1 << 12;
const MAX_SLOTS = 1 << 16;
/** A request has two possible slots, by a hash of its queue plus its tag; spare slots make collisions rare. */
const SLOTS_PER_REQUEST = 4;
/** With more CPUs than this, several share a stripe. */
const MAX_STRIPES = 4;
/** The kernel allocates this memory at load, even if it is never used. */
const SUMMARY_BUDGET_BYTES = 16e6;

const SUMMARIES_PER_DEVICE = OP_CLASSES.length * Dimension.epochs;
const DEVICE_BYTES = SUMMARIES_PER_DEVICE * Summary.bytes;
/** All other disks share the summaries of one more device, all other volumes those of another, and all calls those of a third. */
export const SHARED_SUMMARIES = ['disks', 'volumes', 'calls'] as const;
const SHARED = SHARED_SUMMARIES.length;

/** The number of summaries, where `devices` disks and volumes have their own. */
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
