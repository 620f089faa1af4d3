import { describe, expect, it } from 'vitest';
import { inFlightAt, InFlightBook } from '../../src/model/in-flight-book.ts';
import { MOST_IN_FLIGHT } from '../../src/model/in-flight.ts';
import type { InFlightIo } from '../../src/model/in-flight.ts';
import { Op } from '../../src/model/operation.ts';

/** A read that was queued at a time, and has been issued unless `issueNs` is undefined. */
function readSince(sinceNs: number, nowNs: number, more: Partial<InFlightIo> = {}) {
  const identity = {
    cmdFlags: Op.read,
    tgid: 7,
    tid: 7,
    comm: 'dd',
    cgroup: 1,
    error: 0,
    marks: 0,
  };
  const io: InFlightIo = {
    slot: 1,
    sinceNs,
    issueNs: sinceNs,
    ageNs: nowNs - sinceNs,
    stage: 'at the device',
    identity: { dev: 8 << 20, ...identity },
    bytes: 4096,
    sector: 2040,
    file: undefined,
    fileOffset: undefined,
    ...more,
  };
  return io;
}

/** Looks each quarter of a second at a read that hangs from 10 s to 30 s. */
function afterLooks(): InFlightBook {
  const book = new InFlightBook();
  for (let nowNs = 0; nowNs <= 40e9; nowNs += 250e6) {
    const hangs = nowNs >= 11e9 && nowNs < 30e9;
    book.look(hangs ? [readSince(10e9, nowNs)] : [], nowNs);
  }
  return book;
}

describe('what was in flight', () => {
  it('what was in flight is known with its age at any time while it was, from one second on', () => {
    const ages = (atNs: number): number[] => inFlightAt(afterLooks(), atNs).map((io) => io.ageNs);
    expect([10.9e9, 11e9, 15e9, 29.7e9, 30e9].map(ages)).toEqual([[], [1e9], [5e9], [19.7e9], []]);
  });

  it('what was in flight is known with what was known of it at that time', () => {
    const book = new InFlightBook();
    const queued = { issueNs: undefined, bytes: undefined, sector: undefined } as const;
    book.look([readSince(0, 2e9, queued)], 2e9);
    book.look([readSince(0, 4e9, { issueNs: 3e9, file: 5 })], 4e9);
    expect(book.spans()).toHaveLength(1);
    expect(inFlightAt(book, 2e9)).toMatchObject([
      { stage: 'queued', bytes: undefined, sector: undefined, file: undefined },
    ]);
    expect(inFlightAt(book, 4e9)).toMatchObject([
      { stage: 'at the device', bytes: 4096, sector: 2040, file: 5 },
    ]);
  });

  it('what was in flight has two I/Os of the same moment apart, and one only once', () => {
    const book = new InFlightBook();
    const both = (nowNs: number) => [readSince(0, nowNs), readSince(0, nowNs, { slot: 2 })];
    for (const nowNs of [1e9, 2e9, 3e9]) book.look(both(nowNs), nowNs);
    expect(inFlightAt(book, 3e9)).toHaveLength(2);
    const { version } = book;
    book.look(both(4e9), 4e9);
    expect(book.version).toBe(version);
  });

  it('what was in flight has the oldest first', () => {
    const book = new InFlightBook();
    book.look([readSince(1e9, 9e9), readSince(5e9, 9e9, { slot: 2 })], 9e9);
    expect(inFlightAt(book, 9e9).map(({ ageNs }) => ageNs)).toEqual([8e9, 4e9]);
    expect(inFlightAt(book, 9e9, 5e9).map(({ ageNs }) => ageNs)).toEqual([8e9]);
  });

  it('what was in flight forgets the earliest that have ended, and takes no more than it has room for', () => {
    const book = new InFlightBook();
    const many = (from: number, nowNs: number) =>
      Array.from({ length: MOST_IN_FLIGHT + 1 }, (_, i) => readSince(from + i, nowNs));
    for (let round = 0; round < 3; round++) book.look(many(round * 1e9, 10e9), 10e9 + round);
    expect(book.spans().length).toBeLessThanOrEqual(2 * MOST_IN_FLIGHT);
    expect(inFlightAt(book, 20e9)).toHaveLength(MOST_IN_FLIGHT);
    const { number } = book.spans().at(-1)!;
    const span = { ...book.spans()[0]!, untilNs: Infinity };
    for (let i = 1; i <= 2 * MOST_IN_FLIGHT; i++) book.put({ ...span, number: number + i });
    expect(book.spans()).toHaveLength(2 * MOST_IN_FLIGHT);
  });
});
