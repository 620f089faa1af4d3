import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ticker } from '../../../src/app/session/ticker.ts';
import { IoCompletion } from '../../../src/kernel/abi/layout.ts';
import type { Playback } from '../../../src/model/playback.ts';

const SMALLEST_RING = 64 << 10;
const RECORD_HEADER = 8;
const FRAMES_APART_MS = 250;
/** I/Os per ms. */
const RATES = [0.1, 0.5, 1, 1.2, 1.4, 1.45, 1.5, 1.6, 1.7, 2, 2.5, 5, 9, 10];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** The most I/Os that waited for a tick, and the ticks per second, at a steady rate once the first second is over. */
function atRate(perMs: number, replay?: Playback['state']): { most: number; perSecond: number } {
  let [ms, taken, most, ticks] = [0, 0, 0, 0];
  const ticker = new Ticker({
    onTick: () => {
      const come = Math.floor(perMs * ms);
      if (ms > 1000) most = Math.max(most, come - taken);
      if (ms > 1000) ticks++;
      taken = come;
    },
    rowsTaken: () => taken,
    replay: () => replay,
    nowNs: () => ms * 1e6,
    nextFrameNs: () => (Math.floor(ms / FRAMES_APART_MS) + 1) * FRAMES_APART_MS * 1e6,
  });
  ticker.start();
  for (; ms < 4000; ms++) vi.advanceTimersByTime(1);
  ticker.stop();
  return { most, perSecond: ticks / 3 };
}

describe('how often a session wakes up', () => {
  it('I/O at any steady rate up to 10,000 a second is taken before the smallest ring is full', () => {
    const room = SMALLEST_RING / (RECORD_HEADER + IoCompletion.bytes);
    for (const perMs of RATES) expect(atRate(perMs).most).toBeLessThan(room);
  });

  it('a session wakes up for frames alone while little I/O comes, and 20 times a second while much does', () => {
    expect(atRate(1).perSecond).toBeLessThan(5);
    expect(atRate(100).perSecond).toBeCloseTo(20, 0);
  });

  it('a session wakes up five times a second while no I/O comes', () => {
    expect(atRate(0).perSecond).toBeCloseTo(5, 0);
  });

  it('a replay that moves is loaded 20 times a second, and one that stands still is looked at ten times', () => {
    expect(atRate(0, 'playing').perSecond).toBeCloseTo(20, 0);
    expect(atRate(0, 'paused').perSecond).toBeCloseTo(10, 0);
  });
});
