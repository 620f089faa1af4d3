import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { InFlightBook } from '../../../src/model/in-flight-book.ts';
import type { InFlightIo, InFlightSpan } from '../../../src/model/in-flight.ts';
import { OP_UNKNOWN } from '../../../src/model/operation.ts';
import { inFlightBefore } from '../../../src/query/in-flight/in-flight-before.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import { columnsOf, createInfo, keyOf } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';

const IDENTITIES = [
  keyOf(),
  keyOf({ tgid: 2, comm: 'b' }),
  keyOf({ layer: 'calls' }),
  keyOf({ cmdFlags: OP_UNKNOWN, marks: IdentityMark.sizeUnknown }),
];
/** A write that takes 3 s, of which 1 s in the queue, among short I/O. */
const LONG = { completeNs: 13e9, queueNs: 1e9, deviceNs: 2e9, sector: 800, key: 1 };
const SHORT = Array.from({ length: 5000 }, (_, i) => ({ completeNs: 9e9 + i * 1e6 }));

interface Trace {
  readonly rows?: readonly Partial<Row>[];
  readonly spans?: readonly InFlightSpan[];
  /** In flight now; only a live source knows. */
  readonly present?: readonly InFlightIo[];
  readonly origin?: EventSource['info']['origin'];
  readonly detailRows?: number;
}

function traceOf({ rows = [...SHORT, LONG], spans, present, origin, detailRows }: Trace) {
  const info = { ...createInfo(IDENTITIES), origin };
  const budgetBytes = MIN_BUDGET_BYTES;
  const history = createHistory({ info, budgetBytes, ...(detailRows && { detailRows }) });
  history.append(columnsOf(rows));
  const inFlight = new InFlightBook();
  for (const span of spans ?? []) inFlight.put(span);
  const source = {
    info: { ...info, devices: () => [], inFlight: spans && inFlight },
    ...(present && { inFlight: () => present }),
  };
  return { source: source as unknown as EventSource, history };
}

function before(trace: Trace, atNs: number, text = '') {
  return within(trace, atNs, atNs, text);
}

function within(trace: Trace, startNs: number, endNs: number, text = '') {
  const filter = parseFilter(text);
  const shown = filter.ok ? filter.value : NO_FILTER;
  return inFlightBefore(traceOf(trace), { startNs, endNs }, shown);
}

function span(changes: Partial<InFlightSpan>): InFlightSpan {
  return {
    ...{ number: 1, sinceNs: 10e9, issueNs: 11e9, untilNs: 13e9, identity: IDENTITIES[1]! },
    ...{ bytes: 4096, sector: 800, file: undefined, fileOffset: undefined },
    ...changes,
  };
}

