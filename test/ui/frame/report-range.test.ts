import { describe, expect, it } from 'vitest';
import type { Playback } from '../../../src/model/playback.ts';
import { reportRange } from '../../../src/ui/frame/report-range.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';

const FROZEN = { ...DEFAULT_VIEW, intervalNs: 1e9, frozenAtNs: 99.5e9 };
const COLUMNS = (): number => 60;

function playback(state: Playback['state']): Playback {
  return { state, speed: 1, share: 0.5 };
}

describe('the time that the tables are about', () => {
  it('the tables are about the last five seconds while the picture moves', () => {
    expect(reportRange(DEFAULT_VIEW, 99.5e9, COLUMNS, undefined)).toEqual({
      scope: 'recent',
      startNs: 94.5e9,
      endNs: 99.5e9,
    });
  });

  it('the tables are about what is on the screen when the picture is frozen', () => {
    const picture = { scope: 'picture', startNs: 40e9, endNs: 100e9, edgeNs: 99.5e9 };
    expect(reportRange(FROZEN, 99.5e9, COLUMNS, undefined)).toEqual(picture);
  });

  it('the tables are about what is on the screen when a replay has ended or is paused', () => {
    for (const state of ['ended', 'paused'] as const)
      expect(reportRange(DEFAULT_VIEW, 99.5e9, COLUMNS, playback(state)).scope).toBe('picture');
    expect(reportRange(DEFAULT_VIEW, 99.5e9, COLUMNS, playback('playing')).scope).toBe('recent');
  });

  it('the tables are about the column of the cursor', () => {
    const view = { ...FROZEN, cursor: { column: 3, bin: 5 } };
    const column = { scope: 'column', startNs: 43e9, endNs: 44e9, edgeNs: 99.5e9 };
    expect(reportRange(view, 99.5e9, COLUMNS, undefined)).toEqual(column);
  });

  it('the tables are about the time of the box that is being selected, in either direction', () => {
    const view = { ...FROZEN, cursor: { column: 3, bin: 5 }, anchor: { column: 10, bin: 2 } };
    const box = { scope: 'box', startNs: 43e9, endNs: 51e9, edgeNs: 99.5e9 };
    expect(reportRange(view, 99.5e9, COLUMNS, undefined)).toEqual(box);
  });

  it('the tables are about the whole picture where columns are sizes or offsets', () => {
    const view = { ...FROZEN, layout: 'size-latency', cursor: { column: 3, bin: 5 } } as const;
    expect(reportRange(view, 99.5e9, COLUMNS, undefined).scope).toBe('picture');
  });
});
