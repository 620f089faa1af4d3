import { describe, expect, test } from 'vitest';
import { reportActivity } from '../fixtures/at-once.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { ProcessActivity } from '../../../src/model/activity.ts';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { DEVS_PER_HOST, hostNumberOf } from '../../../src/model/device.ts';
import { MachinePressure } from '../../../src/model/machine-pressure.ts';
import { MERGED_FILES, OTHER_FILES } from '../../../src/model/file.ts';
import { aggregateIdentity, foldedOnce } from '../../../src/model/folded-identity.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import type { Identity } from '../../../src/model/identity.ts';
import { rowTerms } from '../../../src/ui/tables/row-terms.ts';
import type { Grouping } from '../../../src/model/metric.ts';
import { columnsOf, createInfo, keyOf, LOOP, SDA, summaryOf } from '../../history/fixtures.ts';

const cgroups = { name: (id: number) => (id === 7 ? 'mysql.service' : undefined) };

/** Tasks of cgroup 7 were stalled for a quarter of the second. */
function pressure(): MachinePressure {
  const known = new MachinePressure();
  for (const second of [0, 1])
    known.putCgroup({ cgroup: 7, atNs: second * 1e9, someNs: second * 25e7, fullNs: 0 });
  return known;
}

/** The table when each key had one read of 1 ms within a second. */
function tableOf(keys: readonly Identity[], grouping?: Grouping): readonly ProcessActivity[] {
  const info = { ...createInfo(keys), cgroups, pressure: pressure() };
  const history = createHistory({ info, budgetBytes: 2 ** 24 });
  history.append(columnsOf(keys.map((_, key) => ({ completeNs: key, key, deviceNs: 1e6 }))));
  const filter = compileFilter(NO_FILTER, info.identities, info);
  return reportActivity(history, 0, 1e9, filter, info, grouping && { grouping }).processes;
}

const DATABASE = [
  keyOf({ tgid: 1, comm: 'db', cgroup: 7 }),
  keyOf({ tgid: 1, comm: 'db', cgroup: 7, dev: LOOP }),
];
const HELPER = keyOf({ tgid: 2, comm: 'cp', cgroup: 7 });
const OTHER = keyOf({ tgid: 3, comm: 'dd', cgroup: 8 });

