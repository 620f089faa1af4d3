import { afterEach, beforeEach, expect, it } from 'vitest';
import { LAYOUTS } from '../../src/model/metric.ts';
import { HeadlessSession } from './fixtures/headless-session.ts';

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(1, 120, 40);
  session.wait(12e9);
  session.monitor.notes.add(8.01e9, 'deploy starts');
  session.monitor.notes.add(8.03e9, 'deploy ends');
  session.monitor.notes.add(9.5e9, 'restart');
});
afterEach(() => {
  session.dispose();
});

it('notes in one column are gone to one after the other', () => {
  const places = ['A', 'A', 'A', 'A'].map((key) => {
    session.type(key);
    return /note \d of \d/.exec(session.view.notice!)?.[0];
  });
  expect(places).toEqual(['note 3 of 3', 'note 1 of 3', 'note 2 of 3', 'note 3 of 3']);
});

it('of several notes in one column, that which was gone to is changed; without one, the last', () => {
  session.type('AAa');
  expect(session.view.prompt?.line.text).toBe('deploy starts');
  session.type('\x1b');
  session.type('Aa');
  expect(session.view.prompt?.line.text).toBe('deploy ends');
});

it.each([80, 120])(
  'a note that is gone to from a map of two values is in the column of the cross-hair, at %i columns',
  (width) => {
    session.resize(width, 40);
    for (let times = 0; times < LAYOUTS.length; times++) {
      session.type('VA');
      const { startNs, endNs } = session.box();
      expect(startNs).toBeLessThanOrEqual(9.5e9);
      expect(endNs).toBeGreaterThan(9.5e9);
      session.type('a');
      expect(session.view.prompt?.line.text).toBe('restart');
      session.type('\x1b\x1b');
      session.wait(0);
      session.type('q');
    }
  },
);
