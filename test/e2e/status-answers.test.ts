import { describe, expect, test } from 'vitest';
import { Key } from './pty.ts';
import type { PtySession } from './pty.ts';
import { childOf } from './support/processes.ts';
import { REST } from './support/rest.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat, bash } = useSessions();

const QUESTION = '\x1b[5n';
const ANSWER_MS = 40;

/** Waits for questions from now on; the last of them is not answered yet. */
async function questions(session: PtySession, least: number): Promise<void> {
  const from = session.output.length;
  const count = (): number => session.output.slice(from).split(QUESTION).length - 1;
  await session.waitUntil(() => count() >= least, 'waiting for questions');
}

async function asked(session: PtySession): Promise<void> {
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  await questions(session, 1);
}

describe('an answer of the terminal that is on its way', () => {
  const ENDS: readonly (readonly [string, number, (session: PtySession) => void])[] = [
    [
      'q',
      0,
      (session) => {
        session.type('q');
      },
    ],
    [
      'Ctrl-C',
      0,
      (session) => {
        session.type(Key.ctrlC);
      },
    ],
    [
      'SIGTERM',
      143,
      (session) => {
        process.kill(childOf(session.pid), 'SIGTERM');
      },
    ],
    [
      'SIGHUP',
      129,
      (session) => {
        process.kill(childOf(session.pid), 'SIGHUP');
      },
    ],
  ];

  test.each(ENDS)(
    'an answer of the terminal that is on its way at the end by %s is not left to the shell',
    async (_name, code, end) => {
      const script = `$IOHEAT demo; echo "code $?"; ${REST}`;
      const session = bash(script, { answersAfterMs: ANSWER_MS });
      await asked(session);
      end(session);
      await session.waitFor('rest [');
      expect(session.screen().join('\n')).toContain(`code ${code}`);
      expect(session.screen().join('\n')).toContain('rest []');
    },
  );

  test('when Ctrl-Z stops the program is not left to the shell', async () => {
    const stop = `set -m; $IOHEAT demo; ${REST}; kill -9 %1; read`;
    const session = bash(stop, { answersAfterMs: ANSWER_MS });
    await asked(session);
    session.type(Key.ctrlZ);
    await session.waitFor('rest [');
    expect(session.screen().join('\n')).toContain('rest []');
  });

  test('an answer of the terminal that is on its way presses no key', async () => {
    const session = ioheat(['demo'], { answersAfterMs: ANSWER_MS });
    await asked(session);
    for (const key of '?\x1b/') session.type(key);
    await session.waitFor('Enter: apply');
    await questions(session, 4);
    expect(session.shows(/^\/ *$/)).toBe(true);
  });
});

test.each(['xterm-256color', 'linux', 'vt100', 'screen'])('%s is asked', async (term) => {
  const session = ioheat(['demo'], { term });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  expect(session.output).toContain(QUESTION);
});
