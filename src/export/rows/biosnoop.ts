import { sanitizeText } from '../../base/sanitize.ts';
import { NS_PER_MS, NS_PER_SECOND } from '../../base/time.ts';
import { EventRows } from './event-row.ts';
import type { EventRow, RowContext } from './event-row.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

const HEADER =
  'TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   QUE(ms) LAT(ms)\n';
/** bcc prints a question mark for a process that it did not see, and so do we for any other gap. */
const UNKNOWN = '?';

/**
 * The text of `biosnoop -Q` from bcc: the columns of its `print`, latency to the microsecond. Letters of
 * `T` are those of blktrace, which bcc has only the first two of. What the format cannot hold (flags,
 * errors, threads) is left out.
 */
export function createBiosnoopEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  return {
    begin: () => HEADER,
    encode: (rows, picker) => linesOf(rows, picker, (row) => biosnoopLine(events.at(rows, row))),
    end: () => '',
    left: undefined,
  };
}

function biosnoopLine(event: EventRow): string {
  const { traceNs, comm, pid, device, op, sector, bytes, queueNs, deviceNs } = event;
  const cells = [
    (traceNs / NS_PER_SECOND).toFixed(6).padEnd(11),
    named(comm).slice(0, 14).padEnd(14),
    figure(pid).padEnd(7),
    named(device).padEnd(9),
    letterOf(op),
    figure(sector).padEnd(10),
    figure(bytes).padEnd(7),
    inMs(queueNs).padStart(7),
    inMs(deviceNs).padStart(7),
  ];
  return `${cells.join(' ')}\n`;
}

/** A name must not begin another line, nor pass for nothing. */
function named(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? UNKNOWN : sanitizeText(text);
}

function figure(value: number | undefined): string {
  return value === undefined ? UNKNOWN : String(value);
}

function inMs(ns: number | undefined): string {
  return ns === undefined ? UNKNOWN : (ns / NS_PER_MS).toFixed(3);
}

const LETTERS: Readonly<Record<string, string>> = {
  read: 'R',
  write: 'W',
  flush: 'F',
  discard: 'D',
};

function letterOf(op: string): string {
  return LETTERS[op] ?? 'N';
}
