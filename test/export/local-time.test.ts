import { expect, it } from 'vitest';
import { LocalTime } from '../../src/export/picture/local-time.ts';

const HOUR_NS = 3600e9;

it('a time before the first line of a log without a calendar is negative, not one of the evening before', () => {
  const time = new LocalTime({ monotonicNs: 0n, wallNs: 0n }, false);
  expect(time.clock(-0.2e9, 3)).toBe('-00:00:00.200');
  expect(time.clock(0.2e9, 3)).toBe('00:00:00.200');
  expect(time.clock(25 * HOUR_NS)).toBe('1d 01:00:00');
});

it('a time before the first line of a log with a calendar is a time of day', () => {
  const wallNs = BigInt(Date.UTC(2026, 0, 31)) * 1_000_000n;
  expect(new LocalTime({ monotonicNs: 0n, wallNs }, true).clock(-HOUR_NS)).toBe('23:00:00');
});

it('a trace that starts within a millisecond has the same milliseconds as its exported rows', () => {
  const wallNs = BigInt(Date.UTC(2026, 0, 31, 14, 2)) * 1_000_000n + 900_000n;
  const time = new LocalTime({ monotonicNs: 0n, wallNs }, true);
  expect(time.clock(5e6, 3)).toMatch(/:00\.005$/);
  expect(time.clock(5.1e6, 3)).toMatch(/:00\.006$/);
});
