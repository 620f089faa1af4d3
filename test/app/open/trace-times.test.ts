import { expect, test } from 'vitest';
import { timeRange } from '../../../src/app/open/trace-times.ts';
import type { TraceExtent, TraceHeader } from '../../../src/trace/trace-reader.ts';
import { HEADER } from '../../trace/recording/fixtures/record.ts';
import { must } from '../../must.ts';

const MINUTE_NS = 60e9;
/** A trace from 14:00 to 14:10, local time. */
const START_MS = new Date(2026, 2, 10, 14, 0).getTime();
const header: TraceHeader & { readonly extent: TraceExtent } = {
  ...HEADER,
  kind: 'recording',
  hasWallClock: true,
  clockBase: { monotonicNs: 0n, wallNs: BigInt(START_MS) * 1_000_000n },
  extent: { startNs: 0, endNs: 10 * MINUTE_NS, rows: 100 },
};

function minutes(from: string | undefined, to: string | undefined): [number, number] {
  const range = must(timeRange(from, to, header, header.extent.endNs));
  return [range.fromNs / MINUTE_NS, range.toNs / MINUTE_NS];
}

test('a time of day is the one in the trace', () => {
  expect(minutes('14:02', '14:08:30')).toEqual([2, 8.5]);
});

test('a time of day before the start or after the end is the nearest one, not that of another day', () => {
  expect(minutes('13:30', '14:30')).toEqual([-30, 30]);
  expect(minutes('15:00', undefined)).toEqual([60, Infinity]);
});

test.each(['14:02', '2026-03-10 14:02', '2026-03-10T14:02Z'])(
  'the time %s is refused in a log without dates, whose times count from its start',
  (word) => {
    const undated = { ...header, kind: 'import', hasWallClock: false } as const;
    const range = timeRange(word, undefined, undated, header.extent.endNs);
    expect(range.ok ? range.value : range.error.what).toBe(
      '--from: this log has no dates; use +30s for a time after its start',
    );
  },
);

test('a time is exact where the trace started within a millisecond', () => {
  const wallNs = BigInt(START_MS) * 1_000_000n - 100_000n;
  const clockBase = { monotonicNs: 0n, wallNs };
  const range = timeRange('14:02', '14:08', { ...header, clockBase }, header.extent.endNs);
  const lateNs = 100_000;
  expect(range).toEqual({
    ok: true,
    value: { fromNs: 2 * MINUTE_NS + lateNs, toNs: 8 * MINUTE_NS + lateNs },
  });
});

test.each(['+99999999999h', '99999999999h ago', '9999-12-31 23:59', '0001-01-01T00:00Z'])(
  'the time %s, which no picture of the trace could have room for, is refused',
  (word) => {
    const range = timeRange(undefined, word, header, header.extent.endNs);
    expect(range.ok ? range.value : range.error).toMatchObject({
      exitCode: 2,
      what: `--to: ${word} is more than 10 years from the trace`,
      remedy: 'choose a time in it',
    });
  },
);

test('a date with a zone is as exact as those in exported rows', () => {
  const utc = new Date(START_MS).toISOString().slice(0, 19);
  const [fromMinutes] = minutes(`${utc}.000500Z`, undefined);
  expect(fromMinutes).toBeCloseTo(500_000 / MINUTE_NS, 8);
});

test('a picture may start years before its trace', () => {
  expect(minutes('2020-03-10T14:00Z', undefined)[0]).toBeLessThan(0);
});
