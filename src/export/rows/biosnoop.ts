import { sanitizeText } from '../../base/sanitize.ts';
import { NS_PER_MS, NS_PER_SECOND } from '../../base/time.ts';
import { EventRows } from './event-row.ts';
import type { EventRow, RowContext } from './event-row.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

const HEADER =
  'TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   QUE(ms) LAT(ms)\n';
/** As bcc prints a process that it did not see, with 0 for its PID. */
const NOBODY = '?';
/** As bcc prints a number that it does not know. */
const NO_NUMBER = '-1';

/**
 * The text of `biosnoop -Q` from bcc: the columns of its `print`, latency to the microsecond. Letters of
 * `T` are those of blktrace, of which bcc has only the first two. What the format cannot hold (flags,
 * errors, threads) is left out, and so is an I/O without a device time, which is counted.
 */
export function createBiosnoopEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  let count = 0;
  const line = (event: EventRow): string => {
    if (event.deviceNs !== undefined) return biosnoopLine(event, event.deviceNs);
    count++;
    return '';
  };
  return {
    begin: () => HEADER,
    encode: (rows, picker) => linesOf(rows, picker, (row) => line(events.at(rows, row))),
    end: () => '',
    get left() {
      return count === 0 ? undefined : { count, why: 'without a device time' };
    },
  };
}

function biosnoopLine(event: EventRow, deviceNs: number): string {
  const { traceNs, sector, bytes, queueNs } = event;
  const { comm, pid, device, op } = event.key;
  const cells = [
    (traceNs / NS_PER_SECOND).toFixed(6).padEnd(11),
    named(comm).slice(0, 14).padEnd(14),
    String(pid ?? 0).padEnd(7),
    named(device).padEnd(9),
    letterOf(op),
    (sector === undefined ? NO_NUMBER : String(sector)).padEnd(10),
    String(bytes ?? 0).padEnd(7),
    (queueNs === undefined ? NO_NUMBER : inMs(queueNs)).padStart(7),
    inMs(deviceNs).padStart(7),
  ];
  return `${cells.join(' ')}\n`;
}

/** A name must not begin another line, nor pass for nothing. */
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

function letterOf(op: string): string {
  return LETTERS[op] ?? 'N';
}
