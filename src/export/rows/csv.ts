import { isoTime } from '../wall-time.ts';
import { EventRows } from './event-row.ts';
import type { EventRow, RowContext } from './event-row.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

/** Names of the columns in the order written; NDJSON and Parquet have the same. */
export const COLUMNS = [
  'time',
  'trace_ns',
  'device',
  'pid',
  'tid',
  'comm',
  'op',
  'flags',
  'sector',
  'bytes',
  'queue_ns',
  'device_ns',
  'total_ns',
  'error',
  'error_text',
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** For an I/O without any flag, or without error: an empty field would say that it is not known. */
export const NONE = 'none';

/**
 * RFC 4180 with LF: a header line, quotes where a field needs them, empty for unknown. Spreadsheets
 * run a field that begins with `=`, `+`, `-` or `@` as a formula, and processes name themselves: such
 * texts get an apostrophe in front, and so do those that begin with one, which makes it undoable.
 */
export function createCsvEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  return {
    begin: () => `${COLUMNS.join(',')}\n`,
    encode: (rows, picker) => linesOf(rows, picker, (row) => csvLine(events.at(rows, row))),
    end: () => '',
    left: undefined,
  };
}

function csvLine(event: EventRow): string {
  const { wallNs, traceNs, pid, tid, sector, bytes, queueNs, deviceNs, totalNs } = event;
  const time = wallNs === undefined ? '' : isoTime(wallNs);
  const who = `${time},${traceNs},${field(event.device)},${pid ?? ''},${tid ?? ''},${field(event.comm)}`;
  const what = `${event.op},${field(orNone(event.flags))},${sector ?? ''},${bytes ?? ''}`;
  const times = `${queueNs ?? ''},${deviceNs ?? ''},${totalNs ?? ''}`;
  return `${who},${what},${times},${event.error ?? ''},${field(orNone(event.errorText))}\n`;
}

export function orNone(text: string | undefined): string | undefined {
  return text === '' ? NONE : text;
}

const PLAIN = /^[A-Za-z0-9_./:#() -]*$/;
const FORMULA = /^[=+\-@'\t\r]/;

function field(text: string | undefined): string {
  if (text === undefined) return '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return text !== '' && PLAIN.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}
