import { IsoClock } from '../wall-time.ts';
import { EventRows } from './event-row.ts';
import type { EventIdentity, EventRow, RowContext } from './event-row.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

/** Names of the columns in their order; NDJSON and Parquet have the same. */
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
  'cgroup_id',
  'cgroup',
  'file',
  'other_files',
  'file_offset',
  'via',
  'several_writers',
  'layer',
  'call',
  'result',
  'inode',
  'generation',
  'file_dev',
  'first_seen_ns',
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** For an I/O without flags or without error: an empty field would mean unknown. */
const NONE = 'none';

/**
 * RFC 4180 with LF: a header line, quotes if a field needs them, empty for unknown. Spreadsheets run a field that
 * starts with `=`, `+`, `-` or `@` as a formula, and processes choose their names. Such texts get an apostrophe in
 * front, and so do texts that start with one, so that readers can remove it.
 */
export function createCsvEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  const clock = context.hasWallClock ? new IsoClock(context.clockBase) : undefined;
  const texts = new WeakMap<EventIdentity, IdentityTexts>();
  const textsOf = (identity: EventIdentity): IdentityTexts => {
    const known = texts.get(identity) ?? identityTexts(identity);
    texts.set(identity, known);
    return known;
  };
  const line = (event: EventRow): string => csvLine(event, clock, textsOf(event.identity));
  return {
    begin: () => `${COLUMNS.join(',')}\n`,
    encode: (rows, picker) => linesOf(rows, picker, (row) => line(events.at(rows, row))),
    end: () => '',
    left: undefined,
  };
}

/** The fields of a line that depend only on the identity: those in its middle, and the last ones. */
interface IdentityTexts {
  readonly who: string;
  readonly result: string;
  readonly writeback: string;
}

function identityTexts(identity: EventIdentity): IdentityTexts {
  const { device, pid, tid, comm, op, flags, error, errorText, cgroupId, cgroup } = identity;
  const { via, severalWriters, layer, call } = identity;
  const who = `${field(device)},${pid ?? ''},${tid ?? ''},${field(comm)}`;
  return {
    who: `${who},${op ?? ''},${field(orNone(flags))}`,
    result: `${error ?? ''},${field(orNone(errorText))},${cgroupId ?? ''},${field(cgroup)}`,
    writeback: `${field(via)},${severalWriters ?? ''},${layer},${call ?? ''}`,
  };
}

function csvLine(
  event: EventRow,
  clock: IsoClock | undefined,
  { who, result, writeback }: IdentityTexts,
): string {
  const { traceNs, sector, bytes, queueNs, deviceNs, totalNs, file, otherFiles, fileOffset } =
    event;
  const { result: returned, inode, generation, fileDev, firstSeenNs } = event;
  const time = clock === undefined ? '' : clock.text(traceNs);
  const what = `${sector ?? ''},${bytes ?? ''}`;
  const times = `${queueNs ?? ''},${deviceNs ?? ''},${totalNs ?? ''}`;
  const whose = `${field(file)},${otherFiles ?? ''},${fileOffset ?? ''}`;
  const which = `${inode ?? ''},${generation ?? ''},${fileDev ?? ''},${firstSeenNs ?? ''}`;
  return `${time},${traceNs},${who},${what},${times},${result},${whose},${writeback},${returned ?? ''},${which}\n`;
}

function orNone(text: string | undefined): string | undefined {
  return text === '' ? NONE : text;
}

const PLAIN = /^[A-Za-z0-9_./:#() -]*$/;
const FORMULA = /^[=+\-@'\t\r]/;

function field(text: string | undefined): string {
  if (text === undefined) return '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return text !== '' && PLAIN.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}
