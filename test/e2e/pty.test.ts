import { afterEach, expect, test } from 'vitest';
import { DEFAULT_COLOR, TRUE_COLOR } from '../../src/base/cell-block.ts';
import { PrivateMode } from '../terminal/emulator.ts';
import { Key, startPty } from './pty.ts';
import type { PtyOptions, PtySession } from './pty.ts';

const sessions: PtySession[] = [];

function shell(script: string, options?: PtyOptions): PtySession {
  const session = startPty('/bin/sh', ['-c', script], options);
  sessions.push(session);
  return session;
}

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.dispose()));
});

test('the test terminal shows what a program wrote and how it ended', async () => {
  const session = shell('printf "one\\ntwo"; exit 3');
  expect(await session.exit).toEqual({ code: 3, signal: undefined });
  expect(session.screen().slice(0, 3)).toEqual(['one', 'two', '']);
});

test('the test terminal sends keys and waits for the answer', async () => {
  const session = shell('stty -echo; printf ready; read answer; echo "got <$answer>"');
  await session.waitFor('ready');
  session.type(`blue${Key.enter}`);
  await session.waitFor('got <blue>');
});

test('the test terminal tells the program when its size changes', async () => {
  const session = shell('trap "stty size; exit" WINCH; stty size; while :; do read x; done', {
    columns: 90,
    rows: 30,
  });
  await session.waitFor('30 90');
  session.resize(100, 40);
  await session.waitFor('40 100');
});

test('the test terminal reports a signal that ended the program', async () => {
  const session = shell('printf ready; read x');
  await session.waitFor('ready');
  session.kill('SIGTERM');
  expect((await session.exit).signal).toBe(15);
});

test('waiting for text that never comes fails and prints the screen', async () => {
  const session = shell('printf "only this"; read x');
  await session.waitFor('only this');
  await expect(session.waitFor('something else', 50)).rejects.toThrow(
    /something else[^]*only this/,
  );
});

test('waiting fails when the program ends', async () => {
  const session = shell('printf bye');
  await expect(session.waitFor('something else')).rejects.toThrow(/the program ended[^]*bye/);
});

test('cells of the test terminal have glyphs, colours and attributes', async () => {
  const session = shell('printf "\\033[1;38;5;196;48;2;1;2;3mA\\033[0mB世"; read x');
  await session.waitFor('世');
  const { glyph, fg, bg, attr } = session.cells();
  expect([...glyph.subarray(0, 5)]).toEqual([0x41, 0x42, 0x4e16, 0, 0x20]);
  expect([...fg.subarray(0, 2)]).toEqual([196, DEFAULT_COLOR]);
  expect([...bg.subarray(0, 2)]).toEqual([TRUE_COLOR | 0x010203, DEFAULT_COLOR]);
  expect([...attr.subarray(0, 2)]).toEqual([1, 0]);
});

test('the test terminal sees modes that a program sets and resets', async () => {
  const session = shell(
    'printf "\\033[?1049h\\033[?25lin"; read x; printf "\\033[?25h\\033[?1049lout"',
  );
  await session.waitFor('in');
  const modes = [PrivateMode.alternateScreen, PrivateMode.cursorVisible, PrivateMode.autowrap];
  expect(modes.map((mode) => session.emulator.isModeSet(mode))).toEqual([true, false, true]);
  session.type(Key.enter);
  await session.exit;
  expect(modes.map((mode) => session.emulator.isModeSet(mode))).toEqual([false, true, true]);
});

test('a program in the test terminal finds a terminal and no sign of a test run', async () => {
  const session = shell('tty >/dev/null && echo "tty $TERM $LANG ${CI-none} ${FORCE_COLOR-none}"');
  await session.exit;
  expect(session.screen()[0]).toBe('tty xterm-256color C.UTF-8 none none');
});
