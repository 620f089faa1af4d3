import { safeJson } from '../../base/safe-json.ts';
import { IsoClock } from '../wall-time.ts';
import type { ColumnName } from './csv.ts';
import { EventRows } from './event-row.ts';
import type { EventKey, EventRow, RowContext } from './event-row.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

/** One JSON object per line; null for unknown, an empty text for no flags and no error. */
export function createNdjsonEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  const clock = context.hasWallClock ? new IsoClock(context.clockBase) : undefined;
  const texts = new WeakMap<EventKey, string>();
  const textOf = (key: EventKey): string => {
    const known = texts.get(key) ?? keyMembers(key);
    texts.set(key, known);
    return known;
  };
  const line = (event: EventRow): string =>
    `{${textOf(event.key)},${eventMembers(event, clock)}}\n`;
  return {
    begin: () => '',
    encode: (rows, picker) => linesOf(rows, picker, (row) => line(events.at(rows, row))),
    end: () => '',
    left: undefined,
  };
}

type Members = Readonly<Partial<Record<ColumnName, string | number | null>>>;

function keyMembers(key: EventKey): string {
  const members: Members = {
    device: key.device ?? null,
    pid: key.pid ?? null,
    tid: key.tid ?? null,
    comm: key.comm ?? null,
    op: key.op ?? null,
    flags: key.flags ?? null,
    error: key.error ?? null,
    error_text: key.errorText ?? null,
    cgroup_id: key.cgroupId ?? null,
    cgroup: key.cgroup ?? null,
  };
  return safeJson(members).slice(1, -1);
}

/** Numbers and a time: nothing that would have to be escaped. */
function eventMembers(event: EventRow, clock: IsoClock | undefined): string {
  const { traceNs, sector, bytes, queueNs, deviceNs, totalNs } = event;
  const time = clock === undefined ? 'null' : `"${clock.text(traceNs)}"`;
  const where = `"sector":${sector ?? null},"bytes":${bytes ?? null}`;
  const parts = `"queue_ns":${queueNs ?? null},"device_ns":${deviceNs ?? null}`;
  return `"time":${time},"trace_ns":${traceNs},${where},${parts},"total_ns":${totalNs ?? null}`;
}
