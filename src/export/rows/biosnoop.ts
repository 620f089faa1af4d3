import { sanitizeText } from '../../base/sanitize.ts';
import { NS_PER_MS, NS_PER_SECOND } from '../../base/time.ts';
import { EventRows } from './event-row.ts';
import type { EventIdentity, EventRow, RowContext } from './event-row.ts';
import { LeftOut } from './left-out.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

const HEADER =
  'TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   QUE(ms) LAT(ms)\n';
/** bcc prints this for a process that it did not see, with PID 0; here also for a disk or an operation. */
const NOBODY = '?';
/** bcc prints this for an unknown number. */
const NO_NUMBER = '-1';

/**
 * The text of `biosnoop -Q` from bcc: the columns of its `print`, latency to the microsecond. Letters of `T` are
 * those of blktrace, of which bcc has only the first two. Unknown values are `?` or -1: ioheat reads them back as
 * unknown, and no script takes them for a value. The format has no flags, errors and threads. An I/O without a device
 * latency cannot be written, and is counted.
 */
export function createBiosnoopEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  const leftOut = new LeftOut('device');
  const line = (event: EventRow): string => {
    if (event.deviceNs !== undefined) return biosnoopLine(event, event.deviceNs);
    leftOut.add(event);
    return '';
  };
  return {
    begin: () => HEADER,
    encode: (rows, picker) => linesOf(rows, picker, (row) => line(events.at(rows, row))),
    end: () => '',
    get left() {
      return leftOut.left;
    },
  };
}

function biosnoopLine(event: EventRow, deviceNs: number): string {
  const { traceNs, sector, bytes, queueNs } = event;
  const { comm, device, op } = event.identity;
  const cells = [
    (traceNs / NS_PER_SECOND).toFixed(6).padEnd(11),
    named(comm).slice(0, 14).padEnd(14),
    pidOf(event.identity).padEnd(7),
    named(device).replaceAll(/\s/g, '_').padEnd(9),
    letterOf(op),
    (sector === undefined ? NO_NUMBER : String(sector)).padEnd(10),
    (bytes === undefined ? NO_NUMBER : String(bytes)).padEnd(7),
    (queueNs === undefined ? NO_NUMBER : inMs(queueNs)).padStart(7),
    inMs(deviceNs).padStart(7),
  ];
  return `${cells.join(' ')}\n`;
}

function pidOf({ comm, pid }: EventIdentity): string {
  if (pid !== undefined) return String(pid);
  return comm === undefined ? '0' : NO_NUMBER;
}

/** A name must not start another line, nor be empty. */
function named(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? NOBODY : sanitizeText(text);
}

function inMs(ns: number): string {
  return (ns / NS_PER_MS).toFixed(3);
}

const LETTERS: Readonly<Record<string, string>> = {
  read: 'R',
  write: 'W',
  flush: 'F',
  discard: 'D',
};

function letterOf(op: string | undefined): string {
  return op === undefined ? NOBODY : (LETTERS[op] ?? 'N');
}
