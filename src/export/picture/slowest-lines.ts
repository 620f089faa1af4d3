import { formatBytes, formatDuration } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import type { Metric } from '../../model/metric.ts';
import type { LocalTime } from './local-time.ts';

export const SLOWEST_HEADINGS = [
  'Completed',
  'Total',
  'Queue',
  'Device',
  'Disk',
  'Process',
  'Operation',
  'Size',
  'Sector',
] as const;

/** The title of the list of slowest I/Os, which depends on the metric. */
export function slowestTitle(metric: Metric): string {
  return metric === 'device' || metric === 'queue' ? `Slowest by ${metric} time` : 'Slowest I/Os';
}

/** The latency by which a picture ranks I/Os, in ns. */
export function rankedNs({ totalNs, deviceNs, queueNs }: SingleIo, metric: Metric) {
  if (metric === 'device') return deviceNs;
  return metric === 'queue' ? queueNs : totalNs;
}

/** A row of the table of slowest I/Os: what is needed to investigate further. */
export function slowestCells(io: SingleIo, time: LocalTime): string[] {
  const pid = io.tgid === undefined ? '' : ` (${io.tgid})`;
  const behalf = io.via !== undefined ? ` via ${io.via}` : io.indirect ? ' for others' : '';
  const flags = io.flags === '' ? '' : ` ${io.flags}`;
  const error = io.error === undefined ? '' : ` ${io.error}`;
  return [
    time.clock(io.completeNs, 3),
    formatDuration(io.totalNs),
    formatDuration(io.queueNs),
    formatDuration(io.deviceNs),
    io.disk,
    `${io.comm}${pid}${behalf}`,
    `${io.call ?? io.opClass}${flags}${error}`,
    io.bytes === 0 ? '-' : formatBytes(io.bytes),
    io.sector === undefined ? '-' : String(io.sector),
  ].map(sanitizeText);
}
