import { describe, expect, it } from 'vitest';
import { CGROUPS_PER_HOST, cgroupName } from '../../../src/model/cgroup-names.ts';
import { DEVS_PER_HOST, packDevice } from '../../../src/model/device.ts';
import type { DeviceInfo } from '../../../src/model/device.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { knownTexts } from '../../../src/filter/language/complete.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { Verdict } from '../../../src/filter/verdict.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import type { CompletionSummary } from '../../../src/trace/completion-summary.ts';
import { ReplaySource } from '../../../src/trace/replay/replay-source.ts';
import type { NamedTrace } from '../../../src/trace/replay/join-traces.ts';
import { parsed } from '../../filter/fixtures.ts';
import { bytesOf, encoderFor, readerOf, readRows } from '../recording/fixtures/record.ts';
import { chunkOf, HEADER, keptPattern, KeptTrace, ManualClock, tableOf } from './kept-trace.ts';

function sourceOf(
  traces: readonly NamedTrace[],
  identities: IdentityTable,
  oneHost = false,
): { source: ReplaySource; clock: ManualClock } {
  const clock = new ManualClock();
  const source = new ReplaySource(traces, { untilNs: clock.nowNs }, { identities, oneHost });
  return { source, clock };
}

/** Completion times of everything that is due. */
function drain(source: ReplaySource): number[] {
  const times: number[] = [];
  do times.push(...takeTimes(source));
  while (!source.isCaughtUp);
  return times;
}

function takeTimes(source: ReplaySource): number[] {
  const { completeNs, length } = source.read();
  source.readSummaries();
  return [...completeNs.subarray(0, length)];
}

function sum(startNs: number, endNs: number): CompletionSummary {
  const none = new Uint32Array(0);
  const bins = { device: none, queue: none, total: none, size: none, offset: none, offsetShift: 0 };
  const sums = { deviceNsSum: 0, queueNsSum: 0, maxDeviceNs: 0, maxQueueNs: 0 };
  return { startNs, endNs, identity: 0, count: 5, bytes: 0, ...sums, ...bins };
}

