import { formatBytes, formatDuration, UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import { DEFAULT_LAYER, isOfPrograms, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { Latency } from '../../model/metric.ts';
import type { Figure } from './figure.ts';
import type { LocalTime } from './local-time.ts';

const OF_DEVICES = [
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

const OF_PROGRAMS = [
  'Completed',
  'Total',
  'Process',
  'Call',
  'Size',
  'File offset',
  'File',
] as const;

/**
 * The headings of the table of the slowest I/Os. Only requests have sectors and a queue, only calls are always of a
 * file.
 */
export function slowestHeadings(layer: Layer = DEFAULT_LAYER): readonly string[] {
  return isOfPrograms(layer) ? OF_PROGRAMS : OF_DEVICES;
}

/** The title of the list of slowest I/Os. */
export function slowestTitle({ rankedBy, layer }: Pick<Figure, 'rankedBy' | 'layer'>): string {
  if (rankedBy !== 'total') return `Slowest by ${rankedBy} time`;
  return `Slowest ${nounOf(layer)}s`;
}

/** The latency by which an I/O is ranked, in ns. */
export function rankedNs({ totalNs, deviceNs, queueNs }: SingleIo, rankedBy: Latency) {
  if (rankedBy === 'device') return deviceNs;
  return rankedBy === 'queue' ? queueNs : totalNs;
}

/** A row of the table of slowest I/Os: what is needed to investigate further. */
export function slowestCells(
  io: SingleIo,
  time: LocalTime,
  layer: Layer = DEFAULT_LAYER,
): string[] {
  const cells: Readonly<Record<Heading, string>> = {
    Completed: time.clock(io.completeNs, 3),
    Total: formatDuration(io.totalNs),
    Queue: formatDuration(io.queueNs),
    Device: formatDuration(io.deviceNs),
    Disk: io.disk,
    Process: processText(io),
    Operation: operationText(io),
    Call: operationText(io),
    Size: io.bytes === 0 ? UNKNOWN : formatBytes(io.bytes),
    Sector: io.sector === undefined ? UNKNOWN : String(io.sector),
    'File offset': io.fileOffset === undefined ? UNKNOWN : String(io.fileOffset),
    File: io.file ?? UNKNOWN,
  };
  return (isOfPrograms(layer) ? OF_PROGRAMS : OF_DEVICES).map((name) => sanitizeText(cells[name]));
}

type Heading = (typeof OF_DEVICES)[number] | (typeof OF_PROGRAMS)[number];

function processText({ comm, tgid, via, indirect }: SingleIo): string {
  const pid = tgid === undefined ? '' : ` (${tgid})`;
  const behalf = via !== undefined ? ` via ${via}` : indirect ? ' for others' : '';
  return `${comm}${pid}${behalf}`;
}

function operationText({ call, opClass, flags, error }: SingleIo): string {
  return [call ?? opClass ?? UNKNOWN, flags, error ?? ''].filter((part) => part !== '').join(' ');
}
