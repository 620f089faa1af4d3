import { describe, expect, it } from 'vitest';
import { LossWatch } from '../../../src/ui/frame/loss-watch.ts';

describe('the watch on losses', () => {
  it('the watch on losses has the share of the last minute, whatever was before', () => {
    const watch = new LossWatch();
    watch.note(0, 0, 0);
    watch.note(940e9, 1_000_000, 0);
    watch.note(1000e9, 1_000_000, 0);
    watch.note(1030e9, 1_000_900, 100);
    expect(watch.share).toBeCloseTo(0.1);
    watch.note(1059e9, 1_001_000, 100);
    expect(watch.share).toBeGreaterThan(0.05);
    watch.note(1090e9, 1_002_000, 100);
    watch.note(1120e9, 1_003_000, 100);
    expect(watch.share).toBe(0);
  });

  it('the watch on losses reports none before there is I/O', () => {
    const watch = new LossWatch();
    expect(watch.share).toBe(0);
    watch.note(0, 0, 0);
    expect(watch.share).toBe(0);
  });

  it('the watch on losses keeps at most one sample a second, for a minute', () => {
    const watch = new LossWatch();
    for (let tick = 0; tick <= 6000; tick++) watch.note(tick * 50e6, tick * 10, tick);
    expect(watch.share).toBeCloseTo(1 / 11, 5);
  });

  it('the watch on losses starts again when time goes back, as in a replay', () => {
    const watch = new LossWatch();
    watch.note(0, 0, 0);
    watch.note(50e9, 100, 100);
    watch.note(20e9, 100, 100);
    expect(watch.share).toBe(0);
  });
});
