import { describe, expect, it } from 'vitest';
import type { ProcessActivity } from '../../src/model/activity.ts';
import { packDevice } from '../../src/model/device.ts';
import { namedFile } from '../../src/model/named-file.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { LaneKind } from '../../src/model/metric.ts';
import { allOf, NO_FILTER } from '../../src/filter/filter.ts';
import { formatFilter } from '../../src/filter/language/format.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { ReplaySource } from '../../src/trace/replay/replay-source.ts';
import type { NamedTrace } from '../../src/trace/replay/join-traces.ts';
import { EventRows } from '../../src/export/rows/event-row.ts';
import { pickEntries } from '../../src/ui/dialogs/pick-entries.ts';
import { rowTerms } from '../../src/ui/tables/row-terms.ts';
import { chunkOf, KeptTrace, tableOf } from '../trace/replay/kept-trace.ts';

const DISK = packDevice(8, 0);
const SECOND = 1e9;
const WHOLE = { scope: 'recent', startNs: 0, endNs: 10 * SECOND } as const;

/** I/Os of process 100 in cgroup 7, which has another name on each host, and of cgroup 8, whose name is unknown. */
function hostWith(host: string, count: number): NamedTrace {
  const identities = tableOf('dd', DISK, { cgroup: 7 });
  identities.intern({ ...identities.get(0), tgid: 200, tid: 200, cgroup: 8 });
  const file = identities.files.intern(namedFile('/etc/hosts'));
  const rows = Array.from({ length: count }, (_, i) => ({ completeNs: (i + 1) * 1e8 }));
  const chunk = chunkOf([...rows, { completeNs: SECOND * 5, key: 1 }]);
  chunk.rows.file[0] = file;
  const kept = new KeptTrace({
    header: { host },
    chunks: [chunk],
    devices: [{ dev: DISK, name: 'sda' }],
  });
  const cgroups = { name: (id: number) => (id === 7 ? `/of-${host}` : undefined) };
  return { name: host, reader: Object.assign(kept, { cgroups }), identities };
}

function monitorOf(): Monitor {
  const identities = new IdentityTable();
  const traces = [hostWith('web1', 3), hostWith('db', 5)];
  const clock = { untilNs: () => Infinity };
  const source = new ReplaySource(traces, clock, { identities, oneHost: false });
  const monitor = new Monitor({ source, historyBytes: 1 << 24, filter: NO_FILTER });
  while (!monitor.pump());
  return monitor;
}

const countsOf = (rows: readonly Pick<ProcessActivity, 'readsPerSecond'>[]): number[] =>
  rows.map(({ readsPerSecond }) => Math.round(readsPerSecond! * 10)).toSorted((a, b) => a - b);

describe('processes and cgroups of two hosts that have the same numbers', () => {
  it.each(['process-disk', 'process', 'thread', 'cgroup'] as const)(
    'have rows of their own, grouped by %s, and each row can be filtered by',
    (grouping) => {
      const monitor = monitorOf();
      const { processes } = monitor.report(WHOLE, grouping);
      expect(countsOf(processes)).toEqual([1, 1, 3, 5]);
      for (const row of processes)
        for (const isOnDisk of [true, false]) {
          const terms = rowTerms({ ...row, dev: isOnDisk ? row.dev : undefined });
          monitor.setFilter(allOf(terms!));
          expect([...countsOf(monitor.report(WHOLE, grouping).processes)]).toEqual(countsOf([row]));
        }
    },
  );

  it('are shown with the numbers that they have on their host', () => {
    const monitor = monitorOf();
    const { processes } = monitor.report(WHOLE, 'process');
    expect(new Set(processes.map(({ tgid }) => tgid))).toEqual(new Set([100, 200]));
    const names = monitor.report(WHOLE, 'cgroup').processes.map(({ comm }) => comm);
    expect(names.toSorted()).toEqual(['/of-db@db', '/of-web1@web1', 'cgroup 8', 'cgroup 8']);
    const texts = processes.map((row) => formatFilter(rowTerms({ ...row, dev: undefined })![0]!));
    expect(texts.toSorted()).toEqual([
      ...['pid=100@db', 'pid=100@web1', 'pid=200@db', 'pid=200@web1'],
    ]);
  });

  it('have rows of their own for files with the same path, and each row can be filtered by', () => {
    const monitor = monitorOf();
    const { processes } = monitor.report(WHOLE, 'file');
    const rows = processes.filter(({ comm }) => comm === '/etc/hosts');
    expect(rows.map(({ host }) => host).toSorted()).toEqual(['db', 'web1']);
    expect(processes.find(({ comm }) => comm === '(unknown)')?.host).toBeUndefined();
    for (const row of rows) {
      monitor.setFilter(allOf(rowTerms(row)!));
      expect(countsOf(monitor.report(WHOLE, 'file').processes)).toEqual([1]);
    }
  });

  it('can be picked from the list', () => {
    const report = monitorOf().report(WHOLE, 'process');
    const entries = pickEntries({ what: 'process', chosen: [], opened: [] }, report, 'disks');
    const ids = entries.map(({ id }) => id).toSorted();
    expect(ids).toEqual(['100@db', '100@web1', '200@db', '200@web1']);
  });

  it.each<[LaneKind, readonly (string | number)[]]>([
    ['process', ['100@db', '100@web1', '200@db', '200@web1']],
    ['cgroup', ['/of-db@db', '/of-web1@web1', '8@db', '8@web1']],
  ])('have lanes of their own: %s', (kind, wanted) => {
    const monitor = monitorOf();
    const time = { columnNs: SECOND, columns: 10 };
    const { lanes } = monitor.rankLanes(time, kind, 8, 10 * SECOND);
    expect(lanes.map(({ key }) => key).toSorted()).toEqual(wanted);
  });

  it('are exported with the numbers of their host, and a file that is known by name only has no inode', () => {
    const monitor = monitorOf();
    const { info } = monitor.source;
    const context = { identities: info.identities, names: info, clockBase: info.clockBase };
    const events = new EventRows({ ...context, hasWallClock: true, unknown: [] });
    const found = [...monitor.history.query(0, 10 * SECOND).chunks].flatMap(({ rows, from, to }) =>
      Array.from({ length: to - from }, (_, i) => ({ ...events.at(rows, from + i) })),
    );
    expect(new Set(found.map(({ identity }) => identity.cgroupId))).toEqual(new Set([7, 8]));
    expect(new Set(found.map(({ identity }) => identity.pid))).toEqual(new Set([100, 200]));
    const files = found.filter(({ file }) => file === '/etc/hosts');
    expect(files.map(({ inode }) => inode)).toEqual([undefined, undefined]);
  });
});
