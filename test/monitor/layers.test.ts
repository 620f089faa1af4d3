import { describe, expect, it } from 'vitest';
import { NO_FILTER, term } from '../../src/filter/filter.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { totalsOf } from '../../src/heatmap/time/totals.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../src/model/completion-columns.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { DeviceInfo } from '../../src/model/device.ts';
import type { Identity } from '../../src/model/identity.ts';
import { InFlightBook } from '../../src/model/in-flight-book.ts';
import type { InFlightIo } from '../../src/model/in-flight.ts';
import type { Layer } from '../../src/model/layer.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import type { EventSource } from '../../src/trace/event-source.ts';

const IO: Identity = {
  ...{ dev: 1, cmdFlags: 1, tgid: 7, tid: 7, comm: 'fio', cgroup: 0, error: 0, marks: 0 },
};
/** A thread waits for them. */
const WAIT: Identity = { ...IO, layer: 'waits' };
/** The same bytes, above: 5 ms instead of 2 and 1. */
const ABOVE: Identity = { ...IO, dev: 2, layer: 'volumes' };
/** RAID below the volume: the same bytes once more. */
const INNER: Identity = { ...IO, dev: 3, layer: 'volumes' };
const DEVICES = [
  { dev: 1, name: 'sda', volumes: ['md0', 'vg0-data'] },
  { dev: 2, name: 'vg0-data', liesOn: ['md0'] },
  { dev: 3, name: 'md0', liesOn: ['sda'], volumes: ['vg0-data'] },
];
const PICTURE = {
  metric: 'total',
  scale: 'log',
  outlierCut: 0,
  ...{ columnNs: 1e9, columns: 4, bins: 20 },
} as const;

/** A source that delivers one batch per read. */
class Batches implements EventSource {
  readonly info;
  private readonly waiting: CompletionColumns[] = [];
  private delivered = 0;
  private readonly book = new InFlightBook();
  devices: readonly DeviceInfo[] = DEVICES.map((one) => ({ ...one, sizeBytes: 2 ** 30 }));

  readonly identities = new IdentityTable();

  constructor() {
    const { identities } = this;
    this.info = {
      kind: 'live',
      ...{ host: 'h', title: '', identities, inFlight: this.book },
      clockBase: { monotonicNs: 0n, wallNs: 0n },
      device: (dev: number) => this.devices.find((one) => one.dev === dev),
      devices: () => this.devices,
    } as const;
  }

  add(io: Identity, count: number): void {
    const rows = createColumns(count);
    for (; rows.length < count; rows.length++) {
      const isAbove = io.layer !== undefined;
      rows.completeNs[rows.length] = 1e6 * rows.length;
      rows.deviceNs[rows.length] = isAbove ? 5e6 : 2e6;
      rows.queueNs[rows.length] = isAbove ? 0 : 1e6;
      rows.bytes[rows.length] = 4096;
      rows.identity[rows.length] = this.identities.intern(io);
    }
    this.waiting.push(rows);
  }

  read(): CompletionColumns {
    const rows = this.waiting.shift() ?? createColumns(0);
    this.delivered += rows.length;
    return rows;
  }

  readSummaries() {
    return [];
  }

  /** What is in flight at a time. */
  hang(all: readonly InFlightIo[], nowNs: number): void {
    this.book.look(all, nowNs);
  }

  counters() {
    return { delivered: this.delivered, summarised: 0, lost: 0, losses: {} };
  }

  dispose(): void {
    // It holds nothing.
  }
}

function session(filter: Filter = NO_FILTER): { source: Batches; monitor: Monitor } {
  const source = new Batches();
  return { source, monitor: new Monitor({ source, historyBytes: 16 << 20, filter }) };
}

function pump(monitor: Monitor): void {
  while (!monitor.pump());
}

function drawn(monitor: Monitor): number {
  const { map } = monitor.show(PICTURE, 1e9);
  let sum = 0;
  for (let column = 0; column < map.columns; column++) sum += map.columnTotal(column);
  return sum;
}

const RANGE = { scope: 'recent', startNs: 0, endNs: 2e9 } as const;

