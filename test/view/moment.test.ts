import { describe, expect, it, vi } from 'vitest';
import { parseMoment } from '../../src/view/moment.ts';
import type { MomentRange } from '../../src/view/moment.ts';

const NOW = Date.UTC(2026, 2, 10, 14, 30, 0);

describe('parseMoment', () => {
  it.each([
    ['14:02', Date.UTC(2026, 2, 10, 14, 2)],
    ['14:02:30', Date.UTC(2026, 2, 10, 14, 2, 30)],
    ['14:02:30.185', Date.UTC(2026, 2, 10, 14, 2, 30, 185)],
    ['9:05', Date.UTC(2026, 2, 10, 9, 5)],
    ['3m ago', NOW - 180_000],
    ['-90s', NOW - 90_000],
    ['- 2h', NOW - 7_200_000],
    ['2026-03-09 23:59', Date.UTC(2026, 2, 9, 23, 59)],
    ['2026-03-09T23:59:01', Date.UTC(2026, 2, 9, 23, 59, 1)],
    ['2026-03-09 23:59:01.000250', Date.UTC(2026, 2, 9, 23, 59, 1) + 0.25],
    ['2026-03-09T23:59Z', Date.UTC(2026, 2, 9, 23, 59)],
    ['2026-03-09T23:59:01.000250Z', Date.UTC(2026, 2, 9, 23, 59, 1) + 0.25],
    ['2026-03-09 23:59+01:00', Date.UTC(2026, 2, 9, 22, 59)],
    ['2026-03-09 23:59:30 -0330', Date.UTC(2026, 2, 10, 3, 29, 30)],
  ])('the moment %s can be typed', (text, ms) => {
    expect(parseMoment(text, NOW)).toEqual({ ok: true, value: ms });
  });

  it('yesterday is the day before, also on a day that has 25 hours', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    try {
      const now = Date.parse('2026-10-25T23:30:00+01:00');
      const then = Date.parse('2026-10-24T23:45:00+02:00');
      expect(parseMoment('23:45', now)).toEqual({ ok: true, value: then });
      const within = { fromMs: now - 3 * 86_400_000, toMs: now };
      expect(parseMoment('23:45', now, within)).toEqual({ ok: true, value: then });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    ['Europe/Berlin', '2026-10-25T02:30:00+01:00', '2026-10-25T02:30:00+02:00'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00+10:30', '2026-04-05T01:45:00+11:00'],
  ])(
    'of a time of day that comes twice where clocks change, the last is meant, in %s',
    (zone, last, first) => {
      vi.stubEnv('TZ', zone);
      try {
        const [lastMs, firstMs] = [Date.parse(last), Date.parse(first)];
        const word = last.slice(11, 16);
        const at = (nowMs: number, within?: MomentRange) => parseMoment(word, nowMs, within);
        const morning = lastMs + 4 * 3600e3;
        expect(at(morning)).toEqual({ ok: true, value: lastMs });
        expect(at(lastMs - 60e3)).toEqual({ ok: true, value: firstMs });
        const night = { fromMs: firstMs - 3600e3, toMs: morning };
        expect(at(morning, night)).toEqual({ ok: true, value: lastMs });
        expect(at(lastMs - 300e3, { ...night, toMs: lastMs - 300e3 })).toEqual({
          ok: true,
          value: firstMs,
        });
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  it('a time of day still to come means yesterday', () => {
    expect(parseMoment('23:00', NOW)).toEqual({ ok: true, value: Date.UTC(2026, 2, 9, 23) });
  });

  it('a date with a zone is the same moment in each zone', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    try {
      const ms = Date.UTC(2026, 2, 9, 23, 59);
      expect(parseMoment('2026-03-09T23:59Z', NOW)).toEqual({ ok: true, value: ms });
      expect(parseMoment('2026-03-10 00:59', NOW)).toEqual({ ok: true, value: ms });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    ...['', '25:00', '14:60', 'noon', '3 ago', '2026-02-30 10:00', '2026-13-01 10:00'],
    ...['2026-02-30T10:00Z', '2026-03-09T25:00Z', '14:02Z', '+30s'],
  ])('the moment %j is refused', (text) => {
    expect(parseMoment(text, NOW).ok).toBe(false);
  });
});
