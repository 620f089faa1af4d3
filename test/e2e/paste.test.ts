import { describe, expect, test } from 'vitest';
import { Key } from './pty.ts';
import type { PtySession } from './pty.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat } = useSessions();

const [BEGIN, END] = ['\x1b[200~', '\x1b[201~'];

async function start(): Promise<PtySession> {
  const session = ioheat(['demo'], { columns: 100, rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  return session;
}

/** Asks the open line for its text, by what the screen shows. */
function lineShows(session: PtySession, text: string): Promise<void> {
  return session.waitUntil(
    () => session.screen().some((row) => row.trim() === text),
    `waiting for the line "${text}"`,
  );
}

describe('what is pasted', () => {
  test('pasted text is not read as keys: ioheat continues and says why nothing happens', async () => {
    const session = await start();
    session.type(`${BEGIN}2q\r\x03${END}`);
    await session.waitFor('paste ignored: no prompt is open');
    expect(session.screen()[0]).toContain('TOTAL LATENCY');
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });

  test('pasted text is typed into the open line, without pressing Enter', async () => {
    const session = await start();
    session.type('/');
    session.type(`${BEGIN}op=write\nlat>1ms\n${END}`);
    await lineShows(session, '/ op=write lat>1ms');
    session.type(Key.enter);
    await session.waitFor('u undoes the filter');
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });

  test('a paste whose end is lost does not delay the next keys for long', async () => {
    const session = await start();
    session.type(`${BEGIN}abc`);
    await session.waitFor('paste ignored: no prompt is open');
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });
});

describe('Ctrl-C', () => {
  test.each([
    ['a control sequence', '\x1b[6'],
    ['a string without its end', '\x1b]11;rgb:0000'],
    ['an old mouse report that is cut off', '\x1b[M '],
    ['the start of a function key', '\x1bO'],
    ['a paste without its end', `${BEGIN}abc`],
  ])('Ctrl-C ends the program after %s', async (_, begun) => {
    const session = await start();
    session.type(`${begun}\x03`);
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });
});
