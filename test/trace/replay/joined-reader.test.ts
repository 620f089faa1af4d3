import { describe, expect, it } from 'vitest';
import { recordedText } from '../../../src/export/recorded-text.ts';
import { packDevice } from '../../../src/model/device.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { JoinedReader } from '../../../src/trace/replay/joined-reader.ts';
import type { NamedTrace } from '../../../src/trace/replay/join-traces.ts';
import type { Stretch, TraceChunk, TraceHeader } from '../../../src/trace/trace-reader.ts';
import { chunkOf, HEADER, KeptTrace, tableOf } from './kept-trace.ts';

const WALL_NS = HEADER.clockBase.wallNs;
const SDA = packDevice(8, 0);

interface Part {
  readonly host?: string;
  /** When it starts on the wall clock, in ns after the first trace. */
  readonly startsNs: number;
  readonly times: readonly number[];
  readonly recorded?: Stretch;
  readonly header?: Partial<TraceHeader>;
  readonly lost?: number;
}

class ToldTrace extends KeptTrace {
  constructor(
    parts: ConstructorParameters<typeof KeptTrace>[0],
    readonly recorded: Stretch | undefined,
  ) {
    super(parts);
  }
}

function traceOf({ host = 'web1', startsNs, times, recorded, header, lost = 0 }: Part): NamedTrace {
  const rows = times.map((completeNs) => ({ completeNs }));
  const losses = { dropped: lost };
  const lostOn = [{ dev: SDA, way: 'dropped', count: lost }];
  const counters = { delivered: rows.length, summarised: 0, lost, losses, lostOn };
  const extent = { startNs: times[0]!, endNs: times.at(-1)!, rows: times.length };
  const clockBase = { monotonicNs: 0n, wallNs: WALL_NS + BigInt(startsNs) };
  const parts = {
    header: { host, clockBase, extent, ...header },
    chunks: [chunkOf(rows, { counters })],
    devices: [{ dev: SDA, name: 'sda' }],
  };
  return { name: host, reader: new ToldTrace(parts, recorded), identities: tableOf('mysqld', SDA) };
}

function joined(...parts: readonly Part[]): { reader: JoinedReader; identities: IdentityTable } {
  const identities = new IdentityTable();
  return {
    reader: new JoinedReader(parts.map(traceOf), { identities, oneHost: false }),
    identities,
  };
}

function readAll(reader: JoinedReader): { times: number[]; gaps: TraceChunk['gap'][] } {
  const times: number[] = [];
  const gaps: TraceChunk['gap'][] = [];
  for (let next = reader.next(); typeof next !== 'string'; next = reader.next()) {
    times.push(...next.rows.completeNs.subarray(0, next.rows.length));
    if (next.gap !== undefined) gaps.push(next.gap);
  }
  return { times, gaps };
}

