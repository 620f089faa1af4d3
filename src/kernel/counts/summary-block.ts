import { FINE_BINS, fineBinLow, fineBinMost, OFFSET_BINS } from '../../model/fine-bins.ts';
import { Summary } from '../abi/layout.ts';

export const SUMMARY_WORDS = Summary.bytes / 4;
const { offsets, lengths } = Summary;
const HIGH_WORD = 2 ** 32;

/** A consistent copy of one summary. */
export type SummaryCopy = Uint32Array;

export function word64(words: Uint32Array, byteOffset: number): number {
  const at = byteOffset / 4;
  return words[at]! + words[at + 1]! * HIGH_WORD;
}

const COPY_ATTEMPTS = 32;

/**
 * The kernel programs increment `begun` first and `count` last, so the copy is consistent if `count` read before it
 * equals `begun` read after it. Under heavy load no attempt may succeed; then the next reading tries again.
 */
export function copySummary(live: Uint32Array, copy: SummaryCopy): boolean {
  for (let attempt = 0; attempt < COPY_ATTEMPTS; attempt++) {
    const count = Atomics.load(live, offsets.count / 4);
    copy.set(live);
    if (Atomics.load(live, offsets.begun / 4) === count) return true;
  }
  return false;
}

/** Adds up the sums and histograms of a `CompletionSummary`. */
export class SummaryTotals {
  count = 0;
  bytes = 0;
  errors = 0;
  deviceNsSum = 0;
  queueNsSum = 0;
  maxDeviceNs = 0;
  maxQueueNs = 0;
  readonly device = new Uint32Array(FINE_BINS);
  readonly queue = new Uint32Array(FINE_BINS);
  readonly total = new Uint32Array(FINE_BINS);
  readonly size = new Uint32Array(FINE_BINS);
  readonly offset = new Uint32Array(OFFSET_BINS);

  reset(): void {
    this.count = this.bytes = this.errors = 0;
    this.deviceNsSum = this.queueNsSum = this.maxDeviceNs = this.maxQueueNs = 0;
    for (const bins of [this.device, this.queue, this.total, this.size, this.offset]) bins.fill(0);
  }

  /** Adds the growth of one summary between two copies. */
  addGrowth(before: SummaryCopy, after: SummaryCopy): void {
    const grown = (at: number): number => word64(after, at) - word64(before, at);
    this.count += grown(offsets.count);
    this.bytes += grown(offsets.bytes);
    this.errors += grown(offsets.errors);
    this.deviceNsSum += grown(offsets.deviceNs);
    this.queueNsSum += grown(offsets.queueNs);
    const device = addBins(this.device, before, after, offsets.device, lengths.device);
    const queue = addBins(this.queue, before, after, offsets.queue, lengths.queue);
    addBins(this.total, before, after, offsets.total, lengths.total);
    addBins(this.size, before, after, offsets.size, lengths.size);
    addBins(this.offset, before, after, offsets.offset, lengths.offset);
    this.maxDeviceNs = Math.max(this.maxDeviceNs, maximum(after, offsets.maxDeviceNs, device));
    this.maxQueueNs = Math.max(this.maxQueueNs, maximum(after, offsets.maxQueueNs, queue));
  }
}

/** Returns the highest bin that grew, or -1. Bins wrap at 2^32. */
function addBins(
  target: Uint32Array,
  before: SummaryCopy,
  after: SummaryCopy,
  byteOffset: number,
  bins: number,
): number {
  const at = byteOffset / 4;
  let highest = -1;
  for (let bin = 0; bin < bins; bin++) {
    const growth = (after[at + bin]! - before[at + bin]!) >>> 0;
    if (growth === 0) continue;
    target[bin]! += growth;
    highest = bin;
  }
  return highest;
}

/**
 * The kernel's maximum may be from an earlier reading, or of the last epoch alone where the reader was stopped for more
 * than one round of epochs. So it is taken within the highest bin that grew.
 */
function maximum(after: SummaryCopy, byteOffset: number, highestBin: number): number {
  if (highestBin < 0) return 0;
  const most = Math.min(word64(after, byteOffset), fineBinMost(highestBin));
  return Math.max(fineBinLow(highestBin), most);
}
