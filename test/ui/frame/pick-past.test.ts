import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { HeadlessSession } from '../fixtures/headless-session.ts';

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(3, 120, 30);
  session.wait(20e9);
});
afterEach(() => {
  session.dispose();
});

/** No I/O comes any more, which the tables show. */
function fallSilent(ns: number): void {
  session.letTimePass(ns);
  session.resize(session.width, session.height);
}

test.each([
  ['p', /^pid=\d+$/],
  ['d', /^disk=\S+$/],
])(
  'key %s lists what was busy in the picture and is idle now, and Enter narrows to it',
  (key, filter) => {
    fallSilent(6e9);
    session.type(key);
    expect(session.lines().join('\n')).toMatch(/\[ \] .*\(idle\)/);
    session.type('\r');
    expect(formatFilter(session.view.filter)).toMatch(filter);
  },
);

test('a list to pick from counts the picture when it opens, and not again', () => {
  const report = vi.spyOn(session.monitor, 'report');
  session.wait(1e9);
  expect(report).not.toHaveBeenCalled();
  session.type('p');
  session.type('jj');
  session.wait(1e9);
  session.wait(1e9);
  expect(report).toHaveBeenCalledTimes(1);
});

test('what had its I/O before the picture is not in the list', () => {
  fallSilent(600e9);
  session.type('p');
  expect(session.lines().join('\n')).toMatch(/no I\/O in the picture {2}/);
});

test.each(['p', 'd'])('where the filter matches nothing, the list of %s says so', (key) => {
  session.type('/lat>100s\r');
  session.type(key);
  expect(session.lines().join('\n')).toContain('no I/O in the picture matches the filter');
});

test('a list opened again has what the filter leaves out, and another choice takes the place of the first', () => {
  const entries = (): string[] =>
    session.lines().flatMap((line) => /\[.\] (\S+)/.exec(line)?.[1] ?? []);
  session.type('d');
  const all = entries();
  session.type('\r');
  expect(formatFilter(session.view.filter)).toBe(`disk=${all[0]}`);
  session.wait(1e9);
  session.type('d');
  const again = entries();
  expect(again.toSorted()).toEqual(all.toSorted());
  expect(again[0]).toBe(all[0]);
  session.type('\x1b[B');
  session.type('\r');
  expect(formatFilter(session.view.filter)).toBe(`disk=${again[1]}`);
});
