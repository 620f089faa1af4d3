import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ESCAPE_AT_ONCE, keyBytes } from '../../e2e/support/key-bytes.ts';
import { mouseBytes } from '../../ui/fixtures/headless-session.ts';
import { forgetSessions } from './fixtures/kept-listeners.ts';
import { SatSession } from './fixtures/sat-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'ioheat-keys-'));
const [WIDTH, HEIGHT] = [120, 40];

function typed(keys: string): string[] {
  return keys.split(' ').map((key) => (key === 'escape' ? ESCAPE_AT_ONCE : keyBytes(key)));
}

beforeEach(() => {
  // With a clock that stands still nothing is left to be counted later.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  forgetSessions();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function start(options?: { readonly history: string }): Promise<SatSession> {
  const sat = await SatSession.start('live', 1, WIDTH, HEIGHT, options);
  sat.wait(12e9);
  await sat.settle();
  return sat;
}

/** Each look at the clock takes longer than a turn, so that nothing is computed at once. */
function slowDown(): void {
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (ms += 100));
}

describe('keys typed during a search', () => {
  it.each([
    ['n enter', 'drillDown'],
    ['v n n enter', 'drillDown'],
    ['N N v left enter', 'drillDown'],
    ['! enter', 'drillDown'],
    ['N escape', 'main'],
    ['N enter escape', 'main'],
  ])('they act on what is found: %s', async (keys, mode) => {
    const sat = await start({ history: '16M' });
    slowDown();
    sat.pair.type(typed(keys).join(''));
    await sat.settle();
    expect(sat.view).toMatchObject({ mode, seeks: undefined });
    await sat.quit();
  });

  it('they are dropped where nothing is found', async () => {
    const sat = await start({ history: '16M' });
    slowDown();
    sat.pair.type(typed('v n n n n n n n n n n n n n enter').join(''));
    await sat.settle();
    expect(sat.view).toMatchObject({ mode: 'cursor', notice: 'no later burst; N goes back' });
    await sat.quit();
  });
});

describe('a click during a search', () => {
  it('drops the keys that wait for the search, which a later search would press', async () => {
    const sat = await start({ history: '16M' });
    slowDown();
    const click = mouseBytes(0, 60, 12);
    sat.pair.type(`${typed('N enter').join('')}${click}`);
    await sat.settle();
    expect(sat.view).toMatchObject({ mode: 'cursor', seeks: undefined });
    sat.pair.type(typed('escape N').join(''));
    await sat.settle();
    expect(sat.view).toMatchObject({ mode: 'cursor', seeks: undefined });
    await sat.quit();
  });
});

describe('a key between two frames', () => {
  it('freezes the picture with all I/O that has come by then', async () => {
    const sat = await start();
    const { rowsTaken } = sat.monitor;
    sat.letTimePass(40e6);
    sat.framesAfter(keyBytes('space'));
    const frozen = sat.monitor.rowsTaken;
    expect(frozen).toBeGreaterThan(rowsTaken);
    sat.step(0, 100);
    expect(sat.monitor.rowsTaken).toBe(frozen);
    await sat.quit();
  });
});

describe('keys that come together', () => {
  it('keys that arrive together are painted in one frame', async () => {
    const sat = await start();
    expect(sat.framesAfter(typed('v left left up left up up left').join(''))).toBe(1);
    expect(sat.view.mode).toBe('cursor');
    await sat.quit();
  });

  it('keys that arrive before Ctrl-L are painted before the redraw', async () => {
    const sat = await start();
    expect(sat.framesAfter(typed('2 y x ctrl+l').join(''))).toBe(2);
    await sat.quit();
  });

  it.each([
    'space left left right left',
    '2 y x w + + -',
    'v left left up enter down down escape',
    '! escape 3 v right',
    '/ o p = w r i t e enter p enter',
    'G G down down enter',
    'o r escape G p down enter',
    'V V v left left',
    '? down escape t escape C down space escape',
  ])('keys typed at once lead to the same view as typed one by one: %s', async (keys) => {
    const [together, apart] = [await start(), await start()];
    together.pair.type(typed(keys).join(''));
    await together.settle();
    for (const key of typed(keys)) {
      apart.pair.type(key);
      await apart.settle();
    }
    expect(together.view).toEqual(apart.view);
    await together.quit();
    await apart.quit();
  });
});
