import { describe, expect, it } from 'vitest';
import { createHistory } from '../../../src/history/history.ts';
import { callFlags } from '../../../src/model/call.ts';
import { DEVS_PER_HOST } from '../../../src/model/device.ts';
import type { Identity } from '../../../src/model/identity.ts';
import { RequestFlag } from '../../../src/model/operation.ts';
import { waitParts } from '../../../src/query/box/wait-parts.ts';
import { unionNs } from '../../../src/query/box/union.ts';
import { columnsOf, createInfo, keyOf, LOOP, SDA } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';

const FSYNC = {
  layer: 'calls',
  cmdFlags: callFlags('fsync'),
  tgid: 7,
  tid: 8,
  comm: 'db',
} as const;
const WRITE = { cmdFlags: 1, tgid: 7, tid: 8, comm: 'db' };
const JOURNAL = { cmdFlags: 1, tgid: 400, tid: 400, comm: 'jbd2/sda-8' };
const FLUSH = { ...JOURNAL, cmdFlags: 2 };
const FILE = { kind: 'file', dev: SDA, inode: 12, generation: 1, path: '/srv/db' } as const;

/** Rows of disks, then an fsync of the file that took 100 ns and ended at 200 ns. */
function partsOf(
  ios: readonly (Partial<Row> & { readonly of: Partial<Identity> })[],
  call = FSYNC,
) {
  const keys = [...ios.map(({ of }) => keyOf(of)), keyOf(call)];
  const info = createInfo(keys);
  const file = info.identities.files.intern(FILE);
  const idOf = (key: Identity) => info.identities.intern(key);
  const wait = {
    completeNs: 200,
    deviceNs: 100,
    queueNs: 0,
    bytes: 0,
    key: idOf(keyOf(call)),
    file,
  };
  const rows = ios.map((io, i) => ({ queueNs: 0, ...io, key: idOf(keys[i]!) }));
  const history = createHistory({ info, budgetBytes: 1 << 24 });
  const columns = columnsOf([...rows, wait]);
  history.append(columns);
  const names = { ...info, devices: () => [] };
  return waitParts(history, { rows: columns, row: ios.length }, names)!;
}

