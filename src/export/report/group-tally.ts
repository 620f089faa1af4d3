import { quantile } from '../../model/quantile.ts';
import { FINE_BINS, fineBin } from '../../model/fine-bins.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import type { CompletionSummary } from '../../source/completion-summary.ts';

/** Latencies of one kind, as a histogram whose bins are 6 % wide. */
export class LatencyTally {
  maxNs = -1;
  private readonly counts = new Float64Array(FINE_BINS);
  private total = 0;

  add(ns: number): void {
    if (!(ns >= 0)) return;
    this.counts[fineBin(ns)]!++;
    this.total++;
    if (ns > this.maxNs) this.maxNs = ns;
  }

  addBins(bins: Uint32Array, maxNs: number): void {
    for (let bin = 0; bin < FINE_BINS; bin++) {
      this.counts[bin]! += bins[bin]!;
      this.total += bins[bin]!;
    }
    if (maxNs > this.maxNs) this.maxNs = maxNs;
  }

  /** Undefined when none is known. */
  quantileNs(share: number): number | undefined {
    const found = quantile(this.counts, 0, 0, FINE_BINS, this.total, share);
    return found === undefined ? undefined : Math.min(found, this.maxNs);
  }
}

/** All I/O of a disk, a process, or the whole trace. */
export class GroupTally {
  /** By `OP_CLASSES`. */
  readonly counts = new Float64Array(OP_CLASSES.length);
  readonly bytes = new Float64Array(OP_CLASSES.length);
  errors = 0;
  /** Queue and device time together, of all for which they are known, in ns. */
  waitedNs = 0;
  readonly queue = new LatencyTally();
  readonly device = new LatencyTally();
  readonly total = new LatencyTally();

  get count(): number {
    return this.counts.reduce((a, b) => a + b, 0);
  }

  add(opClass: number, bytes: number, isError: boolean, queueNs: number, deviceNs: number): void {
    this.counts[opClass]!++;
    this.bytes[opClass]! += bytes;
    if (isError) this.errors++;
    this.queue.add(queueNs);
    this.device.add(deviceNs);
    this.total.add(queueNs + deviceNs);
    this.waitedNs += (queueNs || 0) + (deviceNs || 0);
  }

  addSummary(opClass: number, summary: CompletionSummary, isError: boolean): void {
    const { count, bytes, errors = 0, maxQueueNs, maxDeviceNs } = summary;
    this.counts[opClass]! += count;
    this.bytes[opClass]! += bytes;
    this.errors += isError ? count : errors;
    this.queue.addBins(summary.queue, maxQueueNs);
    this.device.addBins(summary.device, maxDeviceNs);
    // The sum of the two largest is the least that no total exceeds.
    this.total.addBins(summary.total, maxQueueNs + maxDeviceNs);
    this.waitedNs += summary.queueNsSum + summary.deviceNsSum;
  }
}
