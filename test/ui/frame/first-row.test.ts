import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { HeadlessSession } from '../fixtures/headless-session.ts';

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(1, 100, 30);
  session.wait(5e9);
});
afterEach(() => {
  session.dispose();
});

describe('without a selected row', () => {
  test('the card and the highlight are those of the first one', () => {
    session.type('H');
    const pid = /^pid=(\d+) disk=/.exec(formatFilter(session.view.highlight))?.[1];
    expect(pid).toBeDefined();
    session.type('i');
    expect(session.view.card?.title).toContain(`(${pid})`);
  });

  test('the table is filtered by the only one', () => {
    session.type('/comm=node\r');
    session.type('\r');
    expect(formatFilter(session.view.filter)).toMatch(/^comm=node pid=\d+ disk=\w+$/);
  });

  test('the table is not filtered', () => {
    session.type('\r');
    expect(session.view.notice).toBe('select a row first, with ↑ and ↓');
  });
});