describe('a source with several layers', () => {
  it('a source with several layers has one of them in the picture and in the figures', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.add(ABOVE, 4);
    pump(monitor);
    expect(drawn(monitor)).toBe(10);
    expect(monitor.report(RANGE).disks.map(({ disk }) => disk)).toEqual(['sda']);
    monitor.setLayer('volumes');
    expect(drawn(monitor)).toBe(4);
    expect(monitor.report(RANGE).disks.map(({ disk }) => disk)).toEqual(['vg0-data']);
    expect(monitor.slowest()?.latencyNs).toBe(5e6);
    expect(monitor.arrived().taken).toBe(14);
  });

  it('a source with several layers keeps the picture true when the first I/O of another layer comes while it is shown', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    pump(monitor);
    expect(drawn(monitor)).toBe(10);
    source.add(ABOVE, 4);
    source.add(IO, 1);
    pump(monitor);
    expect(drawn(monitor)).toBe(11);
    source.add(ABOVE, 4);
    pump(monitor);
    expect(drawn(monitor)).toBe(11);
  });

  it('a source with several layers has each in a picture of its own, next to figures of one', () => {
    const { source, monitor } = session(term('lat', '>', 1e6));
    source.add(IO, 10);
    source.add(ABOVE, 4);
    pump(monitor);
    const both = (['volumes', 'disks'] as const).map((layer) => ({ ...PICTURE, layer }));
    const counts = (): number[] => monitor.showAll(both, 1e9).map(({ map }) => totalsOf(map).all);
    expect(counts()).toEqual([4, 10]);
    monitor.setLayer('volumes');
    expect(counts()).toEqual([4, 10]);
    monitor.setHighlight(term('layer', '=', 'disks'));
    const [above, below] = monitor.showAll(both, 1e9).map(({ highlight }) => totalsOf(highlight!));
    expect([above?.all, below?.all]).toEqual([0, 10]);
    expect(monitor.report(RANGE).disks.map(({ disk }) => disk)).toEqual(['vg0-data']);
  });

  it.each([
    ['in slices', NO_FILTER],
    ['row by row', term('lat', '>', 1e6)],
  ])(
    'a source with several layers has volumes next to its disks, counted %s in the same pass, and in no sum',
    (_, filter) => {
      const { source, monitor } = session(filter);
      source.add(IO, 10);
      source.add(ABOVE, 4);
      source.add(WAIT, 7);
      pump(monitor);
      const report = monitor.report(RANGE);
      expect(report.disks.map(({ disk, layer }) => [disk, layer])).toEqual([['sda', 'disks']]);
      const [volume, ...others] = report.disksBeside ?? [];
      expect(others).toEqual([]);
      expect(volume).toMatchObject({ disk: 'vg0-data', layer: 'volumes', errors: 0 });
      expect(volume?.writesPerSecond).toBeCloseTo(4 * (report.disks[0]!.writesPerSecond! / 10));
      expect(volume?.p99Ns).toBeCloseTo(5e6, -6);
      expect(report.totals.writesPerSecond).toBe(report.disks[0]!.writesPerSecond);
      expect(report.processes).toHaveLength(1);
      monitor.setLayer('volumes');
      expect(monitor.report(RANGE).disksBeside?.map(({ disk }) => disk)).toEqual(['sda']);
      monitor.setLayer('waits');
      expect(monitor.report(RANGE).disksBeside).toEqual([]);
    },
  );

  it('a source with several layers divides the time waited among the rows of one layer', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.add(ABOVE, 90);
    pump(monitor);
    for (const layer of ['disks', 'volumes'] as const) {
      monitor.setLayer(layer);
      expect(monitor.report(RANGE).processes.map(({ waitShare }) => waitShare)).toEqual([1]);
    }
  });

  it('a source with several layers knows the queue only of disks', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.add(ABOVE, 10);
    pump(monitor);
    expect(monitor.report(RANGE).totals.queueShare).toBeCloseTo(1 / 3);
    monitor.setLayer('volumes');
    const { totals } = monitor.report(RANGE);
    expect(totals).toMatchObject({ queueShare: undefined, tail: undefined, hasQueue: true });
    expect(totals.p99Ns).toBeCloseTo(5e6, -6);
  });

  it('a source with several layers keeps the filter in every layer', () => {
    const { source, monitor } = session(term('lat', '>', 4e6));
    source.add(IO, 10);
    source.add(ABOVE, 4);
    pump(monitor);
    expect(drawn(monitor)).toBe(0);
    monitor.setLayer('volumes');
    expect(drawn(monitor)).toBe(4);
    expect(monitor.filter).toEqual(term('lat', '>', 4e6));
  });

  it('a source with several layers has boxes of one layer', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.add(ABOVE, 4);
    pump(monitor);
    const box = { metric: 'total', startNs: 0, endNs: 1e9, low: 1, high: 1e9 } as const;
    expect(monitor.inspect(box).count).toBe(10);
    monitor.setLayer('volumes');
    expect(monitor.inspect(box).count).toBe(4);
  });
});

