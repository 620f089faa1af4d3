import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBiosnoopEncoder } from '../../src/export/rows/biosnoop.ts';
import { createCsvEncoder } from '../../src/export/rows/csv.ts';
import { EventRows } from '../../src/export/rows/event-row.ts';
import type { EventRow, RowContext } from '../../src/export/rows/event-row.ts';
import { createNdjsonEncoder } from '../../src/export/rows/ndjson.ts';
import { createTrace2heatmapEncoder } from '../../src/export/rows/trace2heatmap.ts';
import { sanitizeText } from '../../src/base/sanitize.ts';
import { deviceName, UNKNOWN_DEVICE } from '../../src/model/device.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { OP_UNKNOWN } from '../../src/model/operation.ts';
import { openImport } from '../../src/trace/import/open-import.ts';
import { rowContextOf, TraceInfo } from '../../src/export/trace/trace-info.ts';
import { textInput } from '../trace/import/fixtures/import-text.ts';
import { columnsOf, keyOf } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { anyRow, contextOf, encodeAll, fourKeys, pickerOf } from './fixtures.ts';
import { must } from '../must.ts';

/** What each I/O of a log says, in the words of the exports. */
function readBack(text: string): { readonly events: EventRow[]; readonly problems: unknown[] } {
  const identities = new IdentityTable();
  const reader = must(openImport(textInput(text), identities));
  const info = new TraceInfo(reader, identities);
  const rows = new EventRows(rowContextOf(reader.header, info));
  const events: EventRow[] = [];
  for (;;) {
    const chunk = reader.next();
    if (typeof chunk === 'string') break;
    for (let row = 0; row < chunk.rows.length; row++) events.push({ ...rows.at(chunk.rows, row) });
  }
  return { events, problems: [...reader.problems()] };
}

function eventsOf(context: RowContext, rows: readonly Row[]): EventRow[] {
  const events = new EventRows(context);
  const columns = columnsOf(rows);
  return rows.map((_, row) => ({ ...events.at(columns, row) }));
}

const keysAndRows = fc.tuple(fourKeys, fc.array(anyRow, { minLength: 1, maxLength: 30 }));

const inUs = (ns: number | undefined) => (ns === undefined ? undefined : Math.round(ns / 1000));

/** A name as 14 columns of a line can have it. */
function inColumn(comm: string | undefined): string | undefined {
  const text = Buffer.from(sanitizeText(comm ?? '').slice(0, 14)).toString();
  const shown = text.replace(/^ +| +$/g, '');
  return shown === '' || shown === '?' ? undefined : shown;
}

const OPS = new Set(['read', 'write', 'flush', 'discard']);

describe('an export as biosnoop', () => {
  it('an export as biosnoop is imported unchanged, and unknown values stay unknown', () => {
    fc.assert(
      fc.property(keysAndRows, ([keys, rows]) => {
        const context = contextOf(keys);
        const text = encodeAll(createBiosnoopEncoder(context), rows, pickerOf(context)).toString();
        const wanted = eventsOf(context, rows).filter(({ deviceNs }) => deviceNs !== undefined);
        if (wanted.length === 0) return;
        const { events, problems } = readBack(text);
        expect(problems).toEqual([]);
        expect(events).toHaveLength(wanted.length);
        events.forEach((event, i) => {
          const { identity, ...io } = wanted[i]!;
          const comm = inColumn(identity.comm);
          // Nobody is `?` and 0: a process 0 without a name is nobody.
          const isNobody = comm === undefined && (identity.pid ?? 0) === 0;
          expect(event.identity.device).toBe(identity.device);
          expect(event.identity.comm).toBe(comm);
          expect(event.identity.pid).toBe(isNobody ? undefined : identity.pid);
          const isEmpty = io.bytes === 0 && io.sector === undefined;
          const op = isEmpty && OPS.has(identity.op ?? '') ? 'flush' : identity.op;
          expect(event.identity.op).toBe(OPS.has(op ?? '') ? op : undefined);
          expect(event.bytes).toBe(io.bytes);
          expect(event.sector).toBe(io.sector);
          for (const name of ['queueNs', 'deviceNs'] as const)
            expect(inUs(event[name])).toBe(inUs(inMs(io[name])));
        });
      }),
    );
  });

  it('an export as biosnoop leaves no field empty and invents none', () => {
    const marks = IdentityMark.sizeUnknown | IdentityMark.processUnknown;
    const keys = [keyOf({ dev: UNKNOWN_DEVICE, cmdFlags: OP_UNKNOWN, comm: 'a b', marks })];
    const context = contextOf(keys);
    const rows = [{ completeNs: 1e9, deviceNs: 0, queueNs: 300, sector: NaN, bytes: 0, key: 0 }];
    const text = encodeAll(createBiosnoopEncoder(context), rows, pickerOf(context)).toString();
    expect(text.split('\n')[1]).toBe(
      '1.000000    a b            -1      ?         ? -1         -1        0.000   0.000',
    );
    expect(readBack(text).events).toMatchObject([{ deviceNs: 0, queueNs: 0, bytes: undefined }]);
  });
});