describe('I/O in flight at an earlier time', () => {
  it.each([
    [9.9e9, []],
    [10.5e9, [[0.5e9, 'queued']]],
    [12e9, [[2e9, 'at the device']]],
    [12.9e9, [[2.9e9, 'at the device']]],
  ])('is what was queued before and completed after it: at %d ns', (atNs, expected) => {
    const { rows, hasCompleted } = before({}, atNs)!;
    expect(hasCompleted).toBe(true);
    expect(rows.map(({ ageNs, stage }) => [ageNs, stage])).toEqual(expected);
    for (const row of rows)
      expect(row).toMatchObject({ disk: 'sda', comm: 'b', tgid: 2, bytes: 4096, sector: 800 });
  });

  it('is found among I/O that is much shorter', () => {
    expect(before({}, 9e9 + 99.9995e6)!.rows).toMatchObject([{ comm: 'a' }]);
  });

  it('is in a column what was in flight until the slowest I/O that completed there was about to end', () => {
    const slowest = { completeNs: 10.4005e9, queueNs: 2e6, deviceNs: 3e6, key: 1 };
    const later = { completeNs: 10.4015e9, queueNs: 0, deviceNs: 2e6, sector: 808 };
    const rows = [...SHORT, { completeNs: 10.35e9, deviceNs: 1e6 }, slowest, later];
    const found = within({ rows }, 10.2e9, 10.5e9)!;
    expect(found.atNs).toBe(slowest.completeNs - 1);
    expect(found.rows.map(({ comm, ageNs }) => [comm, ageNs])).toEqual([
      ['b', 5e6 - 1],
      ['a', 1e6 - 1],
    ]);
    const other = within({ rows }, 10.2e9, 10.5e9, 'comm=a')!;
    expect(other.atNs).toBe(later.completeNs - 1);
  });

  it('is in a column without I/O that completed there what was in flight at its start', () => {
    const found = within({}, 12e9, 12.5e9, 'comm=b')!;
    expect(found).toMatchObject({ atNs: 12e9, rows: [{ ageNs: 2e9 }] });
  });

  it('has the oldest first', () => {
    const rows = [1, 3, 2].map((seconds) => ({ ...LONG, deviceNs: seconds * 1e9 }));
    expect(before({ rows }, 12.5e9)!.rows.map(({ ageNs }) => ageNs)).toEqual([3.5e9, 2.5e9, 1.5e9]);
  });

  it('is filtered by what is known since: its latency', () => {
    expect(before({}, 10.5e9, 'lat>2900ms')!.rows).toHaveLength(1);
    expect(before({}, 10.5e9, 'lat>3100ms')!.rows).toHaveLength(0);
    expect(before({}, 10.5e9, 'comm=a')!.rows).toHaveLength(0);
  });

  it('has no calls of programs', () => {
    expect(before({ rows: [LONG, { ...LONG, key: 2 }] }, 12e9)!.rows).toHaveLength(1);
  });

  it('also has what never completed, and each I/O once', () => {
    const spans = [span({}), span({ number: 2, sector: 808 }), span({ number: 3, sector: 816 })];
    const { rows } = before({ spans }, 12e9)!;
    expect(rows.map(({ sector }) => sector)).toEqual([800, 808, 816]);
  });

  it('has what still is in flight, if it was queued before', () => {
    const io = (slot: number, sinceNs: number): InFlightIo => {
      return {
        ...span({ sinceNs, sector: slot }),
        slot,
        ageNs: 20e9 - sinceNs,
        stage: 'at the device',
      };
    };
    const present = [io(24, 9e9), io(32, 12.5e9)];
    const spans = [span({ number: 7, sinceNs: 9e9, sector: 24, untilNs: Infinity })];
    const { rows } = before({ present, spans }, 12e9)!;
    expect(rows.map(({ sector, ageNs }) => [sector, ageNs])).toEqual([
      [24, 3e9],
      [800, 2e9],
    ]);
  });

  it('is only what was noted, where rows are gone or nothing has completed since', () => {
    const held = { spans: [span({ untilNs: 20e9 })] };
    const last = { completeNs: 20e9 };
    const many = Array.from({ length: 200_000 }, (_, i) => ({ completeNs: 1e9 + i * 1e5 }));
    const forgotten = before({ ...held, rows: [...many, last], detailRows: 50_000 }, 12e9);
    const atEnd = before({ ...held, rows: [{ completeNs: 12e9 }] }, 12e9);
    for (const found of [forgotten, atEnd]) {
      expect(found).toMatchObject({ hasCompleted: false });
      expect(found!.rows).toHaveLength(1);
    }
  });

  it('is unknown without times', () => {
    const rows = [{ ...LONG, queueNs: NaN, deviceNs: NaN }];
    expect(before({ rows }, 12e9)).toBeUndefined();
    expect(before({ rows: [] }, 12e9)).toBeUndefined();
  });

  it('has unknown stages, operations and sizes of logs as unknown', () => {
    const origin = { latency: 'total' } as EventSource['info']['origin'];
    const rows = [{ completeNs: 13e9, deviceNs: 3e9, queueNs: NaN, sector: NaN, key: 3 }];
    expect(before({ rows, origin }, 12e9)!.rows).toMatchObject([
      { ageNs: 2e9, stage: undefined, opClass: undefined, bytes: undefined, sector: undefined },
    ]);
  });
});
