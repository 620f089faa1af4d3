import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { timeTicks } from '../../src/export/picture/time-ticks.ts';
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

it('the times below a picture of years have room', () => {
  const time = new LocalTime({ monotonicNs: 0n, wallNs: 0n }, true);
  const ticks = timeTicks({ startNs: 0, endNs: 10 * 365 * 24 * HOUR_NS }, time, 8);
  expect(ticks.length).toBeLessThanOrEqual(9);
});

describe('where clocks change', () => {
  beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'));
  afterEach(() => vi.unstubAllEnvs());

  function ticksOf(utcMs: number, endNs: number) {
    const time = new LocalTime({ monotonicNs: 0n, wallNs: BigInt(utcMs) * 1_000_000n }, true);
    const ticks = timeTicks({ startNs: 0, endNs }, time, 8);
    return { texts: ticks.map(({ text }) => text), zones: time.zones(0, endNs), ticks };
  }

  it('times below a picture are those of the clock, and both zones are named', () => {
    const spring = ticksOf(Date.UTC(2026, 2, 29, 0, 30), HOUR_NS);
    expect(spring.texts).toEqual([
      ...['01:30:00', '01:40:00', '01:50:00', '03:00:00', '03:10:00', '03:20:00', '03:30:00'],
    ]);
    expect(spring.zones).toBe('UTC+01:00 to UTC+02:00');
    const autumn = ticksOf(Date.UTC(2026, 9, 25, 0, 30), HOUR_NS);
    expect(autumn.texts).toEqual([
      ...['02:30:00', '02:40:00', '02:50:00', '02:00:00', '02:10:00', '02:20:00', '02:30:00'],
    ]);
    expect(autumn.zones).toBe('UTC+02:00 to UTC+01:00');
  });

  it('dates below a picture are at the midnight of each side of the change', () => {
    const { texts, ticks } = ticksOf(Date.UTC(2026, 2, 27, 23), 96 * HOUR_NS);
    const midnights = ticks.filter((_, i) => /^0[34]-/.test(texts[i]!));
    expect(midnights.map(({ traceNs }) => traceNs / HOUR_NS)).toEqual([0, 24, 47, 71, 95]);
  });
});
