import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetSessions } from './fixtures/kept-listeners.ts';
import { SatSession } from './fixtures/sat-session.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.stubEnv('XDG_CONFIG_HOME', '/nowhere');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  forgetSessions();
});

describe('a resized terminal', () => {
  it('leaves the cross-hair and its box where they were, if it was too small meanwhile', async () => {
    const sat = await SatSession.start('live', 1, 100, 30);
    sat.wait(12e9);
    await sat.settle();
    for (const key of ['v', 'v', 'H', 'j', 'j']) {
      sat.pair.type(key);
      await sat.settle();
    }
    const { cursor, anchor } = sat.view;
    expect([cursor, anchor]).not.toContain(undefined);
    for (const [width, height] of [
      [30, 8],
      [1, 1],
      [100, 30],
    ] as const) {
      sat.pair.resize(width, height);
      await sat.settle();
    }
    expect(sat.view).toMatchObject({ cursor, anchor });
    await sat.quit();
  });

  it('does not widen the columns where it is too small for any', async () => {
    const sat = await SatSession.start('replay', 1, 30, 8, { history: '16M' });
    sat.pair.resize(100, 30);
    await sat.settle();
    const { intervalNs } = sat.view;
    expect(intervalNs).toBeLessThanOrEqual(500e6);
    for (const [width, height] of [
      [30, 8],
      [100, 30],
    ] as const) {
      sat.pair.resize(width, height);
      await sat.settle();
    }
    expect(sat.view.intervalNs).toBe(intervalNs);
    await sat.quit();
  });
});
