import { safeJson } from '../../base/safe-json.ts';
import { IsoClock } from '../wall-time.ts';
import type { ColumnName } from './csv.ts';
import { EventRows } from './event-row.ts';
import type { EventIdentity, EventRow, RowContext } from './event-row.ts';
import { linesOf } from './row-encoder.ts';
import type { RowEncoder } from './row-encoder.ts';

/** One JSON object per line; null for unknown, an empty text for no flags and no error. */
export function createNdjsonEncoder(context: RowContext): RowEncoder {
  const events = new EventRows(context);
  const clock = context.hasWallClock ? new IsoClock(context.clockBase) : undefined;
  const texts = new WeakMap<EventIdentity, string>();
  const textOf = (identity: EventIdentity): string => {
    const known = texts.get(identity) ?? identityText(identity);
    texts.set(identity, known);
    return known;
  };
  const line = (event: EventRow): string =>
    `{${textOf(event.identity)},${eventMembers(event, clock)}}\n`;
  return {
    begin: () => '',
    encode: (rows, picker) => linesOf(rows, picker, (row) => line(events.at(rows, row))),
    end: () => '',
    left: undefined,
  };
}

type Members = Readonly<Partial<Record<ColumnName, string | number | boolean | null>>>;

function identityText(identity: EventIdentity): string {
  return safeJson(identityMembers(identity)).slice(1, -1);
}

/** The columns that depend only on the identity; null for unknown. */
export function identityMembers(identity: EventIdentity): Members {
  return {
    device: identity.device ?? null,
    pid: identity.pid ?? null,
    tid: identity.tid ?? null,
    comm: identity.comm ?? null,
    op: identity.op ?? null,
    flags: identity.flags ?? null,
    error: identity.error ?? null,
    error_text: identity.errorText ?? null,
    cgroup_id: identity.cgroupId ?? null,
    cgroup: identity.cgroup ?? null,
    via: identity.via ?? null,
    several_writers: identity.severalWriters ?? null,
    layer: identity.layer,
    call: identity.call ?? null,
  };
}

/** Numbers and a time need no escapes; a path does. */
function eventMembers(event: EventRow, clock: IsoClock | undefined): string {
  const { traceNs, sector, bytes, queueNs, deviceNs, totalNs, file, otherFiles, fileOffset } =
    event;
  const time = clock === undefined ? 'null' : `"${clock.text(traceNs)}"`;
  const where = `"sector":${sector ?? null},"bytes":${bytes ?? null}`;
  const parts = `"queue_ns":${queueNs ?? null},"device_ns":${deviceNs ?? null}`;
  const path = file === undefined ? 'null' : safeJson(file);
  const whose = `"file":${path},"other_files":${otherFiles ?? null},"file_offset":${fileOffset ?? null}`;
  const { result, inode, generation, fileDev, firstSeenNs } = event;
  const dev = fileDev === undefined ? 'null' : `"${fileDev}"`;
  const which = `"inode":${inode ?? null},"generation":${generation ?? null},"file_dev":${dev},"first_seen_ns":${firstSeenNs ?? null}`;
  return `"time":${time},"trace_ns":${traceNs},${where},${parts},"total_ns":${totalNs ?? null},${whose},"result":${result ?? null},${which}`;
}
