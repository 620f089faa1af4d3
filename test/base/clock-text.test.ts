import { describe, expect, it } from 'vitest';
import { clockText, preciseClockText, timeRangeText } from '../../src/base/clock-text.ts';
import { CLOCK_BASE, WALL_MS } from '../ui/fixtures/chrome-state.ts';

describe('the time of day', () => {
  it('a time of day is printed with all its digits', () => {
    expect(clockText(WALL_MS)).toBe('14:02:11');
    expect(clockText(Date.UTC(2024, 0, 1, 3, 4, 5, 999))).toBe('03:04:05');
    expect(preciseClockText(WALL_MS + 7.9)).toBe('14:02:11.007');
  });

  it('a time of day has milliseconds where whole seconds would look the same', () => {
    expect(timeRangeText(CLOCK_BASE, 0, 1e9)).toBe('14:02:11–14:02:12');
    expect(timeRangeText(CLOCK_BASE, 5e8, 6e8)).toBe('14:02:11.500–14:02:11.600');
  });

  it('a short stretch has tenths of a second where whole seconds would be of another length', () => {
    expect(timeRangeText(CLOCK_BASE, 0.358e9, 1.858e9)).toBe('14:02:11.3–14:02:12.8');
    expect(timeRangeText(CLOCK_BASE, 0, 1.5e9)).toBe('14:02:11.0–14:02:12.5');
    expect(timeRangeText(CLOCK_BASE, 0.358e9, 2.358e9)).toBe('14:02:11–14:02:13');
    expect(timeRangeText(CLOCK_BASE, 0.358e9, 12.858e9)).toBe('14:02:11–14:02:23');
  });
});
