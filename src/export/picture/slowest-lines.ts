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

/** Which I/Os a picture of that metric marks and lists. */
export function slowestTitle(metric: Metric): string {
  return metric === 'device' || metric === 'queue' ? `Slowest by ${metric} time` : 'Slowest I/Os';
}

/** What a picture ranks by. */
export function rankedNs({ totalNs, deviceNs, queueNs }: SingleIo, metric: Metric) {
  if (metric === 'device') return deviceNs;
  return metric === 'queue' ? queueNs : totalNs;
}

/** The slowest I/Os as a table: what a person needs to look further. */
export function slowestCells(io: SingleIo, time: LocalTime): string[] {
  const pid = io.tgid === undefined ? '' : ` (${io.tgid})`;
  const behalf = io.indirect ? ' for others' : '';
  const flags = io.flags === '' ? '' : ` ${io.flags}`;
  const error = io.error === undefined ? '' : ` ${io.error}`;
  return [
    time.clock(io.completeNs, 3),
    formatDuration(io.totalNs),
    formatDuration(io.queueNs),
    formatDuration(io.deviceNs),
    io.disk,
    `${io.comm}${pid}${behalf}`,
    `${io.opClass}${flags}${error}`,
    io.bytes === 0 ? '-' : formatBytes(io.bytes),
    io.sector === undefined ? '-' : String(io.sector),
  ].map(sanitizeText);
}
