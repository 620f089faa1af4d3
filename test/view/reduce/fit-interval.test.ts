import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVALS_NS } from '../../../src/model/metric.ts';
import type { Facts } from '../../../src/view/facts.ts';
import { FIRST_WIDTH_NS, LAST_WIDTH_NS } from '../../../src/view/reduce/fit-interval.ts';
import { reduce } from '../../../src/view/reduce/reduce.ts';
import { settingsOf } from '../../../src/view/settings.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';

const FITTING: ViewState = { ...DEFAULT_VIEW, fitsInterval: true, intervalNs: FIRST_WIDTH_NS };

function facts(partial: Partial<Facts>): Facts {
  const [list, layers] = [{ rows: 0, height: 0 }, []];
  return {
    ...{ nowNs: 0, startNs: 0, realMs: 0, wallNowMs: 0, columns: 100, bins: 20 },
    ...{ stackLacks: () => 0, list, layers },
    table: { length: 0, selected: undefined, rowAt: (place) => ({ id: '', place }) },
    ...partial,
  };
}

function fit(state: ViewState, partial: Partial<Facts>): ViewState {
  return reduce(state, { type: 'passTime' }, facts(partial)).state;
}

describe('fitted interval', () => {
  it.each([
    [9.9, 0.1],
    [10, 0.2],
    [19.9, 0.2],
    [20, 0.5],
    [49.9, 0.5],
    [50, 1],
    [5000, 1],
  ])('%d s after a live trace of 100 columns started, a column is %d s', (seconds, width) => {
    expect(fit(FITTING, { nowNs: seconds * 1e9 }).intervalNs).toBe(width * 1e9);
  });

  it('a fitted interval is named when it changes while tracing', () => {
    expect(fit(FITTING, { nowNs: 15e9 }).notice).toBe('one column is 200ms');
  });

  it('a change of the fitted interval does not replace a notice', () => {
    expect(fit({ ...FITTING, notice: 'following' }, { nowNs: 15e9 }).notice).toBe('following');
  });

  it('what is said of a column is replaced when columns get wider again', () => {
    const once = fit(FITTING, { nowNs: 19.9e9 });
    expect(fit(once, { nowNs: 20e9 }).notice).toBe('one column is 500ms');
  });

  it('a notice that no key asked for ends after five seconds', () => {
    const said = fit(FITTING, { nowNs: 10e9, realMs: 700 });
    expect(fit(said, { nowNs: 14.9e9, realMs: 5600 }).notice).toBe('one column is 200ms');
    expect(fit(said, { nowNs: 15e9, realMs: 5700 }).notice).toBeUndefined();
  });

  it('a notice that no key asked for ends after five real seconds, whether a replay stands or races', () => {
    const action = { type: 'notify', notice: 'b does nothing here', passes: true } as const;
    const said = reduce(DEFAULT_VIEW, action, facts({ nowNs: 10e9, realMs: 700 })).state;
    expect(fit(said, { nowNs: 900e9, realMs: 5600 }).notice).toBe('b does nothing here');
    expect(fit(said, { nowNs: 10e9, realMs: 5700 }).notice).toBeUndefined();
  });

  it('the answer to a key stays when an earlier notice ends', () => {
    const said = { ...fit(FITTING, { nowNs: 10e9 }), notice: 'following' };
    expect(fit(said, { nowNs: 15e9, realMs: 5000 })).toMatchObject({
      notice: 'following',
      passing: undefined,
    });
  });

  it('a note from another terminal is shown for five seconds', () => {
    const action = { type: 'notify', notice: 'note: deployed', passes: true } as const;
    const said = reduce(DEFAULT_VIEW, action, facts({ nowNs: 10e9 })).state;
    expect(fit(said, { nowNs: 14e9, realMs: 4000 }).notice).toBe('note: deployed');
    expect(fit(said, { nowNs: 16e9, realMs: 6000 }).notice).toBeUndefined();
  });

  it('the fitted interval does not change while the picture is frozen', () => {
    const frozen = { ...FITTING, frozenAtNs: 5e9 };
    expect(fit(frozen, { nowNs: 500e9 })).toBe(frozen);
  });

  it('an interval chosen by hand is not fitted any more', () => {
    const chosen = reduce(FITTING, { type: 'stepInterval', step: 1 }, facts({})).state;
    expect(fit(chosen, { nowNs: 500e9 })).toBe(chosen);
  });

  it('only an interval chosen by hand is saved as a setting', () => {
    const chosen = reduce(FITTING, { type: 'stepInterval', step: 1 }, facts({})).state;
    expect(settingsOf(FITTING)).not.toHaveProperty('intervalNs');
    expect(settingsOf(chosen)).toHaveProperty('intervalNs', INTERVALS_NS[1]);
  });

  it('the layer is not saved as a setting, because the next machine may have nothing in it', () => {
    expect(settingsOf({ ...DEFAULT_VIEW, layer: 'volumes' })).not.toHaveProperty('layer');
  });

  it('the fitted interval shows all of a recording, over half the screen or more', () => {
    const span = fc.record({
      startNs: fc.integer({ min: 0, max: 1e15 }),
      lengthNs: fc.integer({ min: 10e9, max: 30 * 86_400e9 }),
      columns: fc.integer({ min: 20, max: 400 }),
    });
    fc.assert(
      fc.property(span, ({ startNs, lengthNs, columns }) => {
        const endNs = startNs + lengthNs;
        const { intervalNs } = fit(FITTING, { replay: { startNs, endNs }, columns });
        const needed = Math.floor(endNs / intervalNs) - Math.floor(startNs / intervalNs) + 1;
        expect(needed).toBeLessThanOrEqual(columns);
        if (intervalNs > FIRST_WIDTH_NS) expect(needed).toBeGreaterThan(columns / 2 - 1);
      }),
    );
  });

  it('the fitted interval follows a recording of unknown end as far as it is loaded', () => {
    const replay = { startNs: 0, endNs: Infinity };
    expect(fit(FITTING, { nowNs: 30e9, replay }).intervalNs).toBe(0.4e9);
  });

  it('the fitted interval does not change under a cross-hair, which would be at another time', () => {
    const replay = { startNs: 0, endNs: Infinity };
    const cursor = { column: 9, bin: 3 };
    const marked: ViewState = { ...FITTING, mode: 'cursor', frozenAtNs: 5e9, cursor };
    expect(fit(marked, { nowNs: 30e9, replay })).toBe(marked);
  });

  it('the fitted interval never gets shorter by itself', () => {
    const wide = { ...FITTING, intervalNs: LAST_WIDTH_NS };
    expect(fit(wide, { nowNs: 1e9 })).toBe(wide);
  });
});
