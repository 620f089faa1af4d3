import { describe, expect, it } from 'vitest';
import { isFrameDue, isReplayFrameDue, timesAsMany } from '../../../src/app/session/frame-due.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { FrameFacts, ReplayFrame } from '../../../src/app/session/frame-due.ts';

/** Frames in ten seconds, of a session that could draw one every 100 ms. */
function framesOf(facts: Pick<FrameFacts, 'hasNews' | 'columnNs'>, apartNs = 0): number {
  let paintedAtNs = 0;
  let frames = 0;
  for (let nowNs = 100e6; nowNs <= 10e9; nowNs += 100e6) {
    if (!isFrameDue({ paintedAtNs, nowNs, apartNs, ...facts })) continue;
    paintedAtNs = nowNs;
    frames++;
  }
  return frames;
}

describe('when a frame is due', () => {
  it('without I/O, a frame is due when a column or a second has passed', () => {
    expect(framesOf({ hasNews: false, columnNs: 100e6 })).toBe(100);
    expect(framesOf({ hasNews: false, columnNs: 500e6 })).toBe(20);
    expect(framesOf({ hasNews: false, columnNs: 1e9 })).toBe(10);
    expect(framesOf({ hasNews: false, columnNs: 60e9 })).toBe(10);
  });

  it('while I/O comes, four times a second, however wide columns are', () => {
    expect(framesOf({ hasNews: true, columnNs: 100e6 })).toBe(100);
    expect(framesOf({ hasNews: true, columnNs: 1e9 })).toBe(40);
    expect(framesOf({ hasNews: true, columnNs: 60e9 })).toBe(40);
  });

  it('a frame is due at once for I/O after a pause of a quarter of a second', () => {
    const afterPause = { paintedAtNs: 60e9, hasNews: true, columnNs: 60e9, apartNs: 0 };
    expect(isFrameDue({ ...afterPause, nowNs: 60.249e9 })).toBe(false);
    expect(isFrameDue({ ...afterPause, nowNs: 60.25e9 })).toBe(true);
  });

  it('while the picture is frozen, once a second', () => {
    expect(framesOf({ hasNews: true, columnNs: undefined })).toBe(10);
    expect(framesOf({ hasNews: false, columnNs: undefined })).toBe(10);
  });

  it('with a budget, a frame is due five times a second at most, of an even number of short columns', () => {
    expect(framesOf({ hasNews: true, columnNs: 100e6 }, 200e6)).toBe(50);
    expect(framesOf({ hasNews: true, columnNs: 1e9 }, 200e6)).toBe(40);
  });

  it('while frames are rare, twice a second at most', () => {
    for (const columnNs of [100e6, 200e6, 500e6, 1e9, 60e9])
      expect(framesOf({ hasNews: true, columnNs }, 500e6)).toBe(20);
  });

  it('with a budget and without I/O, a frame is due once a second, and at once when I/O comes', () => {
    for (const columnNs of [100e6, 200e6, 500e6, 1e9, 60e9])
      expect(framesOf({ hasNews: false, columnNs }, 200e6)).toBe(10);
    const quiet = { paintedAtNs: 60e9, columnNs: 100e6, apartNs: 200e6, nowNs: 60.3e9 };
    expect(isFrameDue({ ...quiet, hasNews: false })).toBe(false);
    expect(isFrameDue({ ...quiet, hasNews: true })).toBe(true);
  });

  it('while frames are rarer still, once a second', () => {
    for (const columnNs of [100e6, 200e6, 500e6, 1e9, 60e9])
      expect(framesOf({ hasNews: true, columnNs }, 1e9)).toBe(10);
  });
});

describe('when a frame of a replay is due', () => {
  const painted: ReplayFrame = {
    ...{ view: DEFAULT_VIEW, version: 1, state: 'paused', share: 0.5, atMs: 1000 },
  };
  const isDue = (changes: Partial<ReplayFrame>, before: ReplayFrame | undefined = painted) =>
    isReplayFrameDue(before, { ...painted, atMs: 1100, ...changes });

  it('each time while it plays, loads or follows, and the first time', () => {
    for (const state of ['playing', 'loading', 'following'] as const)
      expect(isDue({ state }, { ...painted, state })).toBe(true);
    expect(isReplayFrameDue(undefined, painted)).toBe(true);
  });

  it('while it stands still, only for what has changed', () => {
    expect(isDue({})).toBe(false);
    expect(isDue({ state: 'ended' }, { ...painted, state: 'ended' })).toBe(false);
    expect(isDue({ state: 'ended' })).toBe(true);
    expect(isDue({ version: 2 })).toBe(true);
    expect(isDue({ share: 0.6 })).toBe(true);
    expect(isDue({ view: { ...DEFAULT_VIEW, notice: 'new' } })).toBe(true);
  });

  it('a frame of a replay is due once a second, too, for notices that pass', () => {
    expect(isDue({ atMs: 1999 })).toBe(false);
    expect(isDue({ atMs: 2000 })).toBe(true);
  });
});

it('how many times as many frames there are at the step before', () => {
  const times = (step: number) => [100e6, 250e6, 1e9].map((ns) => timesAsMany(ns, step));
  expect(times(0)).toEqual([1, 1, 1]);
  expect(times(1)).toEqual([2.5, 2, 2]);
  expect(times(2)).toEqual([2, 2, 2]);
});
