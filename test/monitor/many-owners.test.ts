import { describe, expect, it } from 'vitest';
import { createColumns, type CompletionColumns } from '../../src/model/completion-columns.ts';
import { packDevice } from '../../src/model/device.ts';
import { OTHER_COMM } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { Grouping } from '../../src/model/metric.ts';
import type { ActivityReport, ProcessActivity } from '../../src/model/activity.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { rankedLanes } from '../../src/ui/picture/ranked-lanes.ts';
import { createTheme } from '../../src/ui/text/theme.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import type { EventSource } from '../../src/trace/event-source.ts';

const MIB = 2 ** 20;
const SECOND = 1e9;
const BATCH = 8192;
const DISK = { dev: packDevice(8, 0), name: 'sda', sizeBytes: 2 ** 40 };

interface Io {
  readonly inode: number;
  readonly tgid: number;
  readonly tid: number;
  readonly cgroup: number;
}

/** I/Os that complete `gapNs` apart, their owners and files interned as the live source does it. */
class MadeUpSource implements EventSource {
  readonly identities = new IdentityTable();
  readonly info: EventSource['info'] = {
    kind: 'synthetic',
    host: 'test',
    title: 'many',
    clockBase: { monotonicNs: 0n, wallNs: 0n },
    identities: this.identities,
    device: () => DISK,
    devices: () => [DISK],
  };
  private readonly columns = createColumns(BATCH);
  private next = 0;

  constructor(
    private readonly count: number,
    private readonly gapNs: number,
    private readonly io: (number: number) => Io,
  ) {}

  get endNs(): number {
    return this.count * this.gapNs;
  }

  read(): CompletionColumns {
    const { columns } = this;
    columns.length = Math.min(BATCH, this.count - this.next);
    for (let row = 0; row < columns.length; row++) this.put(row, this.next++);
    return columns;
  }

  private put(row: number, number: number): void {
    const { columns, identities } = this;
    const { inode, tgid, tid, cgroup } = this.io(number);
    const facts = { kind: 'file', dev: 1, inode, generation: 0, path: `/build/${inode}` } as const;
    const owner = { dev: DISK.dev, cmdFlags: 1, tgid, tid, comm: 'cc1', cgroup };
    columns.completeNs[row] = (number + 0.5) * this.gapNs;
    columns.deviceNs[row] = 1e5 + (number % 1000) * 1e3;
    columns.queueNs[row] = 1e3;
    columns.sector[row] = number * 8;
    columns.bytes[row] = 4096;
    columns.identity[row] = identities.internOfIo({ ...owner, error: 0, marks: 0 });
    columns.file[row] = identities.files.internOfIo(facts);
  }

  readSummaries(): readonly [] {
    return [];
  }

  counters() {
    return { delivered: this.next, summarised: 0, lost: 0, losses: {} };
  }

  dispose(): void {
    this.next = this.count;
  }
}

interface Taken {
  readonly monitor: Monitor;
  readonly source: MadeUpSource;
  readonly report: (grouping: Grouping) => ActivityReport;
}

function take(source: MadeUpSource, historyBytes: number): Taken {
  const monitor = new Monitor({ source, historyBytes, filter: NO_FILTER });
  while (!monitor.pump());
  const range = { scope: 'recent', startNs: 0, endNs: source.endNs } as const;
  return { monitor, source, report: (grouping) => monitor.report(range, grouping) };
}

const perSecond = (row: ProcessActivity): number => row.writesPerSecond!;

/** I/Os of the rows of a table, the most first. */
function counted({ processes, spanNs }: ActivityReport, nameOf: (row: ProcessActivity) => string) {
  const rows = processes.toSorted((a, b) => perSecond(b) - perSecond(a));
  const counts = rows.map((row) => Math.round((perSecond(row) * spanNs) / SECOND));
  return {
    rows: rows.map((row, at) => ({ name: nameOf(row), count: counts[at]! })),
    all: counts.reduce((sum, count) => sum + count, 0),
  };
}

const FILES = 200_000;
const THREADS = 10_000;
const CONTAINERS = 2_000;
/** Of a file that is busy from the middle on, one I/O in so many. */
const BUSY_EVERY = 20;
const BUSY = { inode: FILES + 1, tgid: 7, tid: 7, cgroup: 7 };

/** A build in ten seconds: each file is written twice, by threads of as many containers, and one by a busy program. */
function build(): MadeUpSource {
  const count = 2 * FILES + (2 * FILES) / BUSY_EVERY;
  return new MadeUpSource(count, (10 * SECOND) / count, (number) => {
    if (number > count / 2 && number % (BUSY_EVERY / 2) === 0) return BUSY;
    const thread = 100 + (number % THREADS);
    return {
      inode: 1 + (number % FILES),
      tgid: 100 + (thread % (THREADS / 5)),
      tid: thread,
      cgroup: 100 + (thread % CONTAINERS),
    };
  });
}

