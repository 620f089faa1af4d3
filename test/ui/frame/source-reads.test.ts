import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeadlessSession } from '../fixtures/headless-session.ts';

const FRAMES_PER_SECOND = 10;

describe('what frames ask the source for', () => {
  let session: HeadlessSession;
  let reads: number;

  beforeEach(() => {
    session = new HeadlessSession(1, 100, 30);
    session.wait(5e9);
    const { source } = session.monitor;
    const counters = source.counters.bind(source);
    reads = 0;
    source.counters = () => {
      reads++;
      return counters();
    };
  });
  afterEach(() => {
    session.dispose();
  });

  it('the counts of shown and lost I/O are read once a second, not with each frame', () => {
    const seconds = 4;
    for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++)
      session.wait(1e9 / FRAMES_PER_SECOND);
    expect(reads).toBe(seconds);
  });

  it('a key reads no counts by itself', () => {
    session.type('???');
    expect(reads).toBe(0);
  });
});
