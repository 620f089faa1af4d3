import { NS_PER_US } from '../../base/time.ts';
import { isPlace } from '../../model/metric.ts';
import type { Metric } from '../../model/metric.ts';
import { EventRows } from './event-row.ts';
import type { EventRow, RowContext } from './event-row.ts';
import { LeftOut } from './left-out.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

type ValueOf = (event: EventRow) => number | undefined;

const VALUES: Readonly<Partial<Record<Metric, ValueOf>>> = {
  device: ({ deviceNs }) => inUs(deviceNs),
  queue: ({ queueNs }) => inUs(queueNs),
  total: ({ totalNs }) => inUs(totalNs),
  size: ({ bytes }) => (bytes === 0 ? undefined : bytes),
  offset: ({ sector }) => (sector === undefined ? undefined : sector * 512),
  'file-offset': ({ fileOffset }) => fileOffset,
};

/** Whether single I/Os have a value of this metric. */
export function isRowMetric(metric: Metric): boolean {
  return metric in VALUES;
}

/** The metrics that single I/Os have, in words. */
export function rowMetricsInWords(): string {
  const names = Object.keys(VALUES);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** trace2heatmap.pl skips a first line with letters; ioheat reads from it what the columns are. */
function headingOf(metric: Metric): string {
  return `time(us) ${metric}(${metric === 'size' || isPlace(metric) ? 'bytes' : 'us'})\n`;
}

/**
 * The two columns that trace2heatmap.pl reads: completion in µs since the start of the trace, and latency in µs (for
 * sizes and offsets: bytes). I/O without that value is not written, but counted.
 */
export function createTrace2heatmapEncoder(context: RowContext, metric: Metric): RowEncoder {
  const events = new EventRows(context);
  const valueOf = VALUES[metric] ?? (() => undefined);
  const leftOut = new LeftOut(metric);
  const line = (event: EventRow): string => {
    const value = valueOf(event);
    if (value !== undefined) return `${Math.round(event.traceNs / NS_PER_US)} ${value}\n`;
    leftOut.add(event);
    return '';
  };
  return {
    begin: () => headingOf(metric),
    encode: (rows, picker) => linesOf(rows, picker, (row) => line(events.at(rows, row))),
    end: () => '',
    get left() {
      return leftOut.left;
    },
  };
}

function inUs(ns: number | undefined): number | undefined {
  return ns === undefined ? undefined : ns / NS_PER_US;
}
