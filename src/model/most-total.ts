import { fineBinLow, fineBinMost, lastFilled } from './fine-bins.ts';
import type { Latency } from './metric.ts';

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
  return Math.max(fineBinLow(last), Math.min(maxQueueNs + maxDeviceNs, fineBinMost(last)));
}

/** The largest latency of an aggregate, of one kind; 0 where none is known. */
export function mostNs(counted: CountedLatencies, latency: Latency): number {
  if (latency === 'total') return mostTotalNs(counted);
  return latency === 'device' ? counted.maxDeviceNs : counted.maxQueueNs;
}
