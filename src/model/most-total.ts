import { fineBinHigh, fineBinLow, lastFilled } from './fine-bins.ts';

/** Of I/O that was only counted: fine bins of the total latency, and the largest of each part, in ns. */
interface CountedLatencies {
  readonly total: Uint32Array;
  readonly maxQueueNs: number;
  readonly maxDeviceNs: number;
}

/**
 * The largest total latency of an aggregate: in its last bin, at most the sum of the two maxima, and so exact for one
 * I/O, or where nothing waited in the queue. The bin says more than the sum where the maxima are of different I/Os: a
 * flush that took long at the device, and the write that waited for it in the queue. The maxima of a share that a
 * sample divided are rounded down, and their sum may be below the bin.
 */
export function mostTotalNs({ total, maxQueueNs, maxDeviceNs }: CountedLatencies): number {
  const last = lastFilled(total);
  if (last < 0) return 0;
  return Math.max(fineBinLow(last), Math.min(maxQueueNs + maxDeviceNs, fineBinHigh(last)));
}