describe('200,000 files, 10,000 threads and 2,000 containers', () => {
  const HISTORY = 64 * MIB;
  const before = process.memoryUsage().arrayBuffers;
  const { monitor, source, report } = take(build(), HISTORY);
  const total = source.counters().delivered;
  const busy = Array.from({ length: total }, (_, number) => number).filter(
    (number) => number > total / 2 && number % (BUSY_EVERY / 2) === 0,
  ).length;

  it('200,000 files, 10,000 threads and 2,000 containers stay within the memory budget', () => {
    expect(monitor.history.memoryBytes).toBeLessThanOrEqual(HISTORY);
    for (const grouping of ['file', 'thread', 'cgroup'] as const) report(grouping);
    const rest = process.memoryUsage().arrayBuffers - before - HISTORY;
    expect(rest).toBeLessThan(64 * MIB);
  });

  it('200,000 files, 10,000 threads and 2,000 containers leave the busiest file its row, and have one for the others that says so', () => {
    const { rows, all } = counted(report('file'), ({ comm }) => comm);
    const others = rows.find(({ name }) => name === '/build/(other files)');
    expect(rows.find(({ name }) => name === `/build/${BUSY.inode}`)?.count).toBeGreaterThan(
      0.99 * busy,
    );
    expect(rows[1]?.name).toBe(`/build/${BUSY.inode}`);
    expect(others).toBe(rows[0]);
    expect(all).toBe(total);
    expect(rows.length).toBeGreaterThan(50_000);
  });

  it.each([
    ['thread', ({ tid, comm }: ProcessActivity) => String(tid ?? comm), String(BUSY.tid)],
    ['process', ({ tgid, comm }: ProcessActivity) => String(tgid ?? comm), String(BUSY.tgid)],
    ['cgroup', ({ cgroup, comm }: ProcessActivity) => String(cgroup ?? comm), String(BUSY.cgroup)],
  ] as const)(
    '200,000 files, 10,000 threads and 2,000 containers leave the busiest %s its row',
    (grouping, nameOf, name) => {
      const { rows, all } = counted(report(grouping), nameOf);
      expect(rows.map((row) => row.name).slice(0, 2)).toContain(name);
      expect(rows.find((row) => row.name === name)?.count).toBeGreaterThan(0.99 * busy);
      expect(all).toBe(total);
      if (rows[0]?.name !== name)
        expect(rows[0]?.name).toBe(grouping === 'cgroup' ? OTHER_COMM : 'cc1');
    },
  );
});

describe('lanes of 2,000 processes and containers', () => {
  const { monitor, source } = take(build(), 64 * MIB);
  const endNs = source.endNs - 1;
  const time = { columnNs: SECOND, columns: 20 };

  it.each([
    ['process', BUSY.tgid],
    ['cgroup', String(BUSY.cgroup)],
  ] as const)(
    'lanes of 2,000 processes and containers have the busiest %s, and the last has all others',
    (kind, busiest) => {
      const { lanes, others } = monitor.rankLanes(time, kind, 15, endNs);
      const keys = lanes.map(({ key }) => key);
      const picture = { ...time, metric: 'total', figure: 'p99' } as const;
      const { counts } = monitor.showLanes(picture, kind, keys, endNs);
      const totals = Array.from({ length: counts.lanes }, (_, lane) => counts.laneTotal(lane));
      expect(keys).toContain(busiest);
      expect(totals[keys.indexOf(busiest)]).toBe(Math.max(...totals.slice(0, -1)));
      expect(totals.reduce((sum, count) => sum + count, 0)).toBe(source.counters().delivered);
      expect(others).toBe(CONTAINERS + 1 - 15);
    },
  );

  it('fill three quarters of any height, and the legend says how many have none', () => {
    const style = { unicode: true, color: false, palette: 'mono', background: 'dark' } as const;
    for (let height = 5; height <= 60; height++) {
      const parts = { monitor, view: DEFAULT_VIEW, endNs, width: 120, height, style };
      const { layout, labels, count, notes } = rankedLanes(
        { ...parts, theme: createTheme(0) },
        'cgroups',
      );
      expect(labels.length).toBe(layout.bins);
      expect(layout.bins * layout.laneHeight).toBeGreaterThanOrEqual(0.75 * layout.map.height);
      const counted = count({ ...time, metric: 'total', figure: 'p99' });
      expect(notes(counted)).toEqual([`${CONTAINERS + 2 - layout.bins} more cgroups in others`]);
    }
  });
});

describe('100,000 short processes', () => {
  const PROCESSES = 100_000;
  const LATE = { inode: 7, tgid: 7, tid: 7, cgroup: 7 };
  const COUNT = 2 * PROCESSES;

  it('100,000 short processes leave a row to a busy one that starts after them, and have one of their name', () => {
    const source = new MadeUpSource(COUNT, 1e5, (number) => {
      const tgid = 100 + number;
      return number < PROCESSES ? { inode: 1, tgid, tid: tgid, cgroup: 1 } : LATE;
    });
    const { rows, all } = counted(take(source, 64 * MIB).report('process'), ({ tgid, comm }) =>
      String(tgid ?? comm),
    );
    expect(rows.slice(0, 2).map(({ name }) => name)).toContain(String(LATE.tgid));
    const late = rows.find(({ name }) => name === String(LATE.tgid))!;
    expect(late.count).toBeGreaterThan(0.99 * PROCESSES);
    expect(rows.find(({ name }) => name === 'cc1')?.count).toBeGreaterThan(PROCESSES / 3);
    expect(rows.filter(({ name }) => name === OTHER_COMM)).toEqual([]);
    expect(all).toBe(COUNT);
  });
});
