import { describe, expect, test } from 'vitest';
import { cardOf } from '../../src/monitor/card.ts';
import { packDevice } from '../../src/model/device.ts';
import type { CardReader } from '../../src/model/card.ts';
import { DISK, PROCESS } from '../ui/fixtures/chrome-state.ts';
import { createInfo, SDA } from '../history/fixtures.ts';

const RECORDED = { info: { ...sourceInfo(), kind: 'recording' as const } };

function sourceInfo() {
  const info = createInfo();
  const clockBase = { monotonicNs: 0n, wallNs: 0n };
  return { ...info, host: 'web1', title: 'io.ioheat', clockBase, devices: () => [] };
}

describe('the card of a row', () => {
  test('a process of a recording shows its cgroup, and that the rest was not recorded', () => {
    const card = cardOf(RECORDED, { ...PROCESS, cgroupName: 'mysql.service' });
    expect(card?.title).toBe('mysqld (892)');
    expect(card?.facts['cgroup']).toEqual({ known: 'mysql.service' });
    expect(card?.facts['command']).toEqual({ lacks: 'not in the recording' });
    const known = cardOf(RECORDED, { ...PROCESS, command: 'mysqld --x', user: 'mysql' });
    expect(known?.facts).toMatchObject({
      command: { known: 'mysqld --x' },
      user: { known: 'mysql' },
    });
  });

  test('a disk of a recording shows what the recording has of it', () => {
    const { facts } = cardOf(RECORDED, { ...DISK, dev: SDA })!;
    expect(facts['size']).toMatchObject({ known: expect.any(String) as string });
    expect(facts['mounted at']).toEqual({ lacks: 'not in the recording' });
    const unknown = cardOf(RECORDED, { ...DISK, dev: packDevice(8, 160) });
    expect(unknown?.facts['size']).toEqual({ lacks: 'not in the recording' });
  });

  test('a process of this machine is read by its number, and the name that its I/O had', () => {
    const cards: CardReader = {
      process: (tgid, comm) => ({ command: { known: `${tgid} ${comm}` } }),
      disk: (dev) => ({ size: { known: String(dev) } }),
      fileSystem: (dev) => ({ known: `/mnt of ${dev}` }),
    };
    const live = { ...RECORDED, cards };
    expect(cardOf(live, PROCESS)?.facts).toEqual({ command: { known: '892 mysqld' } });
    expect(cardOf(live, { ...DISK, dev: 7 })?.facts).toEqual({ size: { known: '7' } });
  });

  test('a process that has ended says so once, with what was known at its I/O', () => {
    const cards: CardReader = {
      process: () => undefined,
      disk: () => ({}),
      fileSystem: () => ({ lacks: '' }),
    };
    const card = cardOf({ ...RECORDED, cards }, { ...PROCESS, cgroupName: 'mysql.service' });
    expect(card?.facts).toEqual({
      process: { lacks: 'has ended' },
      cgroup: { known: 'mysql.service' },
    });
  });

  test('a process shows which kernel thread submitted what it wrote', () => {
    const written = { ...PROCESS, via: 'kworker/u8:1' };
    expect(cardOf(RECORDED, written)?.facts['written back']).toEqual({ known: 'via kworker/u8:1' });
    const shared = cardOf(RECORDED, { ...written, hasSeveralWriters: true });
    expect(shared?.facts['written back']).toMatchObject({
      known: expect.stringContaining('other processes') as string,
    });
  });

  test('a cgroup, and a process in it, show how long its tasks were stalled', () => {
    const stalled = { some: 0.4, full: 0.125 };
    const text = { known: 'tasks stalled 40% of the time, all at once 13%' };
    const process = cardOf(RECORDED, { ...PROCESS, stalled });
    expect(process?.facts['its cgroup']).toEqual(text);
    const name = 'web.service';
    const info = { ...RECORDED.info, cgroups: { name: () => name } };
    const row = { ...PROCESS, tgid: undefined, comm: name, cgroup: 7, cgroupName: name };
    expect(cardOf({ info }, { ...row, stalled })).toEqual({
      title: name,
      facts: { cgroup: { known: name }, id: { known: '7' }, stalled: text },
    });
    expect(cardOf({ info }, row)?.facts['stalled']).toEqual({ lacks: 'not in the recording' });
    expect(cardOf({ info }, { ...row, comm: '2 processes' })).toBeUndefined();
  });

  test('a file shows where its file system is mounted, or the disk that has its number', () => {
    const { identities } = RECORDED.info;
    const path = '/mnt/db/orders.ibd';
    const file = identities.files.intern({ kind: 'file', dev: SDA, inode: 7, generation: 0, path });
    const row = { ...PROCESS, tgid: undefined, comm: path, file };
    expect(cardOf(RECORDED, row)?.facts['file system']).toEqual({ known: 'sda' });
    const cards: CardReader = {
      process: () => ({}),
      disk: () => ({}),
      fileSystem: (dev) => ({ known: `/mnt of ${dev}` }),
    };
    expect(cardOf({ ...RECORDED, cards }, row)?.facts['file system']).toEqual({
      known: `/mnt of ${SDA}`,
    });
  });

  test('a file shows what tells it from others of its name: inode, generation and when it was first seen', () => {
    const { identities } = RECORDED.info;
    const file = identities.files.intern({ kind: 'file', dev: SDA, inode: 8, generation: 7 });
    const row = { ...PROCESS, tgid: undefined, comm: '', file };
    const { inode, generation, ...before } = cardOf(RECORDED, row)!.facts;
    expect([inode, generation]).toEqual([{ known: '8' }, { known: '7' }]);
    expect(before['first seen']).toEqual({ lacks: 'not in this trace' });
    identities.files.seeAt(file, 1.5e9);
    identities.files.seeAt(file, 1e9);
    expect(cardOf(RECORDED, row)?.facts['first seen']).toEqual({
      known: expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/) as string,
    });
  });

  test('a row of several processes has none', () => {
    expect(cardOf(RECORDED, { ...PROCESS, tgid: undefined, processes: 4 })).toBeUndefined();
  });
});
