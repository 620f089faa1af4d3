import { expect, test } from 'vitest';
import { HeadlessSession } from '../fixtures/headless-session.ts';

test.each([
  ['C', 'In the list of columns'],
  ['i', 'On a card'],
  ['I', 'In the list of I/Os in flight'],
  ['e', 'In the list of single I/Os'],
  ['e\r', 'Where the time of one of them went'],
])('in the list or card of %j, ? shows its keys, and closes to it again', (keys, title) => {
  const session = new HeadlessSession(1, 100, 30);
  session.wait(5e9);
  session.type(keys);
  const open = session.lines();
  session.type('?');
  expect(session.lines().slice(2, 5).join('\n')).toContain(title);
  session.type('q');
  expect(session.lines()).toEqual(open);
  session.dispose();
});