describe('the source of a replay', () => {
  it('a replay delivers rows that are out of order once each, in the order of the file', () => {
    const chunks = [
      chunkOf([{ completeNs: 3e9 }, { completeNs: 1e9 }, { completeNs: 2e9 }]),
      chunkOf([{ completeNs: 1.5e9 }, { completeNs: 4e9 }]),
    ];
    const identities = tableOf('dd', 1);
    const { source, clock } = sourceOf(
      [{ name: 'a', reader: new KeptTrace({ chunks }), identities }],
      identities,
    );
    clock.ns = 2e9;
    expect(drain(source)).toEqual([]);
    clock.ns = 3e9;
    expect(drain(source)).toEqual([3e9, 1e9, 2e9, 1.5e9]);
    clock.ns = 9e9;
    expect(drain(source)).toEqual([4e9]);
    expect([source.isEnded, source.lastNs, source.endNs]).toEqual([true, 4e9, 4e9]);
  });

  it('a replay of one whole trace delivers its chunks unchanged, also the rest of a started one', () => {
    const chunks = [
      chunkOf([{ completeNs: 1e9 }, { completeNs: 2e9 }, { completeNs: 3e9 }]),
      chunkOf([{ completeNs: 4e9 }, { completeNs: 5e9 }]),
    ];
    const identities = tableOf('dd', 1);
    const { source, clock } = sourceOf(
      [{ name: 'a', reader: new KeptTrace({ chunks }), identities }],
      identities,
    );
    clock.ns = 1e9;
    expect(drain(source)).toEqual([1e9]);
    clock.ns = Infinity;
    expect(takeTimes(source)).toEqual([2e9, 3e9]);
    expect(source.read()).toBe(chunks[1]!.rows);
    expect([source.isEnded, source.lastNs, source.counters().delivered]).toEqual([false, 5e9, 5]);
    expect(drain(source)).toEqual([]);
    expect(source.isEnded).toBe(true);
  });

  it('a replay delivers each row once, when the clock has reached it', () => {
    const identities = new IdentityTable();
    const reader = keptPattern({ pattern: 'mixed', seconds: 4, identities, chunkRows: 333 });
    const { source, clock } = sourceOf([{ name: 'a', reader, identities }], identities);
    const times: number[] = [];
    for (clock.ns = 0; clock.ns <= 5e9; clock.ns += 50e6) {
      const due = drain(source);
      for (const time of due) expect(time).toBeLessThanOrEqual(clock.ns);
      times.push(...due);
    }
    expect(times).toHaveLength(reader.header.extent!.rows);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(source.isEnded).toBe(true);
    expect(source.counters()).toEqual({
      delivered: times.length,
      summarised: 0,
      lost: 0,
      losses: {},
    });
  });

  it('a replay that jumps back does not deliver rows twice', () => {
    const identities = tableOf('dd', 1);
    const reader = new KeptTrace({ chunks: [chunkOf([{ completeNs: 1 }, { completeNs: 5 }])] });
    const { source, clock } = sourceOf([{ name: 'a', reader, identities }], identities);
    clock.ns = 4;
    expect(drain(source)).toEqual([1]);
    clock.ns = 0;
    expect(drain(source)).toEqual([]);
    clock.ns = 9;
    expect(drain(source)).toEqual([5]);
  });

  it('a replay does not read a file ahead of its clock', () => {
    const identities = new IdentityTable();
    const reader = keptPattern({ pattern: 'mixed', seconds: 20, identities, chunkRows: 500 });
    const { source, clock } = sourceOf([{ name: 'a', reader, identities }], identities);
    clock.ns = 1e9;
    drain(source);
    expect(reader.taken).toBeLessThan(10);
  });

  it('a replay reports what was lost, as far as the trace has been read', () => {
    const identities = tableOf('dd', 1);
    const counters = { delivered: 2, summarised: 0, lost: 3, losses: { overwritten: 3 } };
    const chunks = [chunkOf([{ completeNs: 1 }], { counters }), chunkOf([{ completeNs: 9 }])];
    const { source, clock } = sourceOf(
      [{ name: 'a', reader: new KeptTrace({ chunks }), identities }],
      identities,
    );
    clock.ns = 0.5;
    drain(source);
    expect(source.counters().lost).toBe(0);
    clock.ns = 5;
    drain(source);
    expect(source.counters()).toMatchObject({ delivered: 1, lost: 3, losses: { overwritten: 3 } });
  });

  it('a replay delivers aggregates when their time is over, and counts them', () => {
    const identities = tableOf('dd', 1);
    const chunks = [0, 1, 2, 3].map((second) =>
      chunkOf([], { summaries: [sum(second * 1e9, (second + 1) * 1e9)] }),
    );
    const { source, clock } = sourceOf(
      [{ name: 'a', reader: new KeptTrace({ chunks }), identities }],
      identities,
    );
    clock.ns = 2.5e9;
    source.read();
    expect(source.readSummaries().map(({ endNs }) => endNs)).toEqual([1e9, 2e9]);
    clock.ns = 9e9;
    source.read();
    expect(source.readSummaries()).toHaveLength(2);
    expect(source.counters()).toMatchObject({ delivered: 0, summarised: 20 });
    source.read();
    expect([source.isEnded, source.endNs]).toEqual([true, 4e9]);
  });

  it('a replay continues with a stream that had no data for a while', () => {
    const identities = tableOf('dd', 1);
    const chunks = [chunkOf([{ completeNs: 1 }]), 'waiting' as const, chunkOf([{ completeNs: 2 }])];
    const { source, clock } = sourceOf(
      [{ name: '-', reader: new KeptTrace({ chunks }), identities }],
      identities,
    );
    clock.ns = Infinity;
    expect([takeTimes(source), source.isEnded]).toEqual([[1], false]);
    expect([takeTimes(source), source.isEnded]).toEqual([[2], true]);
  });

  it('a replay believes the end in a header only when it is plausible', () => {
    const identities = tableOf('dd', 1);
    const endOf = (endNs: number): number => {
      const header = { extent: { startNs: 0, endNs, rows: 1 } };
      const reader = new KeptTrace({ header, chunks: [chunkOf([{ completeNs: 5e9 }])] });
      const { source, clock } = sourceOf([{ name: 'a', reader, identities }], identities);
      clock.ns = 6e9;
      drain(source);
      return source.endNs;
    };
    expect([endOf(8e9), endOf(1e9), endOf(1e30), endOf(NaN)]).toEqual([8e9, 5e9, 5e9, 5e9]);
  });

  it('closing a replay closes every trace', () => {
    const identities = tableOf('dd', 1);
    const readers = [1, 2].map((n) => new KeptTrace({ chunks: [chunkOf([{ completeNs: n }])] }));
    const traces = readers.map((reader) => ({ name: 'a', reader, identities: identities }));
    sourceOf(traces, new IdentityTable()).source.dispose();
    expect(readers.map(({ isDisposed }) => isDisposed)).toEqual([true, true]);
  });
});

