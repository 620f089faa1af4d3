import { expect, test } from 'vitest';
import { formatError } from '../../../src/base/result.ts';
import { parseStartAt } from '../../../src/app/open/start-at.ts';

const MINUTE_NS = 60e9;
/** From 14:00:00 to 14:10:00. */
const base = { monotonicNs: 0n, wallNs: BigInt(Date.UTC(2026, 2, 10, 13, 59)) * 1_000_000n };
const span = { startNs: MINUTE_NS, endNs: 11 * MINUTE_NS, hasDates: true };

function place(text: string): unknown {
  const parsed = parseStartAt(text, base, span);
  return parsed.ok ? parsed.value : parsed.error;
}

test.each([
  ['50%', { kind: 'share', share: 0.5 }],
  [' 12.5% ', { kind: 'share', share: 0.125 }],
  ['250%', { kind: 'share', share: 1 }],
  ['90s', { kind: 'time', atNs: MINUTE_NS + 90e9 }],
  ['+90s', { kind: 'time', atNs: MINUTE_NS + 90e9 }],
  ['2026-03-10T14:02Z', { kind: 'time', atNs: 3 * MINUTE_NS }],
  ['2026-03-10 15:02+01:00', { kind: 'time', atNs: 3 * MINUTE_NS }],
  ['14:02', { kind: 'time', atNs: 3 * MINUTE_NS }],
  ['14:02:30', { kind: 'time', atNs: 3.5 * MINUTE_NS }],
])('--at accepts %j', (text, expected) => {
  expect(place(text)).toEqual(expected);
});

test.each([
  ['14:11', '--at: 14:11 is after the end, 14:10:00'],
  ['11m', '--at: 11m is after the end, 14:10:00'],
  ['13:58', '--at: 13:58 is before the first I/O, 14:00:00'],
])('--at %j, outside the trace, is a usage error that says where the trace is', (text, problem) => {
  const parsed = parseStartAt(text, base, span);
  expect(parsed.ok ? '' : formatError(parsed.error)).toContain(problem);
  expect(parsed).toMatchObject({ ok: false, error: { exitCode: 2 } });
});

test('--at finds a time of day in a trace whose end is not known', () => {
  expect(parseStartAt('14:02', base, { ...span, endNs: undefined })).toMatchObject({
    value: { kind: 'time', atNs: 3 * MINUTE_NS },
  });
});

test('--at in the minute of the first I/O starts with it, and is refused for a frame that would end before it', () => {
  const late = { ...span, startNs: MINUTE_NS + 11e9 };
  expect(parseStartAt('14:00', base, late)).toMatchObject({
    value: { kind: 'time', atNs: MINUTE_NS + 11e9 },
  });
  const frame = parseStartAt('14:00', base, late, true);
  expect(frame.ok ? '' : formatError(frame.error)).toBe(
    '--at: 14:00 is before the first I/O, 14:00:11; choose a time in the trace',
  );
  expect(parseStartAt('14:01', base, late, true).ok).toBe(true);
});

test.each(['', 'nonsense', '-5%', '25:00'])(
  '--at %j is a usage error that names valid forms',
  (text) => {
    expect(place(text)).toMatchObject({ exitCode: 2 });
    expect(JSON.stringify(place(text))).toContain(', or 50%');
  },
);

test.each(['14:02', '2026-01-31 14:02', '00:00:03'])(
  '--at %j is refused for a log without dates, as --from is',
  (text) => {
    const parsed = parseStartAt(text, base, { ...span, endNs: undefined, hasDates: false });
    expect(parsed.ok ? '' : formatError(parsed.error)).toBe(
      '--at: this log has no dates; use 50% or +90s',
    );
  },
);

test('--at 3m ago is before the end, and refused where the end is not known', () => {
  expect(place('3m ago')).toEqual({ kind: 'time', atNs: 8 * MINUTE_NS });
  expect(parseStartAt('3m ago', base, { ...span, endNs: undefined })).toMatchObject({
    error: { what: '--at', why: 'the end of this trace is not known yet' },
  });
});

test('--at accepts a share and a time after the start for a log without dates', () => {
  const undated = { ...span, endNs: undefined, hasDates: false };
  expect(parseStartAt('50%', base, undated).ok).toBe(true);
  expect(parseStartAt('90s', base, undated)).toMatchObject({ value: { atNs: MINUTE_NS + 90e9 } });
});
