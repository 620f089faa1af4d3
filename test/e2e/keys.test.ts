import { expect, test } from 'vitest';
import { actionOf } from '../../src/view/keys/find-binding.ts';
import { Key } from './pty.ts';
import type { PtySession } from './pty.ts';
import { visibleDifferences } from '../terminal/compare-cells.ts';
import { ESCAPE_AT_ONCE, keyBytes } from './support/key-bytes.ts';
import { ALL_KEYS, keysOf, waysIntoModes } from './support/modes.ts';
import {
  drawAnew,
  everyTime,
  freeze,
  framesDrawn,
  isFrozen,
  isWhole,
  leftovers,
} from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat } = useSessions();

const WAYS = waysIntoModes();
const SHORT_COLUMNS = ['demo', '--interval', '100ms'];

function typed(keys: readonly string[]): string {
  return keys.map((key) => (key === 'escape' ? ESCAPE_AT_ONCE : keyBytes(key))).join('');
}

/** They are loaded when they are first opened, and a screen must not change by that later on. */
async function loadCharts(session: PtySession): Promise<void> {
  const areShown = (): boolean => session.screen().some((line) => line.startsWith('I/Os per s'));
  session.type('t');
  await session.waitUntil(areShown, 'waiting for the charts');
  session.type('t');
  await session.waitUntil(() => !areShown() && isWhole(session), 'waiting for the picture');
}

/** The main screen, frozen, whatever has been opened before. */
async function goHome(session: PtySession): Promise<void> {
  await drawAnew(session, ESCAPE_AT_ONCE.repeat(WAYS.size));
  if (!isFrozen(session)) await freeze(session, 100);
}

test('the key tests visit every mode of the program', () => {
  expect([...WAYS.keys()]).toEqual(expect.arrayContaining(['main', 'help', 'cursor', 'drillDown']));
});

test.each([...WAYS])(
  'in the mode "%s" every key leaves the terminal as painted',
  async (mode, way) => {
    const session = ioheat(SHORT_COLUMNS, { columns: 100, rows: 30 });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    await loadCharts(session);
    for (const key of keysOf(mode)) {
      const differences = await everyTime(async () => {
        await goHome(session);
        await drawAnew(session, typed(way));
        // Alone, so that its frame is the first one, which is never left out.
        const found = await leftovers(session, typed([key]));
        return isFrozen(session) ? found : [];
      });
      expect(differences, key).toEqual([]);
    }
    const idle = ALL_KEYS.filter((key) => actionOf(mode, key) === undefined);
    const differences = await everyTime(async () => {
      await goHome(session);
      await drawAnew(session, typed(way));
      const found = await leftovers(session, typed(idle));
      await goHome(session);
      return [...found, ...(await leftovers(session))];
    });
    expect(differences).toEqual([]);
  },
);

test('nothing of a previous screen shows through', async () => {
  const session = ioheat(SHORT_COLUMNS, { columns: 100, rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  await loadCharts(session);
  session.type('5');
  await freeze(session, 1000);
  await paintOnBlank(session);
  for (const [mode, way] of WAYS) {
    const inside = await everyTime(async () => {
      await goHome(session);
      await drawAnew(session, typed(way));
      return blanked(session);
    });
    expect(inside, `in ${mode}`).toEqual([]);
    const after = await everyTime(async () => {
      await drawAnew(session, typed(way));
      await goHome(session);
      return blanked(session);
    });
    expect(after, `after ${mode}`).toEqual([]);
  }
});

/** What is different when the same is painted on a blank screen. */
async function blanked(session: PtySession): Promise<string[]> {
  const before = session.cells();
  await paintOnBlank(session);
  return visibleDifferences(before, session.cells());
}

/** A new size blanks the picture of the screen inside the program, too. */
async function paintOnBlank(session: PtySession): Promise<void> {
  for (const columns of [101, 100]) {
    session.resize(columns, 30);
    await session.waitUntil(() => isWhole(session), 'waiting for the new size');
  }
}

test('a picture that has scrolled for a while equals one drawn from scratch', async () => {
  const session = ioheat(SHORT_COLUMNS, { columns: 120, rows: 40 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  for (const metric of ['1', '2', '3', '4', '5', '6']) {
    session.type(metric);
    const differences = await everyTime(async () => {
      await framesDrawn(session, 8);
      await freeze(session, 100);
      const found = await leftovers(session);
      session.type(' ');
      return found;
    });
    expect(differences, `metric ${metric}`).toEqual([]);
  }
});

test('keys typed at once all take effect', async () => {
  const session = ioheat(['demo'], { columns: 120 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type(`5c--${Key.tab}s?q `);
  await session.waitUntil(() => isFrozen(session) && isWhole(session), 'waiting for PAUSED');
  expect(session.screen()[0]).toMatch(/SIZE .*2s\/column/);
});

test('a lone Escape closes the help', async () => {
  const session = ioheat(['demo']);
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type('?');
  await session.waitFor('HELP');
  session.type(Key.escape);
  await session.waitUntil(() => !session.shows('HELP'), 'waiting for the help to go');
});

test('settings that cannot be saved, because nothing can be made there, are a notice', async () => {
  // Refused with ENOENT, as by an automounter.
  const session = ioheat(['demo'], { env: { XDG_CONFIG_HOME: '/proc' } });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type('W');
  await session.waitFor('settings not saved: no such file or directory');
});

test('bytes that are not keys do no harm', async () => {
  const session = ioheat(['demo'], { columns: 120 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  const noise = [
    '\x1b[?1;2c',
    '\x1b[<35;1;1M',
    '\x1b]11;rgb:0/0/0\x07',
    '\x1b[200~',
    '\x00',
    'é世',
  ];
  session.type(`${noise.join('')}\x1b[M !!${'\x1b['.repeat(50)}Z`);
  // The paste has no end, and is over when nothing more of it comes.
  await session.waitFor('paste ignored');
  session.type('5');
  await session.waitFor('SIZE');
});