describe('several traces', () => {
  const DISK = packDevice(8, 0);
  const WALL = HEADER.clockBase.wallNs;

  function traceOf(host: string, startsNs: number, times: readonly number[]): NamedTrace {
    const reader = new KeptTrace({
      header: {
        host,
        clockBase: { monotonicNs: 0n, wallNs: WALL + BigInt(startsNs) },
        extent: { startNs: times[0]!, endNs: times.at(-1)!, rows: times.length },
      },
      chunks: [chunkOf(times.map((completeNs) => ({ completeNs })))],
      devices: [{ dev: DISK, name: 'sda', sizeBytes: 1e9 }],
    });
    return { name: `${host}.ioheat`, reader, identities: tableOf('mysqld', DISK) };
  }

  /** Of a process 100 with one I/O on each of two hosts, all read. */
  function ofTwoHosts() {
    const identities = new IdentityTable();
    const { source, clock } = sourceOf(
      [traceOf('web1', 0, [1]), traceOf('db', 5, [1])],
      identities,
    );
    clock.ns = 60e9;
    drain(source);
    const judged = (text: string): boolean[] => {
      const filter = compileFilter(parsed(text), identities, source.info);
      return [0, 1].map((key) => filter.judge(key) === Verdict.yes);
    };
    return { source, identities, judged };
  }

  it('several traces are put on one time axis by the wall clock', () => {
    const traces = [traceOf('web1', 10e9, [1e9, 2e9]), traceOf('web1', 0, [1e9, 11.5e9])];
    const { source, clock } = sourceOf(traces, new IdentityTable());
    clock.ns = 60e9;
    expect(drain(source)).toEqual([1e9, 11e9, 11.5e9, 12e9]);
    expect(source.info.clockBase.wallNs).toBe(WALL);
  });

  it('several traces of one host share their disks', () => {
    const identities = new IdentityTable();
    const { source, clock } = sourceOf(
      [traceOf('web1', 0, [1]), traceOf('web1', 10e9, [1])],
      identities,
    );
    clock.ns = 60e9;
    drain(source);
    expect(source.info.devices().map(({ name }) => name)).toEqual(['sda']);
    expect([identities.size, identities.get(0)]).toEqual([
      1,
      expect.objectContaining({ comm: 'mysqld' }),
    ]);
  });

  it('traces of several hosts keep their disks and processes apart, by name and number', () => {
    const { source, identities } = ofTwoHosts();
    const disks = source.info.devices();
    expect(disks.map(({ name }) => name)).toEqual(['sda@web1', 'sda@db']);
    const used = [identities.get(0), identities.get(1)];
    expect(used.map(({ comm }) => comm)).toEqual(['mysqld@web1', 'mysqld@db']);
    expect(used.map(({ dev }) => source.info.device(dev)?.name)).toEqual(['sda@web1', 'sda@db']);
    expect(source.info.host).toBe('web1, db');
  });

  it('traces of several hosts can be filtered by host, and completion offers the hosts', () => {
    const { source, identities, judged } = ofTwoHosts();
    expect(judged('host=web1')).toEqual([true, false]);
    expect(judged('host!=web1')).toEqual([false, true]);
    expect(judged('host~DB or host=web1')).toEqual([true, true]);
    const { host } = knownTexts(identities, source.info);
    expect(host?.map(({ text }) => text)).toEqual(['db', 'web1']);
  });

  it('traces of several hosts can be saved together, and keep their hosts', async () => {
    const identities = new IdentityTable();
    const { source, clock } = sourceOf(
      [traceOf('web1', 0, [1]), traceOf('db', 5, [1])],
      identities,
    );
    clock.ns = 60e9;
    const encoder = encoderFor(source);
    const parts = [encoder.begin()];
    for (let rows = source.read(); rows.length > 0; rows = source.read())
      for (const batch of encoder.append(rows)) parts.push(await bytesOf([batch]));
    parts.push(await bytesOf(encoder.flush(source.counters())), END_OF_STREAM);
    const reader = readerOf(Buffer.concat(parts));
    expect(readRows(reader).length).toBe(2);
    expect(reader.problems()).toEqual([]);
    expect(reader.devices().map(({ name, host }) => [name, host])).toEqual([
      ['sda@web1', 'web1'],
      ['sda@db', 'db'],
    ]);
  });

  it('cgroups of several hosts with the same number keep their names apart', () => {
    const named = (host: string, name: string): NamedTrace => {
      const rows = chunkOf([{ completeNs: 1 }, { completeNs: 2, key: 1 }]);
      const kept = new KeptTrace({ header: { host }, chunks: [rows] });
      const cgroups = { name: (id: number) => (id === 7 ? name : undefined) };
      const identities = tableOf('dd', DISK, { cgroup: 7 });
      identities.intern({ ...identities.get(0), cgroup: 8 });
      return { name: host, reader: Object.assign(kept, { cgroups }), identities };
    };
    const identities = new IdentityTable();
    const { source, clock } = sourceOf([named('web1', '/nginx'), named('db', '/pg')], identities);
    clock.ns = 60e9;
    drain(source);
    const ids = [0, 1, 2, 3].map((key) => identities.get(key).cgroup);
    expect(new Set(ids).size).toBe(4);
    expect(ids.map((id) => cgroupName(source.info.cgroups, id))).toEqual([
      ...['/nginx@web1', 'cgroup 8', '/pg@db', 'cgroup 8'],
    ]);
    const judged = (text: string) => {
      const filter = compileFilter(parsed(text), identities, source.info);
      return ids.map((_, key) => filter.judge(key) === Verdict.yes);
    };
    expect(judged('cgroup="/pg@db"')).toEqual([false, false, true, false]);
    expect(judged('cgroup=7')).toEqual([true, false, true, false]);
    expect(judged('cgroup=8@web1')).toEqual([false, true, false, false]);
    const { cgroup } = knownTexts(identities, source.info);
    expect(cgroup?.map(({ text }) => text)).toEqual(['/nginx@web1', '/pg@db', '8@db', '8@web1']);
  });

  it('processes of several hosts with the same number are told apart by a filter', () => {
    const { source, identities, judged } = ofTwoHosts();
    expect(judged('pid=100')).toEqual([true, true]);
    expect(judged('pid=100@db')).toEqual([false, true]);
    expect(judged('tid!=100@db')).toEqual([true, false]);
    expect(judged('pid<200')).toEqual([true, true]);
    const { pid } = knownTexts(identities, source.info);
    expect(pid?.map(({ text }) => text)).toEqual(['100@db', '100@web1']);
  });

  it('traces that were joined and saved keep their hosts when they are joined again', () => {
    const several = (n: number, host: string): DeviceInfo => {
      return { dev: n * DEVS_PER_HOST + DISK, name: `sda@${host}`, host };
    };
    const saved = new KeptTrace({
      header: { host: 'web1, web2' },
      chunks: [chunkOf([{ completeNs: 1 }, { completeNs: 2, key: 1 }])],
      devices: [several(1, 'web1'), several(2, 'web2')],
    });
    const own = tableOf('dd@web1', DEVS_PER_HOST + DISK, { cgroup: CGROUPS_PER_HOST + 7 });
    own.intern({ ...own.get(0), dev: 2 * DEVS_PER_HOST + DISK, comm: 'dd@web2' });
    const identities = new IdentityTable();
    const { source, clock } = sourceOf(
      [
        { name: 'saved', reader: saved, identities: own },
        traceOf('db', 0, [3]),
        traceOf('web1', 0, [4]),
      ],
      identities,
    );
    clock.ns = 60e9;
    drain(source);
    const facts = [0, 1, 2, 3].map((key) => identities.get(key));
    const disks = facts.map(({ dev }) => source.info.device(dev));
    expect(disks.map((disk) => [disk?.name, disk?.host])).toEqual([
      ['sda@web1', 'web1'],
      ['sda@web2', 'web2'],
      ['sda@db', 'db'],
      ['sda@web1', 'web1'],
    ]);
    expect(facts.map(({ comm }) => comm)).toEqual([
      ...['dd@web1', 'dd@web2', 'mysqld@db', 'mysqld@web1'],
    ]);
    expect(new Set(facts.map(({ dev }) => dev)).size).toBe(3);
    expect(source.info.host).toBe('web1, web2, db');
  });

  it('traces of several hosts are treated as one host when asked to', () => {
    const identities = new IdentityTable();
    const { source, clock } = sourceOf(
      [traceOf('web1', 0, [1]), traceOf('db', 5, [1])],
      identities,
      true,
    );
    clock.ns = 60e9;
    drain(source);
    expect(source.info.devices().map(({ name }) => name)).toEqual(['sda']);
  });

  it('a disk that a host did not describe is named by its number', () => {
    const identities = new IdentityTable();
    const [a, b] = [traceOf('web1', 0, [1]), traceOf('db', 5, [1])];
    const nameless = {
      ...b,
      reader: new KeptTrace({ header: { host: 'db' }, chunks: [chunkOf([{ completeNs: 1 }])] }),
    };
    const { source, clock } = sourceOf([a, nameless], identities);
    clock.ns = 60e9;
    drain(source);
    const names = [0, 1].map((key) => source.info.device(identities.get(key).dev)?.name);
    expect(names.toSorted()).toEqual(['8:0@db', 'sda@web1']);
  });

  it('a disk is described as the trace last described it, also when nothing else was added', () => {
    let described: DeviceInfo[] = [{ dev: DISK, name: 'sda', mounts: [] }];
    const kept = new KeptTrace({ chunks: [chunkOf([{ completeNs: 1 }])] });
    const reader = Object.assign(kept, { devices: () => described });
    const { source } = sourceOf(
      [{ name: 'a', reader, identities: tableOf('dd', DISK) }],
      new IdentityTable(),
    );
    expect(source.info.device(DISK)?.mounts).toEqual([]);
    described = [{ dev: DISK, name: 'sda', mounts: ['/srv'] }];
    expect(source.info.device(DISK)?.mounts).toEqual(['/srv']);
    expect(source.info.devices()).toEqual(described);
  });

  it('gaps between traces of one host are shown', () => {
    const traces = [traceOf('web1', 0, [1e9, 5e9]), traceOf('web1', 60e9, [1e9, 2e9])];
    const { source } = sourceOf(traces, new IdentityTable());
    expect(source.gaps()).toEqual([{ startNs: 5e9, endNs: 61e9 }]);
  });

  it('traces of the same time are read in turns, none far ahead of the other', () => {
    const times = Array.from({ length: 2000 }, (_, i) => i * 1e6);
    const { source, clock } = sourceOf(
      [traceOf('web1', 0, times), traceOf('db', 300, times)],
      new IdentityTable(),
    );
    clock.ns = 1e12;
    const found = drain(source);
    expect(found).toHaveLength(4000);
    let latest = 0;
    for (const time of found) {
      expect(time).toBeGreaterThan(latest - 21e6);
      latest = Math.max(latest, time);
    }
  });
});
