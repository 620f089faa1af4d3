import { isoTime } from '../wall-time.ts';
import { EventRows } from './event-row.ts';
import type { EventRow, RowContext } from './event-row.ts';
import type { ColumnName } from './csv.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

/** One JSON object per line; null for unknown, an empty text for no flags and no error. */
export function createNdjsonEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  return {
    begin: () => '',
    encode: (rows, picker) =>
      linesOf(rows, picker, (row) => `${JSON.stringify(recordOf(events.at(rows, row)))}\n`),
    end: () => '',
    left: undefined,
  };
}

function recordOf(event: EventRow): Record<ColumnName, string | number | null> {
  return {
    time: event.wallNs === undefined ? null : isoTime(event.wallNs),
    trace_ns: event.traceNs,
    device: event.device,
    pid: event.pid ?? null,
    tid: event.tid ?? null,
    comm: event.comm ?? null,
    op: event.op,
    flags: event.flags ?? null,
    sector: event.sector ?? null,
    bytes: event.bytes ?? null,
    queue_ns: event.queueNs ?? null,
    device_ns: event.deviceNs ?? null,
    total_ns: event.totalNs ?? null,
    error: event.error ?? null,
    error_text: event.errorText ?? null,
  };
}