/** As it is printed: to the µs, by the rule of `toFixed`. */
function inMs(ns: number | undefined): number | undefined {
  return ns === undefined ? undefined : Number((ns / 1e6).toFixed(3)) * 1e6;
}

describe('an export for trace2heatmap', () => {
  it.each(['device', 'queue', 'total', 'size', 'offset', 'file-offset'] as const)(
    'an export of %s values for trace2heatmap is imported as these values only',
    (metric) => {
      fc.assert(
        fc.property(keysAndRows, ([keys, found]) => {
          const rows = found.map((row) => ({ ...row, fileOffset: row.sector * 3 }));
          const context = contextOf(keys);
          const encoder = createTrace2heatmapEncoder(context, metric);
          const text = encodeAll(encoder, rows, pickerOf(context)).toString();
          const valueOf = (event: EventRow) =>
            ({
              device: event.deviceNs,
              queue: event.queueNs,
              // What a column of the history can hold of a sum.
              total: event.totalNs && Math.fround(event.totalNs),
              size: event.bytes === 0 ? undefined : event.bytes,
              offset: event.sector,
              'file-offset': event.fileOffset,
            })[metric];
          const wanted = eventsOf(context, rows).filter((one) => valueOf(one) !== undefined);
          const { events, problems } = readBack(text);
          expect(problems).toEqual([]);
          expect(events.map(valueOf)).toEqual(wanted.map(valueOf));
          expect(events.map(({ traceNs }) => traceNs)).toEqual(
            wanted.map(({ traceNs }) => Math.round(traceNs / 1000) * 1000),
          );
          for (const { identity } of events)
            expect(
              Object.values({ ...identity, layer: undefined }).every(
                (value) => value === undefined,
              ),
            ).toBe(true);
        }),
      );
    },
  );

  it('trace2heatmap input without a heading is read as microseconds', () => {
    const { events } = readBack('17442020318913 8026\n17442020325950 6798\n');
    expect(events.map(({ deviceNs }) => deviceNs)).toEqual([8_026_000, 6_798_000]);
    expect(events[1]!.traceNs - events[0]!.traceNs).toBe(7_037_000);
  });
});

describe('what a log does not name', () => {
  const LOG =
    'TIME(ms)     COMM           PID    LAT(ms)\n' +
    '611          bash           4179        10\n' +
    '620          bash           4180         0\n';

  it('values that a log does not contain are empty in CSV and null in NDJSON', () => {
    const identities = new IdentityTable();
    const reader = must(openImport(textInput(LOG), identities));
    const info = new TraceInfo(reader, identities);
    const context = rowContextOf(reader.header, info);
    const chunk = reader.next();
    if (typeof chunk === 'string') throw new Error(chunk);
    const csv = createCsvEncoder(context).encode(chunk.rows, pickerOf(context)).toString();
    expect(csv.split('\n')[0]).toBe(',611000000,,4179,,bash,,,,,,,10000000,,,,,,,,,,disks,,,,,,');
    const json = createNdjsonEncoder(context).encode(chunk.rows, pickerOf(context)).toString();
    const [, second] = json.trim().split('\n');
    const known = Object.entries(JSON.parse(second!) as object).filter(([, one]) => one !== null);
    expect(Object.fromEntries(known)).toEqual({
      pid: 4180,
      comm: 'bash',
      layer: 'disks',
      trace_ns: 620e6,
      total_ns: 0,
    });
  });

  it('values that a log does not contain are called unknown in reports and pictures', () => {
    expect(deviceName({ device: () => undefined }, UNKNOWN_DEVICE)).toBe('unknown');
  });
});