describe('several traces read as one', () => {
  it('several traces read as one come in the order of time, whatever the order of the files', () => {
    const { reader } = joined(
      { startsNs: 10e9, times: [1e9, 2e9] },
      { startsNs: 0, times: [1e9, 2e9] },
    );
    expect(readAll(reader).times).toEqual([1e9, 2e9, 11e9, 12e9]);
    expect(reader.header.extent).toEqual({ startNs: 1e9, endNs: 12e9, rows: 4 });
  });

  it('several traces read as one have no gap where one recording started when the other ended, however idle the disk was', () => {
    const { reader } = joined(
      { startsNs: 0, times: [1e9], recorded: { startNs: 0, endNs: 10e9 } },
      { startsNs: 0, times: [19e9], recorded: { startNs: 10e9, endNs: 20e9 } },
    );
    expect(readAll(reader).gaps).toEqual([]);
    expect(reader.recorded).toEqual({ startNs: 0, endNs: 20e9 });
  });

  it('several traces read as one end with the gaps between them, from the end of one recording to the start of the next', () => {
    const { reader } = joined(
      { startsNs: 0, times: [1e9], recorded: { startNs: 0, endNs: 2e9 } },
      { startsNs: 60e9, times: [4e9], recorded: { startNs: 1e9, endNs: 5e9 } },
      { startsNs: 90e9, times: [0], recorded: { startNs: 0, endNs: 1e9 } },
    );
    expect(readAll(reader).gaps).toEqual([
      { startNs: 2e9, endNs: 61e9 },
      { startNs: 65e9, endNs: 90e9 },
    ]);
  });

  it('several traces of several hosts are silent only while no host was recorded', () => {
    const recorded = { startNs: 0, endNs: 10e9 };
    const { reader } = joined(
      { host: 'web1', startsNs: 0, times: [1e9], recorded },
      { host: 'web2', startsNs: 5e9, times: [1e9], recorded },
      { host: 'web1', startsNs: 100e9, times: [1e9], recorded },
      { host: 'web2', startsNs: 120e9, times: [1e9], recorded },
    );
    readAll(reader);
    expect(reader.silences).toEqual([
      { startNs: 15e9, endNs: 100e9 },
      { startNs: 110e9, endNs: 120e9 },
    ]);
  });

  it('several traces are not silent in a gap of one host during which another was recorded', () => {
    const { reader } = joined(
      { host: 'web1', startsNs: 0, times: [1e9], recorded: { startNs: 0, endNs: 10e9 } },
      { host: 'web2', startsNs: 0, times: [1e9], recorded: { startNs: 0, endNs: 100e9 } },
      { host: 'web1', startsNs: 90e9, times: [1e9], recorded: { startNs: 0, endNs: 10e9 } },
    );
    expect(readAll(reader).gaps).toEqual([{ startNs: 10e9, endNs: 90e9 }]);
    expect(reader.silences).toEqual([]);
  });

  it('several traces read as one name their hosts, and keep the losses of a disk with the disk of its host', () => {
    const { reader } = joined(
      { host: 'web1', startsNs: 0, times: [1], lost: 3 },
      { host: 'db', startsNs: 5, times: [1], lost: 4 },
    );
    let counters: TraceChunk['counters'];
    for (let next = reader.next(); typeof next !== 'string'; next = reader.next())
      counters = next.counters;
    expect(reader.header.host).toBe('web1, db');
    expect(counters?.lost).toBe(7);
    const named = counters?.lostOn?.map(({ dev, count }) => [reader.device(dev)?.name, count]);
    expect(named).toEqual([
      ['sda@web1', 3],
      ['sda@db', 4],
    ]);
  });

  it('several traces read as one say whether the filter of a recording is that of all of them', () => {
    const filtered = { startsNs: 0, times: [1], header: { recordedOnly: 'disk=sda' } };
    const whole = { startsNs: 5, times: [1] };
    const textOf = (...parts: readonly Part[]): string =>
      recordedText(joined(...parts).reader.header);
    expect(textOf(filtered, filtered)).toBe('recorded with filter disk=sda');
    expect(textOf(filtered, whole)).toBe('some traces were recorded with filter disk=sda');
    expect(textOf(whole, whole)).toBe('');
  });

  it('several traces read as one do not know what one of them does not know, and say so with one list while nothing changes', () => {
    const { reader } = joined(
      { startsNs: 0, times: [1], header: { unknown: ['queue', 'flags'] } },
      { startsNs: 5, times: [1], header: { unknown: ['flags', 'pid'] } },
    );
    expect(reader.header.unknown.toSorted()).toEqual(['flags', 'pid', 'queue']);
    expect(reader.header.unknown).toBe(reader.header.unknown);
  });

  it('several traces read as one have the wall clock of those that know theirs', () => {
    const log = { hasWallClock: false, clockBase: { monotonicNs: 0n, wallNs: 0n } };
    const { reader } = joined(
      { startsNs: 0, times: [5e9], header: log },
      { startsNs: 10e9, times: [1e9] },
    );
    expect(reader.header.clockBase.wallNs).toBe(WALL_NS + 10_000_000_000n);
    expect(readAll(reader).times).toEqual([1e9, 5e9]);
  });

  it('several traces read as one keep the busy time that comes after the last I/O', () => {
    const busy = [{ dev: SDA, fromNs: 1e9, toNs: 2e9, busyNs: 5e8 }];
    const chunks = [chunkOf([{ completeNs: 1e9 }]), 'waiting', chunkOf([], { busy })] as const;
    const identities = new IdentityTable();
    const traces = [{ chunks }, { chunks: [] }].map((parts) => ({
      ...{ name: 'web1', reader: new KeptTrace(parts), identities: tableOf('mysqld', SDA) },
    }));
    const reader = new JoinedReader(traces, { identities, oneHost: false });
    const found: unknown[] = [];
    for (let next = reader.next(); next !== 'ended'; next = reader.next())
      if (next !== 'waiting') found.push(...(next.busy ?? []));
    expect(found).toEqual(busy);
  });
});
