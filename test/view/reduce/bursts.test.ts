import { describe, expect, test } from 'vitest';
import type { Burst } from '../../../src/model/bursts.ts';
import { rowAt, viewAfter, WORLD } from '../fixtures.ts';
import type { World } from '../fixtures.ts';

/** At these seconds; a column of the picture, which shows seconds 901 to 1000, is one second wide. */
function burstsAt(...seconds: number[]): Burst[] {
  return seconds.map((second) => ({
    firstColumn: second,
    lastColumn: second,
    atNs: second * 1e9 + 2e8,
    withinNs: 0,
    latencyNs: 5e8,
  }));
}

const bursts = burstsAt(320, 860, 905, 950, 995);
/** Drawn in the column of its time. */
const place: World['place'] = ({ frozenAtNs = WORLD.nowNs, intervalNs }, { atNs }) => ({
  column: Math.floor(atNs / intervalNs) - Math.floor(frozenAtNs / intervalNs) + 99,
  bin: 40,
});

const next = { type: 'nextBurst', step: 1 } as const;
const previous = { type: 'nextBurst', step: -1 } as const;

describe('bursts of slow I/O', () => {
  test('the previous one is reached from the main screen, with its rhythm, under a frozen picture', () => {
    const view = viewAfter([previous], { world: { bursts, place } });
    expect(view).toMatchObject({ mode: 'cursor', frozenAtNs: WORLD.nowNs, seeks: undefined });
    expect(view.cursor?.column).toBe(94);
    expect(view.notice).toBe(
      'burst up to 500ms, 4 times, every 45s; 45.0s after the previous; Enter opens it',
    );
  });

  test('each key goes one further, also beyond the left edge of the picture', () => {
    const world = { bursts, place };
    const first = viewAfter([previous, previous, previous], { world });
    expect(first.cursor?.column).toBe(4);
    const older = viewAfter([previous, previous], { from: first, world });
    expect(older.notice).toContain('the first');
    expect(older.frozenAtNs).toBeLessThan(400e9);
    const back = viewAfter([next], { from: older, world });
    expect(back.notice).toContain('540.0s after the previous');
  });

  test('a burst over several columns says how long it is', () => {
    const long = [{ ...bursts[1]!, lastColumn: 863 }];
    const view = viewAfter([previous], { world: { bursts: long } });
    expect(view.notice).toBe('burst up to 500ms for 4.0s; the first; Enter opens it');
  });

  test('without a further burst of slow I/O everything stays where it was', () => {
    const from = viewAfter([previous], { world: { bursts, place } });
    const view = viewAfter([next], { from, world: { bursts, place } });
    expect(view).toEqual({ ...from, notice: 'no later burst; N goes back' });
    const none = viewAfter([previous], { world: { bursts: [] } });
    expect(none).toMatchObject({ mode: 'main', cursor: undefined, frozenAtNs: undefined });
    expect(none.notice).toBe('no I/O is much slower than the rest: no bursts');
  });

  test('while the history is read the search can go on later', () => {
    const waiting = viewAfter([previous], { world: { bursts: 'searching' } });
    expect(waiting.seeks?.kind).toBe('bursts');
    const view = viewAfter([{ type: 'seekOn' }], { from: waiting, world: { bursts, place } });
    expect(view.cursor?.column).toBe(94);
  });

  test('columns that get wider by themselves do not end the search', () => {
    const from = { ...viewAfter([]), fitsInterval: true };
    const waiting = viewAfter([previous], { from, world: { bursts: 'searching' } });
    const view = viewAfter([{ type: 'passTime' }], { from: waiting });
    expect(view.seeks).toEqual(waiting.seeks);
  });

  test('they are of the latency last shown, which the picture then shows', () => {
    const from = viewAfter([{ type: 'setMetric', metric: 'offset' }]);
    const view = viewAfter([previous], { from, world: { bursts, place } });
    expect(view.metric).toBe('total');
  });

  test('a map of two values, whose cross-hair has no time, gives way to a map over time', () => {
    const cursor = { column: 10, bin: 3 };
    const joint = { ...viewAfter([]), layout: 'size-latency', mode: 'cursor', cursor } as const;
    const view = viewAfter([previous], { from: joint, world: { bursts, place } });
    expect(view).toMatchObject({ layout: 'single', cursor: { column: 94 } });
    expect(view.notice).toContain('which a map of two values cannot show');
    const older = viewAfter([previous], { from: view, world: { bursts, place } });
    expect(older.cursor?.column).toBe(49);
    const none = viewAfter([previous], { from: joint, world: { bursts: [] } });
    expect(none).toMatchObject({ layout: 'size-latency', cursor });
  });

  test('a zoom of offsets does not stay as one of latencies; a zoom of latencies does', () => {
    const valueRange = { low: 4e9, high: 8e9 };
    const world = { bursts, place };
    const offset = { ...viewAfter([{ type: 'setMetric', metric: 'offset' }]), valueRange };
    expect(viewAfter([previous], { from: offset, world }).valueRange).toBeUndefined();
    const total = { ...viewAfter([]), valueRange };
    expect(viewAfter([previous], { from: total, world }).valueRange).toBe(valueRange);
  });

  test('n repeats a search where there is one', () => {
    const from = { ...viewAfter([]), findText: 'sql' };
    const view = viewAfter([{ type: 'nextMatch', step: 1 }], { from, world: { bursts, place } });
    expect(view).toMatchObject({ mode: 'main', processRow: rowAt(3) });
    const without = viewAfter([{ type: 'nextMatch', step: -1 }], { world: { bursts, place } });
    expect(without.mode).toBe('cursor');
  });
});
