import { WITHOUT } from '../../raster/notes.ts';
import type { Metric } from '../../model/metric.ts';
import type { EventRow } from './event-row.ts';
import type { RowEncoder } from './row-encoder.ts';

const UNDIVIDED = 'only the total latency is known';

/** Counts the I/Os without a value of the metric, which a format cannot represent. */
export class LeftOut {
  private count = 0;
  private undivided = 0;

  constructor(private readonly metric: Metric) {}

  add({ totalNs }: EventRow): void {
    this.count++;
    if (totalNs !== undefined) this.undivided++;
  }

  get left(): RowEncoder['left'] {
    const { count, metric } = this;
    if (count === 0) return undefined;
    const isPart = metric === 'device' || metric === 'queue';
    return { count, why: isPart && this.undivided === count ? UNDIVIDED : WITHOUT[metric] };
  }
}
