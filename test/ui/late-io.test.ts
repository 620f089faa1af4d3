import { expect, it } from 'vitest';
import { HeadlessSession } from './fixtures/headless-session.ts';

/** Before these moments, there is I/O that is slower than all before, of which the frame before does not know. */
const SEEDS = [1, 2, 23];

it.each([
  ['one map', ''],
  ['maps above each other', 'V'],
  ['size against latency', 'VVV'],
])('I/O that comes late leaves the cross-hair on what is under it: %s', (_, keys) => {
  for (const seed of SEEDS) {
    const session = new HeadlessSession(seed, 100, 60);
    session.type(keys);
    session.wait(1e9 + seed * 100e6);
    session.letTimePass(90e6);
    session.type('v');
    const before = session.box();
    session.wait(10e6);
    expect(session.box()).toEqual(before);
    session.dispose();
  }
});
