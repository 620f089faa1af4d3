import { expect, test } from 'vitest';
import { visibleDifferences } from '../terminal/compare-cells.ts';
import {
  everyTime,
  freeze,
  framesDrawn,
  isCounted,
  isWhole,
  leftovers,
} from './support/screens.ts';
import { useSessions } from './support/sessions.ts';
import type { PtySession } from './pty.ts';

const { ioheat } = useSessions();

async function wholeScreen(session: PtySession): Promise<void> {
  await session.waitUntil(() => isCounted(session), 'waiting for a frame of the new size');
}

/** The figures are about whole seconds, and counted again upon a new size. */
async function freezeForGood(session: PtySession): Promise<void> {
  await freeze(session, 1000);
  const { columns, rows } = session.emulator;
  session.resize(columns + 1, rows);
  await wholeScreen(session);
  session.resize(columns, rows);
  await wholeScreen(session);
}

const SIZES = [
  [40, 12],
  [200, 50],
  [41, 13],
  [209, 30],
  [210, 30],
  [80, 24],
  [120, 13],
  [40, 50],
  [500, 100],
] as const;

test('every size of terminal is filled and nothing of the size before remains', async () => {
  const session = ioheat(['demo']);
  await wholeScreen(session);
  await freeze(session, 1000);
  let before = { columns: 80, rows: 24 };
  for (const [columns, rows] of SIZES) {
    // Each look resizes once more, because what is left over is gone after a redraw.
    const look = async (): Promise<string[]> => {
      session.resize(before.columns, before.rows);
      await wholeScreen(session);
      session.resize(columns, rows);
      await wholeScreen(session);
      return leftovers(session);
    };
    expect(await everyTime(look), `${columns}×${rows}`).toEqual([]);
    before = { columns, rows };
  }
});

const TOO_SMALL = [
  [39, 12, 'terminal too small: 40×12 needed'],
  [40, 11, 'terminal too small: 40×12 needed'],
  [20, 5, 'need 40×12'],
  [1, 1, '!'],
] as const;

test('a terminal that is too small says so, and shows everything again when it grows', async () => {
  const session = ioheat(['demo']);
  await wholeScreen(session);
  await freezeForGood(session);
  for (const [columns, rows, text] of TOO_SMALL) {
    const look = async (): Promise<string[]> => {
      const before = session.cells();
      session.resize(columns, rows);
      await session.waitUntil(
        () => session.screen().join('\n').trimEnd() === text,
        `waiting for "${text}" alone`,
      );
      session.resize(80, 24);
      await wholeScreen(session);
      return visibleDifferences(before, session.cells());
    };
    expect(await everyTime(look), text).toEqual([]);
  }
});

test('ioheat starts in a terminal that is too small and fills it once it grows', async () => {
  const session = ioheat(['demo'], { columns: 10, rows: 3 });
  await session.waitFor('40×12');
  session.resize(80, 24);
  await wholeScreen(session);
});

/** Faster than the program can follow, so that sizes are left out; it must end with the last. */
test('many resizes end with a clean screen', async () => {
  const session = ioheat(['demo', '--interval', '100ms']);
  await wholeScreen(session);
  for (let storm = 0; storm < 3; storm++) {
    for (let step = 0; step <= 40; step++)
      session.resize(40 + step * 4, 12 + Math.floor((step * 38) / 40));
    session.resize(1, 1);
    session.resize(100, 30);
    await wholeScreen(session);
  }
  await freeze(session, 100);
  expect(await everyTime(() => leftovers(session))).toEqual([]);
});

test('a size that returns before it was noticed leaves no hole in the picture', async () => {
  const session = ioheat(['demo']);
  await wholeScreen(session);
  await freezeForGood(session);
  const look = async (): Promise<string[]> => {
    const before = session.cells();
    session.resize(20, 6);
    session.resize(80, 24);
    await wholeScreen(session);
    return visibleDifferences(before, session.cells());
  };
  expect(await everyTime(look)).toEqual([]);
});

test('the help is laid out for the new size', async () => {
  const session = ioheat(['demo'], { columns: 120, rows: 40 });
  await wholeScreen(session);
  session.type('?');
  await session.waitFor('HELP');
  session.resize(60, 20);
  await session.waitUntil(
    () => isWhole(session) && session.shows('HELP'),
    'waiting for the help in the new size',
  );
  await framesDrawn(session, 1);
  session.type('q');
  await session.waitFor('PID');
  await freeze(session, 1000);
  expect(await everyTime(() => leftovers(session))).toEqual([]);
});
