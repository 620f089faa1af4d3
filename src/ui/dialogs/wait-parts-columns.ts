import { formatDuration, formatPercent, plural, UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { WaitPart, WaitParts } from '../../query/box/wait-parts.ts';
import { commText } from '../tables/process-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { truncate } from '../text/span.ts';
import { sizeCell } from './size-cell.ts';

/** The parts have only this order: that in which they were queued. */
export type PartSort = 'after';

type PartColumn = Column<WaitPart, PartSort>;

/** Ever shorter forms of `The slowest, fsync of db: 32ms = 24ms device + 3ms queue + 5ms outside the block layer`. */
export function waitPartsForms(parts: WaitParts, which: string): string[] {
  const { io, totalNs, deviceNs, queueNs, throttledNs, untimed, isComplete } = parts;
  const outsideNs = parts.outsideNs - throttledNs;
  const least = isComplete && untimed === 0 ? '' : 'up to ';
  const [total, device, queue, outside] = [totalNs, deviceNs, queueNs, outsideNs].map((ns) =>
    partText(ns),
  );
  const call = io.call ?? io.opClass;
  const held = throttledNs > 0 ? ` + ${formatDuration(throttledNs)} throttled` : '';
  const inBlock = `${total} = ${device} device + ${queue} queue${held}`;
  const sum = `${inBlock} + ${least}${outside} outside the block layer`;
  const short = `${inBlock} + ${least}${outside} outside`;
  const unknown = untimed > 0 ? `; ${untimed} ${plural(untimed, 'I/O')} of unknown times` : '';
  const counted = isComplete ? '' : '; some I/O of this time is only counted';
  return [
    `${which}${call} of ${io.comm}: ${sum}${unknown}${counted}`,
    `${which}${call}: ${sum}${unknown}${counted}`,
    `${which}${call}: ${short}`,
    short,
  ].map(sanitizeText);
}

/** Times are sums of rounded times: less than a nanosecond is none. */
function partText(ns: number): string {
  return ns >= 1 ? formatDuration(ns) : '0';
}

/** The columns for these parts. `VIA` is left out if it has no value. */
export function waitPartColumns(parts: readonly WaitPart[]): readonly PartColumn[] {
  const hasVia = parts.some(({ io }) => io.via !== undefined);
  return hasVia ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'VIA');
}

const COLUMNS: readonly PartColumn[] = [
  {
    title: 'AFTER',
    width: 6,
    align: 'right',
    priority: 2,
    sorts: ['after'],
    cell: ({ afterNs }) => partText(afterNs),
  },
  { title: 'STAGE', width: 8, align: 'left', priority: 1, cell: ({ stage }) => stage },
  {
    title: 'DISK',
    width: 7,
    maxWidth: 10,
    align: 'left',
    priority: 6,
    cell: ({ io }) => sanitizeText(io.disk),
  },
  {
    title: 'COMM',
    width: 11,
    maxWidth: 16,
    align: 'left',
    priority: 7,
    cell: ({ io }, width) => commText(io, width),
  },
  {
    title: 'VIA',
    width: 7,
    maxWidth: 16,
    align: 'left',
    priority: 9,
    cell: ({ io }, width) => truncate(sanitizeText(io.via ?? ''), width),
  },
  { title: 'OP', width: 7, align: 'left', priority: 5, cell: ({ io }) => io.opClass ?? UNKNOWN },
  {
    title: 'SIZE',
    width: 5,
    align: 'right',
    priority: 8,
    cell: ({ io }) => sizeCell(io),
  },
  {
    title: 'QUEUE',
    width: 6,
    align: 'right',
    priority: 4,
    cell: ({ io }) => formatDuration(io.queueNs),
  },
  {
    title: 'DEVICE',
    width: 6,
    align: 'right',
    priority: 3,
    cell: ({ io }) => formatDuration(io.deviceNs),
  },
  {
    title: 'SHARE',
    width: 6,
    align: 'right',
    priority: 2,
    cell: ({ share }) => formatPercent(share),
  },
];