describe('the rows of the process table', () => {
  test('the process table has processes on disks by default', () => {
    const rows = tableOf([...DATABASE, HELPER]);
    expect(rows.map(({ tgid, dev, disk }) => [tgid, dev, disk])).toEqual([
      [1, SDA, 'sda'],
      [1, LOOP, '7:0'],
      [2, SDA, 'sda'],
    ]);
    expect(rows[0]).toMatchObject({ comm: 'db', cgroup: 7, cgroupName: 'mysql.service' });
  });

  test('the process table can have one row per process, with the number of disks used', () => {
    const rows = tableOf([...DATABASE, HELPER], 'process');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ tgid: 1, comm: 'db', readsPerSecond: 2, disk: '2 disks' });
    expect(rows[0]!.dev).toBeUndefined();
    expect(rows[1]).toMatchObject({ tgid: 2, comm: 'cp', dev: SDA, disk: 'sda' });
  });

  test('the process table can have one row per thread; aggregates are of all threads', () => {
    const main = keyOf({ tgid: 1, tid: 1, comm: 'db' });
    const flusher = keyOf({ tgid: 1, tid: 12, comm: 'db-flush' });
    const aggregate = aggregateIdentity(keyOf({ tgid: 1, tid: 12, comm: 'db' }));
    const lost = keyOf({ tgid: 0, tid: 0, cgroup: 0, marks: IdentityMark.ownerUnknown });
    const keys = [main, { ...main, dev: LOOP }, flusher, aggregate, lost];
    const rows = tableOf(keys, 'thread');
    expect(rows.map(({ tgid, tid, comm, disk }) => [tgid, tid, comm, disk])).toEqual([
      [1, 1, 'db', '2 disks'],
      [1, 12, 'db-flush', 'sda'],
      [1, undefined, 'db', 'sda'],
      [undefined, undefined, '(unknown)', 'sda'],
    ]);
  });

  test('the process table can have one row per name, with the number of processes', () => {
    const again = keyOf({ tgid: 9, comm: 'db', cgroup: 8 });
    const lost = keyOf({ tgid: 0, cgroup: 0, marks: IdentityMark.ownerUnknown });
    const rows = tableOf([...DATABASE, again, HELPER, lost], 'name');
    expect(rows.map(({ comm, processes, tgid }) => [comm, processes, tgid])).toEqual([
      ['db', 2, undefined],
      ['cp', 1, 2],
      ['(unknown)', undefined, undefined],
    ]);
    expect(rows[0]).toMatchObject({ disk: '2 disks', readsPerSecond: 3 });
    expect(rows[0]!.cgroup).toBeUndefined();
  });

  test('processes that are known by their command only have a row without a PID, and count among those of its name', () => {
    const [known, folded] = [keyOf({ tgid: 1, comm: 'cc1' }), foldedOnce(keyOf({ comm: 'cc1' }))];
    const shown = (keys: readonly Identity[], grouping?: Grouping) =>
      tableOf(keys, grouping).map(({ comm, tgid, processes, hasMoreProcesses, cgroup }) => [
        ...[comm, tgid, processes, hasMoreProcesses, cgroup],
      ]);
    const { cgroup } = known;
    expect(shown([known, folded])).toEqual([
      ['cc1', 1, undefined, false, cgroup],
      ['cc1', undefined, 1, true, cgroup],
    ]);
    expect(shown([known, folded], 'name')).toEqual([['cc1', undefined, 1, true, cgroup]]);
    expect(shown([folded, known], 'name')).toEqual([['cc1', undefined, 1, true, cgroup]]);
    expect(tableOf([known, folded], 'cgroup')).toHaveLength(1);
  });

  test('what kernel threads submitted for a process belongs to the process, with their kinds', () => {
    const marks = IdentityMark.indirect;
    const direct = keyOf({ tgid: 1, comm: 'dd' });
    const written = keyOf({ tgid: 1, comm: 'dd', marks, via: 'kworker/u8:1' });
    const again = { ...written, via: 'kworker/u8:2', marks: marks | IdentityMark.severalWriters };
    const nobody = keyOf({ tgid: 7, comm: 'kworker/u8:1', marks });
    const shown = (keys: readonly Identity[]) =>
      tableOf(keys).map(({ comm, via, indirect, hasSeveralWriters }) => [
        ...[comm, via, indirect, hasSeveralWriters],
      ]);
    expect(shown([written])).toEqual([['dd', 'kworker/u8:1', true, false]]);
    expect(shown([written, again, nobody])).toEqual([
      ['dd', 'kworker', true, true],
      ['kworker/u8:1', undefined, true, false],
    ]);
    expect(shown([direct, written])).toEqual([['dd', 'kworker/u8:1', false, false]]);
  });

  test('the process table can have cgroups, by name or else by number', () => {
    const rows = tableOf([...DATABASE, HELPER, OTHER], 'cgroup');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      ...{ tgid: undefined, comm: 'mysql.service', cgroup: 7, cgroupName: 'mysql.service' },
      ...{ disk: '2 disks', readsPerSecond: 3, writesPerSecond: 0 },
    });
    expect(rows[1]).toMatchObject({ comm: 'cgroup 8', cgroup: 8, disk: 'sda' });
    expect(rows[1]!.cgroupName).toBeUndefined();
  });

  test('the row of a cgroup, and of a process in it, has how long its tasks were stalled, where that is known', () => {
    const [known, unknown] = tableOf([...DATABASE, OTHER], 'cgroup');
    expect(known!.stalled).toEqual({ some: 0.25, full: 0 });
    expect(unknown!.stalled).toBeUndefined();
    expect(tableOf(DATABASE)[0]!.stalled).toEqual({ some: 0.25, full: 0 });
    expect(tableOf(DATABASE, 'file')[0]!.stalled).toBeUndefined();
  });

  test('grouping by cgroup keeps I/O without a known cgroup apart', () => {
    const rows = tableOf(
      [
        keyOf({ tgid: 1, cgroup: 0 }),
        keyOf({ tgid: 2, cgroup: 0 }),
        keyOf({ tgid: 0, cgroup: 0, marks: IdentityMark.ownerUnknown }),
        keyOf({ tgid: 0, cgroup: 0, marks: IdentityMark.other | IdentityMark.ownerUnknown }),
      ],
      'cgroup',
    );
    expect(rows.map(({ comm, cgroup }) => [comm, cgroup])).toEqual([
      ['(unknown)', undefined],
      ['(other)', undefined],
    ]);
  });

  test('a row of several cgroups names no cgroup', () => {
    const rows = tableOf([keyOf({ cgroup: 7 }), keyOf({ tid: 2, cgroup: 8 })], 'process');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.cgroup).toBeUndefined();
  });

  test('the process table shows the same waiting time however it is grouped', () => {
    for (const grouping of ['process-disk', 'process', 'cgroup'] as const) {
      const shares = tableOf([...DATABASE, HELPER, OTHER], grouping).map((row) => row.waitShare);
      expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
    }
  });

  test('the process table can have one row per file, and one for what else I/O is of', () => {
    const info = createInfo([keyOf({ tgid: 1 }), keyOf({ tgid: 2, dev: LOOP })]);
    const { files } = info.identities;
    const path = '/srv/orders';
    const orders = files.intern({ kind: 'file', dev: 1, inode: 7, generation: 0, path });
    const history = createHistory({ info, budgetBytes: 2 ** 24 });
    const numbers = [orders, orders + MERGED_FILES, orders, 0];
    history.append(
      columnsOf(numbers.map((file, at) => ({ completeNs: at, key: at % 2, deviceNs: 1e6, file }))),
    );
    const filter = compileFilter(NO_FILTER, info.identities, info);
    const rows = reportActivity(history, 0, 1e9, filter, info, { grouping: 'file' }).processes;
    expect(rows.map(({ comm, disk, readsPerSecond }) => [comm, disk, readsPerSecond])).toEqual([
      ['/srv/orders', '2 disks', 3],
      ['(unknown)', '7:0', 1],
    ]);
    expect(rows[0]).toMatchObject({ file: orders, tgid: undefined, cgroup: undefined });
  });

  test('the process table can have one row per folder, without the folders in it, and one for files whose path is unknown', () => {
    const info = createInfo([keyOf()]);
    const { files } = info.identities;
    const paths = ['/srv/db1/a', '/srv/db1/b', '/srv/c', undefined, undefined, '/d'];
    const numbers = paths.map((path, inode) =>
      files.intern({ kind: 'file', dev: 1, inode: inode + 1, generation: 0, path }),
    );
    const journal = files.intern({ kind: 'journal', dev: 1, inode: 0, generation: 0 });
    const others = { kind: 'file', dev: 1, inode: 0, generation: 0, path: '/srv/db1/' } as const;
    const history = createHistory({ info, budgetBytes: 2 ** 24 });
    const rows = [...numbers, journal, OTHER_FILES, files.intern(others)];
    history.append(columnsOf(rows.map((file, at) => ({ completeNs: at, deviceNs: 1e6, file }))));
    const filter = compileFilter(NO_FILTER, info.identities, info);
    const report = reportActivity(history, 0, 1e9, filter, info, { grouping: 'folder' });
    const shown = report.processes.map((row) => [row.comm, row.folder, row.readsPerSecond]);
    expect(shown).toEqual([
      ['/srv/db1/', '/srv/db1/', 3],
      ['/srv/', '/srv/', 1],
      ['(unknown folder)', '(unknown folder)', 2],
      ['/', '/', 1],
      ['(journal)', undefined, 1],
      ['(other files)', undefined, 1],
    ]);
    for (const row of report.processes) {
      const [asked, ...others] = rowTerms({ ...row, dev: undefined })!;
      const own = compileFilter(asked!, info.identities, info);
      const found = reportActivity(history, 0, 1e9, own, info, { grouping: 'folder' });
      if (row.comm === '(other files)') expect(found.undecidedCount).toBe(1);
      else expect([found.totals.readsPerSecond, others]).toEqual([row.readsPerSecond, []]);
    }
  });

  test('folders of several hosts have a row each, also with the same path', () => {
    const devs = [1, 2].map((host) => host * DEVS_PER_HOST + SDA);
    const base = createInfo(devs.map((dev) => keyOf({ dev })));
    const device = (dev: number) => {
      const host = `web${hostNumberOf(dev)}`;
      return { dev, name: `sda@${host}`, host };
    };
    const info = { ...base, device };
    const numbers = devs.map((dev) =>
      info.identities.files.intern({ kind: 'file', dev, inode: 9, generation: 0, path: '/srv/a' }),
    );
    const history = createHistory({ info, budgetBytes: 2 ** 24 });
    const rows = numbers.map((file, key) => ({ completeNs: key, key, deviceNs: 1e6, file }));
    history.append(columnsOf(rows));
    const filter = compileFilter(NO_FILTER, info.identities, info);
    const report = reportActivity(history, 0, 1e9, filter, info, { grouping: 'folder' });
    expect(report.processes.map((row) => [row.comm, row.disk, rowTerms(row)])).toEqual(
      ['web1', 'web2'].map((host) => [
        ...['/srv/', `sda@${host}`],
        [term('folder', '=', '/srv/'), term('host', '=', host)],
      ]),
    );
  });

  test('a file is unknown of I/O that was only counted', () => {
    const info = createInfo([keyOf({ tgid: 0, marks: IdentityMark.noDetail })]);
    const history = createHistory({ info, budgetBytes: 2 ** 24 });
    history.appendAggregate(summaryOf({ count: 5 }));
    const filter = compileFilter(NO_FILTER, info.identities, info);
    const rows = reportActivity(history, 0, 1e9, filter, info, { grouping: 'file' }).processes;
    expect(rows.map(({ comm, file }) => [comm, file])).toEqual([['(no detail)', undefined]]);
  });
});
