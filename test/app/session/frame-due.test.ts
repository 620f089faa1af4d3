import { describe, expect, it } from 'vitest';
import { isFrameDue, timesAsMany } from '../../../src/app/session/frame-due.ts';
import type { FrameFacts } from '../../../src/app/session/frame-due.ts';

/** Frames in ten seconds, of a session that could draw one every 100 ms. */
function framesOf(facts: Pick<FrameFacts, 'hasNews' | 'columnNs'>, isRare = false): number {
  let paintedAtNs = 0;
  let frames = 0;
  for (let nowNs = 100e6; nowNs <= 10e9; nowNs += 100e6) {
    if (!isFrameDue({ paintedAtNs, nowNs, isRare, ...facts })) continue;
    paintedAtNs = nowNs;
    frames++;
  }
  return frames;
}

describe('when a frame is due', () => {
  it('without I/O, when a column or a second has passed', () => {
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

  it('at once for I/O after a pause of a quarter of a second', () => {
    const afterPause = { paintedAtNs: 60e9, hasNews: true, columnNs: 60e9, isRare: false };
    expect(isFrameDue({ ...afterPause, nowNs: 60.249e9 })).toBe(false);
    expect(isFrameDue({ ...afterPause, nowNs: 60.25e9 })).toBe(true);
  });

  it('while the picture is frozen, once a second', () => {
    expect(framesOf({ hasNews: true, columnNs: undefined })).toBe(10);
    expect(framesOf({ hasNews: false, columnNs: undefined })).toBe(10);
  });

  it('while frames are rare, twice a second at most', () => {
    for (const columnNs of [100e6, 200e6, 500e6, 1e9, 60e9])
      expect(framesOf({ hasNews: true, columnNs }, true)).toBe(20);
    expect(framesOf({ hasNews: false, columnNs: 100e6 }, true)).toBe(20);
    expect(framesOf({ hasNews: false, columnNs: 1e9 }, true)).toBe(10);
  });
});

it('how many times as many frames there are while they are not rare', () => {
  expect([100e6, 250e6, 1e9].map(timesAsMany)).toEqual([5, 2, 2]);
});
