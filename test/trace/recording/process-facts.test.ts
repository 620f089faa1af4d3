import { describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import type { CgroupNames } from '../../../src/model/cgroup-names.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import type { Identity } from '../../../src/model/identity.ts';
import { ProcessBook } from '../../../src/model/known-processes.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { JoinedHosts, TraceHost } from '../../../src/trace/replay/joined-hosts.ts';
import { joinedProcesses } from '../../../src/trace/replay/joined-processes.ts';
import { bytesOf, HEADER, readerOf, readRows } from './fixtures/record.ts';

const KEY: Identity = {
  ...{ dev: 1, cmdFlags: 0, tgid: 7, tid: 8, comm: 'worker', cgroup: 0, error: 0, marks: 0 },
};
const FACTS = { command: 'postgres: app db SELECT', user: 'web', uid: 33 };
const DISK = {
  ...{ dev: 1, name: 'vg0-data', kernelName: 'dm-0', mounts: ['/', '/srv/a b'] },
  ...{ volumes: ['cryptroot'], liesOn: ['sda', 'sdb'] },
};

function recorder(book: ProcessBook, cgroups: CgroupNames = NO_CGROUP_NAMES) {
  const identities = new IdentityTable();
  const devices = { device: () => DISK, devices: () => [DISK] };
  const names = { devices, cgroups, processes: book };
  const encoder = new RecordingEncoder({ header: HEADER, identities, names });
  const parts = [encoder.begin()];
  const record = async (key: Identity): Promise<void> => {
    const rows = createColumns(1);
    rows.identity[0] = identities.intern(key);
    rows.length = 1;
    parts.push(await bytesOf(encoder.append(rows)), await bytesOf(encoder.flush(undefined)));
  };
  return { record, bytes: () => Buffer.concat(parts) };
}

describe('what is known of processes and disks', () => {
  it('what is known of processes and disks is in the recording, with the first I/O of a process or as soon as it is known', async () => {
    const book = new ProcessBook(9);
    const { record, bytes } = recorder(book);
    book.add(7, 'worker', FACTS);
    await record(KEY);
    await record({ ...KEY, tgid: 9 });
    book.add(9, 'worker', { uid: 4242 });
    await record(KEY);
    const reader = readerOf(bytes());
    expect(readRows(reader).length).toBe(3);
    expect(reader.processes.facts(7, 'worker')).toEqual(FACTS);
    expect(reader.processes.facts(9, 'worker')).toEqual({ uid: 4242 });
    expect(reader.processes.facts(7, 'other')).toBeUndefined();
    expect(reader.devices()).toEqual([DISK]);
    expect(bytes().toString('latin1').split('postgres: app db').length - 1).toBe(1);
  });

  it('what is known of processes and disks has the kernel thread that submitted what a process wrote', async () => {
    const { record, bytes } = recorder(new ProcessBook(9));
    const written = { ...KEY, via: 'kworker/u8:1', marks: IdentityMark.indirect };
    const shared = { ...written, marks: written.marks | IdentityMark.severalWriters };
    for (const key of [KEY, written, shared]) await record(key);
    const identities = new IdentityTable();
    const { identity } = readRows(readerOf(bytes(), identities));
    expect([...identity].map((index) => identities.get(index))).toEqual([KEY, written, shared]);
  });

  it('what is known of processes and disks has the layer of each I/O', async () => {
    const { record, bytes } = recorder(new ProcessBook(9));
    const keys = [KEY, { ...KEY, layer: 'volumes' }, { ...KEY, tgid: 9 }] as const;
    for (const key of keys) await record(key);
    const identities = new IdentityTable();
    const { identity } = readRows(readerOf(bytes(), identities));
    expect([...identity].map((index) => identities.get(index))).toEqual(keys);
    expect([...identities.layers]).toEqual(['disks', 'volumes']);
  });

  it('what is known of processes and disks has the name of a cgroup, also if it becomes known after its first I/O', async () => {
    const names = new Map([[3, '/web']]);
    const { record, bytes } = recorder(new ProcessBook(9), { name: (id) => names.get(id) });
    for (const cgroup of [3, 4]) await record({ ...KEY, cgroup });
    names.set(4, '/late');
    for (const cgroup of [4, 3]) await record({ ...KEY, cgroup });
    const reader = readerOf(bytes());
    expect(readRows(reader).length).toBe(4);
    expect([3, 4, 5].map((id) => reader.cgroups.name(id))).toEqual(['/web', '/late', undefined]);
    expect(bytes().toString('latin1').split('/web"').length - 1).toBe(1);
  });

  it('what is known of processes and disks of several hosts belongs to the processes of its host', () => {
    const [one, two] = [new ProcessBook(9), new ProcessBook(9)];
    one.add(7, 'worker', { user: 'one' });
    two.add(7, 'worker', { user: 'two' });
    const host = (name: string) => new TraceHost(name, { devices: () => [] }, new JoinedHosts());
    const joined = joinedProcesses([
      { reader: { processes: one }, host: host('web1') },
      { reader: { processes: two }, host: host('web2') },
    ]);
    expect(joined?.facts(7, 'worker@web2')).toEqual({ user: 'two' });
    expect(joined?.facts(7, 'worker@web1')).toEqual({ user: 'one' });
    expect(joined?.facts(7, 'worker')).toBeUndefined();
    expect(joined?.version).toBe(2);
  });
});