describe('the disks of a filter', () => {
  it('a disk is in lanes and on axes once it is known to match the filter', () => {
    const { source, monitor } = session(term('mount', '=', '/srv'));
    source.add(IO, 10);
    pump(monitor);
    expect([drawn(monitor), monitor.laneDevs()]).toEqual([0, []]);
    source.devices = source.devices.map((disk) => ({ ...disk, mounts: ['/srv'] }));
    source.add(IO, 10);
    pump(monitor);
    expect(drawn(monitor)).toBeGreaterThan(0);
    expect(monitor.laneDevs()).toEqual([IO.dev]);
  });
});

describe('a disk that comes while lanes stand', () => {
  it('moves no lane under the cross-hair, and gets its own afterwards', () => {
    const { source, monitor } = session(NO_FILTER);
    const [sda, sdb, sdc] = [1, 16, 32].map((dev) => ({ ...IO, dev }));
    source.devices = [
      ...source.devices,
      ...['sdb', 'sdc'].map((name, i) => ({ dev: 16 * (i + 1), name, sizeBytes: 2 ** 30 })),
    ];
    source.add(sda!, 10);
    source.add(sdc!, 10);
    pump(monitor);
    expect(monitor.laneDevs()).toEqual([1, 32]);
    source.add(sdb!, 10);
    pump(monitor);
    expect(monitor.laneDevs(true)).toEqual([1, 32]);
    expect(monitor.laneDevs()).toEqual([1, 16, 32]);
  });
});

describe('volumes on volumes', () => {
  it.each([
    ['in slices', NO_FILTER],
    ['row by row', term('lat', '>', 1e6)],
  ])('volumes on volumes are summed once, as the outermost, counted %s', (_, filter) => {
    const { source, monitor } = session(filter);
    source.add(IO, 10);
    source.add(INNER, 9);
    source.add(ABOVE, 4);
    pump(monitor);
    monitor.setLayer('volumes');
    expect(drawn(monitor)).toBe(4);
    const { disks, disksBeside = [], totals, processes } = monitor.report(RANGE);
    expect(disks.map(({ disk }) => disk)).toEqual(['vg0-data']);
    expect(disksBeside.map(({ disk, layer }) => `${disk} ${layer}`).sort()).toEqual([
      ...['md0 volumes', 'sda disks'],
    ]);
    expect(totals.writesPerSecond).toBe(disks[0]!.writesPerSecond);
    expect(processes.map(({ waitShare }) => waitShare)).toEqual([1]);
    expect(monitor.laneDevs()).toEqual([2]);
    monitor.setLayer('disks');
    const beside = monitor.report(RANGE).disksBeside?.map(({ disk }) => disk);
    expect(beside?.sort()).toEqual(['md0', 'vg0-data']);
  });

  it('volumes on volumes are each the sum where the filter asks for that one', () => {
    const { source, monitor } = session(term('volume', '=', 'md0'));
    source.add(INNER, 9);
    source.add(ABOVE, 4);
    pump(monitor);
    monitor.setLayer('volumes');
    expect(drawn(monitor)).toBe(9);
    monitor.setFilter(term('volume', '=', 'vg0-data'));
    expect(drawn(monitor)).toBe(4);
    monitor.setFilter(term('volume', '=', 'md0', 'vg0-data'));
    expect(drawn(monitor)).toBe(4);
    monitor.setFilter(NO_FILTER);
    monitor.setHighlight(term('disk', '=', 'md0'));
    const { map, highlight } = monitor.show(PICTURE, 1e9);
    expect([totalsOf(map).all, totalsOf(highlight!).all]).toEqual([4, 0]);
  });

  it('volumes on volumes are counted again when the outer one has its first I/O, or is made', () => {
    const { source, monitor } = session();
    monitor.setLayer('volumes');
    const tree = source.devices;
    source.devices = tree.map(({ dev, name }) => ({ dev, name }));
    source.add(INNER, 9);
    pump(monitor);
    expect(drawn(monitor)).toBe(9);
    source.add(ABOVE, 4);
    pump(monitor);
    expect(drawn(monitor)).toBe(13);
    source.devices = tree;
    pump(monitor);
    expect(drawn(monitor)).toBe(4);
    source.add(INNER, 2);
    source.add(ABOVE, 2);
    pump(monitor);
    expect(drawn(monitor)).toBe(6);
  });
});

