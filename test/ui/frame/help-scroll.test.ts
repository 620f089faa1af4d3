import { expect, test } from 'vitest';
import { HeadlessSession } from '../fixtures/headless-session.ts';

/** The range of lines in the heading of the help, such as `12-33 of 169`. */
function range(session: HeadlessSession): number[] {
  const [, first, last, of] = /(\d+)-(\d+) of (\d+)/.exec(session.lines().join('\n'))!;
  return [first, last, of].map(Number);
}

test('the help scrolls to its end, and a line back from there, whatever its width', () => {
  const session = new HeadlessSession(1, 80, 24);
  session.wait(2e9);
  session.type('?\x1b[F');
  const [, end, length] = range(session);
  expect(end).toBe(length);
  session.type('j\x1b[A');
  expect(range(session)[1]).toBe(length! - 1);
  session.resize(120, 30);
  session.type('\x1b[Fk');
  expect(range(session)[1]).toBe(range(session)[2]! - 1);
  session.dispose();
});

test('keys that come before the texts of the help are loaded scroll it', async () => {
  let loaded = (): void => undefined;
  const isLoaded = new Promise<void>((resolve) => (loaded = resolve));
  const session = new HeadlessSession(1, 80, 24, { recordedOnly: '', onLoaded: loaded });
  session.wait(2e9);
  session.type('?\x1b[F');
  expect(session.lines().join('\n')).not.toContain('HELP');
  await isLoaded;
  session.wait(0);
  const [, end, length] = range(session);
  expect(end).toBe(length);
  session.type('k');
  expect(range(session)[1]).toBe(length! - 1);
  session.dispose();
});
