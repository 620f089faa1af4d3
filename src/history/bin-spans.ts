import {
  FINE_BINS,
  fineBinHigh,
  fineBinLow,
  fineBinMiddle,
  OFFSET_BINS,
} from '../model/fine-bins.ts';
import type { Metric } from '../model/metric.ts';

const SECTOR_BYTES = 512;

/** Which values the bins of a slice stand for, in the unit of the metric. */
export class BinSpans {
  /** Offset bins are 2^`shift` sectors wide. */
  shift = 0;
  private readonly metric: Metric;

  constructor(metric: Metric) {
    this.metric = metric;
  }

  /** Flushes and the like: a size of 0 means that there is none. */
  isAbsent(bin: number): boolean {
    return bin === 0 && this.metric === 'size';
  }

  low(bin: number): number {
    return this.metric === 'offset' ? bin * this.offsetBytes() : fineBinLow(bin);
  }

  /** Exclusive; the last bin also holds whatever lies beyond it. */
  high(bin: number): number {
    if (this.metric === 'offset')
      return bin >= OFFSET_BINS - 1 ? Infinity : (bin + 1) * this.offsetBytes();
    return bin >= FINE_BINS - 1 ? Infinity : fineBinHigh(bin);
  }

  /** Where the picture draws it. */
  middle(bin: number): number {
    return this.metric === 'offset' ? (bin + 0.5) * this.offsetBytes() : fineBinMiddle(bin);
  }

  private offsetBytes(): number {
    return 2 ** this.shift * SECTOR_BYTES;
  }
}
