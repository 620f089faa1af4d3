import type { Box } from '../../filter/box.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { DiskShares } from '../../model/disk-shares.ts';
import type { Metric } from '../../model/metric.ts';
import { Verdict } from '../../filter/verdict.ts';

/** Finds the rows that are in a box, block by block. A result is valid until the next block. */
export class BoxRows {
  /** Rows in the box: their index in the chunk. */
  readonly row = new Uint32Array(JUDGED_ROWS);
  /** Their values, in the unit of the metric. */
  readonly value = new Float64Array(JUDGED_ROWS);
  /** I/Os so far that match the filter and completed in the time of the box, with any value. */
  inTime = 0;
  /** How many of them are in the box. */
  count = 0;
  /** I/Os so far in the box that may or may not match the filter. */
  undecided = 0;
  private readonly box: Box;
  private readonly filter: CompiledFilter;
  private readonly fill: Fill;

  /** `shares` is needed if the box is over shares of disks. */
  constructor(box: Box, filter: CompiledFilter, shares?: DiskShares) {
    this.box = box;
    this.filter = filter;
    this.fill = shares === undefined ? FILLS[box.metric] : fillShares(shares);
  }

  /**
   * Reads rows [from, to), at most `JUDGED_ROWS`; only those that completed at or after `fromNs` count. Returns how
   * many are in the box.
   */
  find(rows: CompletionColumns, from: number, to: number, fromNs: number): number {
    this.fill(this.value, rows, from, to);
    const found = this.select(rows, from, to, Math.max(fromNs, this.box.startNs));
    this.count += found;
    return found;
  }

  private select(rows: CompletionColumns, from: number, to: number, fromNs: number): number {
    const { completeNs } = rows;
    const { value: values, row: rowOf, filter } = this;
    const { endNs, low } = this.box;
    const limit = upperLimit(this.box);
    const verdicts = filter.passesAll ? undefined : filter.judgeRows(rows, from, to);
    let found = 0;
    let inTime = 0;
    for (let row = from; row < to; row++) {
      const at = completeNs[row]!;
      if (!(at >= fromNs && at < endNs)) continue;
      const verdict = verdicts === undefined ? Verdict.yes : verdicts[row - from]!;
      if (verdict === Verdict.no) continue;
      const value = values[row - from]!;
      const isInside = value >= low && !(value >= limit);
      if (verdict === Verdict.maybe) {
        if (isInside) this.undecided++;
        continue;
      }
      inTime++;
      if (!isInside) continue;
      values[found] = value;
      rowOf[found++] = row;
    }
    this.inTime += inTime;
    return found;
  }
}

export type LatencyMetric = 'device' | 'queue' | 'total';

export function isLatencyMetric(metric: Metric): metric is LatencyMetric {
  return metric === 'device' || metric === 'queue' || metric === 'total';
}

/** The limit below which values must be. NaN, which no value reaches, if the box has no upper end. */
export function upperLimit({ metric, high }: Box): number {
  return high === Infinity || metric === 'utilization' ? NaN : high;
}

/** Writes the values of rows [from, to), starting at index 0; NaN where there is none. */
type Fill = (values: Float64Array, rows: CompletionColumns, from: number, to: number) => void;

/** Values have the same precision as in the picture, so that both agree at every edge. */
const FILLS: Record<Metric, Fill> = {
  device: (values, { deviceNs }, from, to) => {
    for (let row = from; row < to; row++) values[row - from] = deviceNs[row]!;
  },
  queue: (values, { queueNs }, from, to) => {
    for (let row = from; row < to; row++) values[row - from] = queueNs[row]!;
  },
  total: (values, { deviceNs, queueNs }, from, to) => {
    for (let row = from; row < to; row++)
      values[row - from] = Math.fround(deviceNs[row]! + queueNs[row]!);
  },
  size: (values, { bytes }, from, to) => {
    for (let row = from; row < to; row++)
      values[row - from] = bytes[row]! > 0 ? Math.fround(bytes[row]!) : NaN;
  },
  offset: (values, { sector }, from, to) => {
    for (let row = from; row < to; row++) values[row - from] = sector[row]! * SECTOR_BYTES;
  },
  'file-offset': (values, { fileOffset }, from, to) => {
    values.set(fileOffset.subarray(from, to));
  },
  utilization: (values, _rows, from, to) => {
    values.fill(Infinity, 0, to - from);
  },
};

function fillShares(shares: DiskShares): Fill {
  return (values, { sector, identity }, from, to) => {
    const { bytesOf } = shares;
    for (let row = from; row < to; row++)
      values[row - from] = (sector[row]! * SECTOR_BYTES) / bytesOf[identity[row]!]!;
  };
}