describe('what an fsync waited for', () => {
  it('what an fsync waited for is its data, then the journal and its flush, in the order in which they were queued', () => {
    const { parts, deviceNs, queueNs, outsideNs, untimed, isComplete } = partsOf([
      { of: FLUSH, completeNs: 190, deviceNs: 30, bytes: 0 },
      { of: JOURNAL, completeNs: 160, deviceNs: 20, queueNs: 5 },
      { of: WRITE, completeNs: 130, deviceNs: 20, queueNs: 5 },
    ]);
    expect(parts.map(({ stage, afterNs }) => [stage, afterNs])).toEqual([
      ['data', 5],
      ['journal', 35],
      ['flush', 60],
    ]);
    expect(parts.map(({ share }) => share)).toEqual([0.25, 0.25, 0.3]);
    expect([deviceNs, queueNs, outsideNs]).toEqual([70, 10, 20]);
    expect([untimed, isComplete]).toEqual([0, true]);
  });

  it('what an fsync waited for counts I/O at the same time once, and what was under way before only from the start on', () => {
    const { parts, deviceNs, outsideNs } = partsOf([
      { of: WRITE, completeNs: 140, deviceNs: 90 },
      { of: WRITE, completeNs: 150, deviceNs: 20 },
    ]);
    expect(parts.map(({ afterNs }) => afterNs)).toEqual([0, 30]);
    expect([deviceNs, outsideNs]).toEqual([50, 50]);
  });

  it('what an fsync waited for is not the I/O of others, nor the journal of another disk, nor another time', () => {
    const others = { ...WRITE, tgid: 9, tid: 9, comm: 'tar' };
    const { parts, outsideNs } = partsOf([
      { of: others, completeNs: 150 },
      { of: { ...JOURNAL, dev: LOOP }, completeNs: 150 },
      { of: WRITE, completeNs: 99, deviceNs: 20 },
    ]);
    expect(parts).toEqual([]);
    expect(outsideNs).toBe(100);
  });

  it('what an fsync waited for is not the I/O of a thread with the same number on another host', () => {
    const other = { ...WRITE, dev: SDA + DEVS_PER_HOST };
    const { parts, outsideNs } = partsOf([{ of: other, completeNs: 150, deviceNs: 20 }]);
    expect([parts, outsideNs]).toEqual([[], 100]);
  });

  it('what an fsync waited for includes data of its file that somebody else writes back', () => {
    const kworker = { ...WRITE, tgid: 50, tid: 50, comm: 'kworker/u8:1' };
    const file = 3;
    const { parts } = partsOf([{ of: kworker, completeNs: 150, deviceNs: 20, file }]);
    expect(parts.map(({ stage }) => stage)).toEqual(['data']);
  });

  it('what an fsync waited for leaves out the empty write that an fsync ends in, and counts what has no times', () => {
    const { parts, untimed } = partsOf([
      { of: WRITE, completeNs: 150, deviceNs: NaN, queueNs: 30, bytes: 0 },
      { of: WRITE, completeNs: 160, deviceNs: NaN, queueNs: NaN },
    ]);
    expect(parts).toHaveLength(1);
    expect(untimed).toBe(1);
  });

  it('what an fsync waited for was throttled until the I/O came that a limit of its cgroup had held back', () => {
    const held = { ...WRITE, cmdFlags: 1 | RequestFlag.throttled };
    const { deviceNs, outsideNs, throttledNs } = partsOf([
      { of: WRITE, completeNs: 120, deviceNs: 10 },
      { of: held, completeNs: 180, deviceNs: 15, queueNs: 5 },
    ]);
    expect([deviceNs, outsideNs, throttledNs]).toEqual([25, 70, 50]);
  });

  it('what an fsync waited for was throttled in those of its waits that were, outside the block layer', () => {
    const pause = { ...FSYNC, cmdFlags: callFlags('write') | RequestFlag.throttled };
    const { outsideNs, throttledNs } = partsOf([
      { of: WRITE, completeNs: 145, deviceNs: 10 },
      { of: { ...pause, layer: 'waits' }, completeNs: 150, deviceNs: 40 },
      { of: { ...pause, layer: 'waits', tid: 9 }, completeNs: 190, deviceNs: 40 },
    ]);
    expect([outsideNs, throttledNs]).toEqual([90, 30]);
  });

  it('what an fsync waited for has no journal for a read, which does not wait for one', () => {
    const read = { ...FSYNC, cmdFlags: callFlags('read') } as const;
    const { parts } = partsOf([{ of: JOURNAL, completeNs: 150, deviceNs: 10 }], read);
    expect(parts).toEqual([]);
  });

  it('what an fsync waited for is the journal, also where one who filled it is the owner of its I/O, and none for a read', () => {
    const drawn = {
      ...JOURNAL,
      tgid: FSYNC.tgid,
      tid: FSYNC.tid,
      comm: FSYNC.comm,
      via: JOURNAL.comm,
    };
    const ios = [{ of: drawn, completeNs: 150, deviceNs: 10 }];
    expect(partsOf(ios).parts.map(({ stage }) => stage)).toEqual(['journal']);
    expect(partsOf(ios, { ...FSYNC, cmdFlags: callFlags('read') } as const).parts).toEqual([]);
  });
});

describe('the union of stretches of time', () => {
  it('the union of stretches of time counts what overlaps once, and only within its bounds', () => {
    const within = { startNs: 10, endNs: 50 };
    expect(unionNs([], within)).toBe(0);
    const spans = [
      { startNs: 40, endNs: 90 },
      { startNs: 0, endNs: 20 },
      { startNs: 15, endNs: 18 },
      { startNs: 19, endNs: 25 },
    ];
    expect(unionNs(spans, within)).toBe(25);
  });
});