describe('what is in flight', () => {
  function inFlight(dev: number, sinceNs: number, layer?: Layer): InFlightIo {
    return {
      ...{ slot: 0, sinceNs, ageNs: 0, stage: 'at the device', issueNs: sinceNs },
      ...{ bytes: 4096, sector: 8, file: undefined, fileOffset: undefined },
      identity: { ...IO, dev, layer },
    };
  }

  it('what is in flight is counted by disk from a second on, with the age of the oldest', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.add(ABOVE, 4);
    source.hang([inFlight(1, 0), inFlight(1, 5e8), inFlight(1, 18e8)], 2e9);
    pump(monitor);
    const { disks, disksBeside } = monitor.report(RANGE);
    expect(disks[0]?.inFlight).toEqual({ count: 2, oldestNs: 2e9 });
    expect(disksBeside?.[0]?.inFlight).toEqual({ count: 0, oldestNs: 0 });
    expect(monitor.report({ ...RANGE, endNs: 9e8 }).disks[0]?.inFlight?.count).toBe(0);
    source.hang([], 3e9);
    expect(monitor.report({ ...RANGE, endNs: 3e9 }).disks[0]?.inFlight).toEqual({
      count: 0,
      oldestNs: 0,
    });
  });

  it('what is in flight is that of the edge of the picture, where its last column ends later', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.hang([inFlight(1, 0), inFlight(1, 5e8)], 2e9);
    pump(monitor);
    const frozen = { scope: 'picture', startNs: 0, endNs: 600e9, edgeNs: 2e9 } as const;
    const held = () => monitor.report(frozen).disks[0]?.inFlight;
    expect(held()).toEqual({ count: 2, oldestNs: 2e9 });
    source.hang([inFlight(1, 5e8)], 3e9);
    expect(held()).toEqual({ count: 2, oldestNs: 2e9 });
  });

  it('what is in flight is counted of volumes as of disks, each in rows of its own, also where nothing completes', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.hang([inFlight(2, 0, 'volumes'), inFlight(3, 5e8, 'volumes'), inFlight(1, 8e8)], 2e9);
    pump(monitor);
    const held = (layer: Layer) => {
      monitor.setLayer(layer);
      const { disks, disksBeside = [] } = monitor.report(RANGE);
      return [disks, disksBeside].map((rows) =>
        rows.map(({ disk, inFlight: one }) => [disk, one?.count, one?.oldestNs]),
      );
    };
    const volumes = [
      ['vg0-data', 1, 2e9],
      ['md0', 1, 1.5e9],
    ];
    expect(held('disks')).toEqual([[['sda', 1, 1.2e9]], volumes]);
    expect(held('volumes')).toEqual([volumes, [['sda', 1, 1.2e9]]]);
  });

  it('what is in flight hangs on the disk, where the volume above waits for it, and else in the volume', () => {
    const { source, monitor } = session();
    source.hang([inFlight(2, 0, 'volumes'), inFlight(1, 1e8)], 4e9);
    expect(monitor.outstanding.hanging(4e9)).toEqual({ count: 1, ageNs: 3.9e9, disk: 'sda' });
    source.hang([inFlight(2, 0, 'volumes')], 5e9);
    expect(monitor.outstanding.hanging(5e9)).toEqual({ count: 1, ageNs: 5e9, disk: 'vg0-data' });
  });

  it('what is in flight keeps a disk in the table that completes nothing, as far as the filter passes it', () => {
    const { source, monitor } = session();
    source.add(IO, 10);
    source.hang([inFlight(4, 0)], 2e9);
    pump(monitor);
    const { disks, totals } = monitor.report(RANGE);
    const [, silent] = disks;
    expect(silent).toMatchObject({ dev: 4, inFlight: { count: 1, oldestNs: 2e9 } });
    expect(silent).toMatchObject({ writesPerSecond: 0, p99Ns: undefined, errors: 0 });
    expect(totals.writesPerSecond).toBe(disks[0]!.writesPerSecond);
    monitor.setFilter(term('disk', '=', 'sda'));
    expect(monitor.report(RANGE).disks.map(({ disk }) => disk)).toEqual(['sda']);
    monitor.setFilter(NO_FILTER);
    monitor.setLayer('volumes');
    expect(monitor.report(RANGE).disksBeside?.map(({ dev }) => dev)).toContain(4);
    monitor.setLayer('waits');
    expect(monitor.report(RANGE).disks).toEqual([]);
  });
});
