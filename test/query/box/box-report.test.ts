import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NS_PER_SECOND } from '../../../src/base/time.ts';
import { MEASURED_GROUPS } from '../../../src/query/box/box-tally.ts';
import type { Box } from '../../../src/filter/box.ts';
import type { BoxReport } from '../../../src/query/box/drill-down.ts';
import type { SingleIo } from '../../../src/query/slowest/single-io.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import type { Identity } from '../../../src/model/identity.ts';
import { Op, OP_UNKNOWN, opClass, RequestFlag } from '../../../src/model/operation.ts';
import { createBoxBench, rowOf } from './box-bench.ts';
import { columnsOf, keyOf, LOOP, SDA, someKeys, uniformSummary } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

const SECOND = NS_PER_SECOND;

describe('a box', () => {
  test('a box report adds up its contents per process, disk and operation, by waiting time', () => {
    const { history, inspect } = createBoxBench([
      keyOf({ tgid: 1, tid: 1, comm: 'db', cmdFlags: 0 }),
      keyOf({ tgid: 1, tid: 2, comm: 'db', cmdFlags: RequestFlag.sync }),
      keyOf({ tgid: 1, tid: 1, comm: 'db', cmdFlags: 1 }),
      keyOf({ tgid: 2, tid: 2, comm: 'cp', cmdFlags: 1, dev: LOOP, error: -5 }),
    ]);
    history.append(
      columnsOf([
        { completeNs: 1e9, key: 0, deviceNs: 2e6, queueNs: 1e6, bytes: 4096 },
        { completeNs: 2e9, key: 1, deviceNs: 4e6, queueNs: 0, bytes: 8192 },
        { completeNs: 3e9, key: 2, deviceNs: 1e6, queueNs: 0, bytes: 512 },
        { completeNs: 4e9, key: 3, deviceNs: 2e6, queueNs: 6e6, bytes: 1024 },
      ]),
    );
    const report = inspect({});
    expect(report).toMatchObject({ count: 4, bytes: 13_824, waitedNs: 16e6, errors: 1, share: 1 });
    expect(report).toMatchObject({ fromRows: 4, fromSlices: 0, isEstimated: false });
    expect(report).toMatchObject({
      spanNs: 10 * SECOND,
      countPerSecond: 0.4,
      bytesPerSecond: 1382.4,
    });
    expect(report.groups).toHaveLength(3);
    expect(report.groups[0]).toMatchObject({
      ...{ tgid: 2, comm: 'cp', dev: LOOP, disk: '7:0', opClass: 'write', errors: 1 },
      ...{ count: 1, bytes: 1024, waitedNs: 8e6, waitShare: 0.5, maxNs: 8e6 },
    });
    expect(report.groups[1]).toMatchObject({
      ...{ tgid: 1, comm: 'db', dev: SDA, disk: 'sda', opClass: 'read', errors: 0 },
      ...{ count: 2, bytes: 12_288, waitedNs: 7e6, maxNs: 4e6 },
    });
    expect(report.groups[2]).toMatchObject({ opClass: 'write', count: 1, maxNs: 1e6 });
  });

  test('a box adds up what was read and written, and no discards, which transfer nothing', () => {
    const trim = keyOf({ comm: 'fstrim', cmdFlags: Op.discard });
    const { history, inspect } = createBoxBench([keyOf(), trim]);
    history.append(
      columnsOf([
        { completeNs: 1e9, key: 0, bytes: 4096 },
        { completeNs: 2e9, key: 1, bytes: 2 ** 30 },
      ]),
    );
    const report = inspect({});
    expect(report).toMatchObject({ count: 2, bytes: 4096, bytesPerSecond: 409.6 });
    const moved = report.groups.map(({ opClass: kind, bytes }) => [kind, bytes]);
    expect(Object.fromEntries(moved)).toEqual({ read: 4096, discard: 0 });
    expect(report.slowest.map(({ bytes }) => bytes)).toContain(2 ** 30);
  });

  test('a box adds up the sizes of a log without operations, but not those that calls only ask for', () => {
    const keys = [keyOf({ cmdFlags: OP_UNKNOWN }), keyOf({ cmdFlags: OP_UNKNOWN, layer: 'calls' })];
    const { history, inspect } = createBoxBench(keys);
    history.append(
      columnsOf([
        { completeNs: 1e9, key: 0, bytes: 4096 },
        { completeNs: 2e9, key: 1, bytes: 2 ** 30 },
      ]),
    );
    expect(inspect({})).toMatchObject({ count: 2, bytes: 4096 });
  });

  test('a box has neither operation, size nor failures of I/O of which a log has none', () => {
    const { sizeUnknown, errorUnknown } = IdentityMark;
    const lacking = keyOf({ cmdFlags: OP_UNKNOWN, marks: sizeUnknown | errorUnknown });
    const { history, inspect } = createBoxBench([lacking, keyOf({ dev: LOOP })]);
    const unknown = { opClass: undefined, bytes: undefined, errors: undefined };
    history.append(columnsOf([{ completeNs: 1e9, key: 0, bytes: 0 }]));
    const report = inspect({});
    expect(report).toMatchObject({ count: 1, bytes: undefined, bytesPerSecond: undefined });
    expect(report).toMatchObject({ errors: undefined, groups: [unknown] });
    expect(report.slowest).toMatchObject([{ opClass: undefined, bytes: undefined }]);
    history.append(columnsOf([{ completeNs: 2e9, key: 1, bytes: 4096 }]));
    expect(inspect({})).toMatchObject({ count: 2, bytes: 4096, errors: 0 });
  });

  test('a box includes values at its lower end and excludes its upper end', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    const latencies = [999, 1_000, 1_001, 1_999, 2_000];
    history.append(columnsOf(latencies.map((deviceNs) => ({ completeNs: SECOND, deviceNs }))));
    expect(inspect({ metric: 'device', low: 1_000, high: 2_000 }).count).toBe(3);
    expect(inspect({ metric: 'device', low: 2_000 }).count).toBe(1);
    expect(inspect({ metric: 'device', low: 1_000, high: 2_000 }).share).toBe(0.6);
  });

  test('a box includes its start time and excludes its end time', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(columnsOf([{ completeNs: 1e9 }, { completeNs: 2e9 - 1 }, { completeNs: 2e9 }]));
    expect(inspect({ startNs: 1e9, endNs: 2e9 }).count).toBe(2);
  });

  test('a box in the outlier row has no upper end', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(
      columnsOf([
        { completeNs: 1, deviceNs: 1e12 },
        { completeNs: 2, deviceNs: 5 },
      ]),
    );
    expect(inspect({ metric: 'device', low: 1e9, high: Infinity }).count).toBe(1);
  });

  test('a box leaves out I/Os without a value, but counts them in the total', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(
      columnsOf([
        { completeNs: 1, bytes: 0, sector: NaN, deviceNs: NaN, queueNs: NaN },
        { completeNs: 2, bytes: 512, sector: 8, deviceNs: 5, queueNs: 1 },
      ]),
    );
    for (const metric of ['device', 'queue', 'total', 'size', 'offset'] as const) {
      expect(inspect({ metric })).toMatchObject({ count: 1, allCount: 2, share: 0.5 });
    }
  });

  test('a box of utilization selects by time alone', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(columnsOf([{ completeNs: 1, sector: NaN, deviceNs: NaN }, { completeNs: 2 }]));
    history.appendAggregate(uniformSummary(3, 0, 5, rowOf({ completeNs: 3 })));
    const report = inspect({ metric: 'utilization', low: 0.9, high: 0.95 });
    expect(report).toMatchObject({ count: 7, allCount: 7, fromRows: 2, fromSlices: 5 });
  });

  test('rates of a box are relative to the part of its time that was observed', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(columnsOf([{ completeNs: 5.5 * SECOND }]));
    const box = { startNs: 5 * SECOND, endNs: 7 * SECOND };
    expect(inspect(box).spanNs).toBe(2 * SECOND);
    expect(inspect(box, { nowNs: 6 * SECOND }).spanNs).toBe(SECOND);
    expect(inspect(box, { nowNs: 5.2 * SECOND }).spanNs).toBe(0.5 * SECOND);
    expect(inspect({ startNs: -8 * SECOND, endNs: SECOND }).spanNs).toBe(SECOND);
    expect(
      inspect({ startNs: 8 * SECOND, endNs: 9 * SECOND }, { nowNs: 6 * SECOND }),
    ).toMatchObject({ spanNs: 0, countPerSecond: 0, bytesPerSecond: 0 });
  });

  test('a box report is empty where nothing happened', () => {
    const { inspect } = createBoxBench([keyOf()]);
    expect(inspect({})).toMatchObject({
      count: 0,
      share: 0,
      undecided: 0,
      groups: [],
      slowest: [],
    });
  });

  test('a box report names the cgroup of a group that has one', () => {
    const keys = [
      keyOf({ tgid: 1, cgroup: 7 }),
      keyOf({ tgid: 1, tid: 2, cgroup: 7 }),
      keyOf({ tgid: 2, cgroup: 7 }),
      keyOf({ tgid: 2, tid: 3, cgroup: 8 }),
      keyOf({ tgid: 3, cgroup: 0 }),
    ];
    const cgroups = { name: (id: number) => (id === 7 ? 'mysql.service' : undefined) };
    const { history, inspect } = createBoxBench(keys, { cgroups });
    history.append(columnsOf([0, 1, 2, 3, 4].map((key) => ({ completeNs: key, key }))));
    const { groups, slowest } = inspect({});
    const named = new Map(
      groups.map(({ tgid, cgroup, cgroupName }) => [tgid, [cgroup, cgroupName]]),
    );
    expect(named.get(1)).toEqual([7, 'mysql.service']);
    expect(named.get(2)).toEqual([undefined, undefined]);
    expect(named.get(3)).toEqual([undefined, undefined]);
    expect(slowest.map(({ cgroupName }) => cgroupName).filter(Boolean)).toHaveLength(3);
  });

  test('a box report counts any number of groups, though not all have a median', () => {
    const keys = Array.from({ length: 1_100 }, (_, tgid) => keyOf({ tgid, tid: tgid }));
    const { history, inspect } = createBoxBench(keys);
    history.append(columnsOf(keys.map((_, key) => ({ completeNs: key, key, deviceNs: 500 }))));
    const { groups } = inspect({ metric: 'device' });
    expect(groups).toHaveLength(1_100);
    for (const { count, maxNs } of groups) expect([count, maxNs]).toEqual([1, 500]);
    expect(groups.filter(({ p50Ns }) => p50Ns === 500)).toHaveLength(MEASURED_GROUPS);
    expect(groups.filter(({ p50Ns }) => p50Ns === undefined)).toHaveLength(1_100 - MEASURED_GROUPS);
  });

  test('a box report marks a group as indirect when all of it is', () => {
    const { history, inspect } = createBoxBench([
      keyOf({ tgid: 1, marks: IdentityMark.indirect }),
      keyOf({ tgid: 2, marks: IdentityMark.indirect }),
      keyOf({ tgid: 2, tid: 2 }),
    ]);
    history.append(columnsOf([0, 1, 2].map((key) => ({ completeNs: key, key }))));
    const marked = inspect({}).groups.filter(({ indirect }) => indirect);
    expect(marked.map(({ tgid }) => tgid)).toEqual([1]);
  });
});

describe('the slowest I/Os of a box', () => {
  test('the slowest I/Os of a box are ordered by total latency, or by the latency of the box', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(
      columnsOf([
        { completeNs: 1e9, deviceNs: 2e6, queueNs: 9e6 },
        { completeNs: 2e9, deviceNs: 4e6, queueNs: 0 },
      ]),
    );
    const device = (ranksByValue: boolean) =>
      inspect({ metric: 'device' }, { ranksByValue }).slowest.map(({ deviceNs }) => deviceNs);
    expect(device(false)).toEqual([2e6, 4e6]);
    expect(device(true)).toEqual([4e6, 2e6]);
  });

  test('the slowest I/Os of a box have all their details', () => {
    const { history, inspect } = createBoxBench([
      keyOf({
        ...{
          tgid: 812,
          tid: 813,
          comm: 'mysqld',
          cgroup: 7,
          error: -5,
          marks: IdentityMark.indirect | IdentityMark.severalWriters,
          via: 'kworker/u8:1',
        },
        cmdFlags: 1 | RequestFlag.sync | RequestFlag.fua,
      }),
    ]);
    history.append(
      columnsOf([{ completeNs: 3e9, sector: 2048, bytes: 8192, deviceNs: 9e6, queueNs: 1e6 }]),
    );
    expect(inspect({}).slowest).toEqual([
      {
        ...{ completeNs: 3e9, tgid: 812, tid: 813, comm: 'mysqld', indirect: true },
        ...{ via: 'kworker/u8:1', hasSeveralWriters: true },
        ...{ cgroup: 7, cgroupName: undefined, dev: SDA, disk: 'sda' },
        ...{ opClass: 'write', flags: 'sync fua', sector: 2048, bytes: 8192 },
        ...{ queueNs: 1e6, deviceNs: 9e6, totalNs: 10e6, error: 'EIO' },
        ...{ file: undefined, hasOtherFiles: false },
      },
    ]);
  });

  test('the slowest I/Os of a box are ordered by what is known of their latency, and only a complete one is a total', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(
      columnsOf([
        { completeNs: 1, deviceNs: 5, queueNs: 1 },
        { completeNs: 2, deviceNs: 1, queueNs: 9 },
        { completeNs: 3, deviceNs: 7, queueNs: NaN },
        { completeNs: 4, deviceNs: NaN, queueNs: NaN },
      ]),
    );
    const { slowest } = inspect({ metric: 'size' });
    expect(slowest.map(({ completeNs }) => completeNs)).toEqual([2, 3, 1, 4]);
    expect(slowest.map(({ totalNs }) => totalNs)).toEqual([10, undefined, 6, undefined]);
  });

  test('the slowest I/Os of a box may have an unknown owner', () => {
    const { history, inspect } = createBoxBench([
      keyOf({ tgid: 0, marks: IdentityMark.ownerUnknown }),
    ]);
    history.append(columnsOf([{ completeNs: 1, sector: NaN }]));
    const [io] = inspect({}).slowest;
    expect(io).toMatchObject({ tgid: undefined, tid: undefined, comm: '(unknown)' });
    expect(io!.sector).toBeUndefined();
  });

  test('a box lists as many slowest I/Os as asked for', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.append(columnsOf(Array.from({ length: 300 }, (_, i) => ({ completeNs: i }))));
    expect(inspect({}).slowest).toHaveLength(100);
    expect(inspect({}, { slowest: 7 }).slowest).toHaveLength(7);
    expect(inspect({}, { slowest: 0 }).slowest).toHaveLength(0);
  });
});

describe('single I/Os in a box', () => {
  test('single I/Os in a box are grouped and ordered as if counted one by one', () => {
    const latency = fc.oneof(
      { weight: 9, arbitrary: fc.nat(50_000) },
      { weight: 1, arbitrary: fc.constant(NaN) },
    );
    const row = fc.record({
      completeNs: fc.nat(10_000),
      deviceNs: latency,
      queueNs: latency,
      sector: fc.oneof(fc.nat(2 ** 20), fc.constant(NaN)),
      bytes: fc.constantFrom(0, 512, 4096, 65536),
      key: fc.nat(7),
    });
    const box = fc.record({
      metric: fc.constantFrom('device', 'queue', 'total', 'size', 'offset'),
      startNs: fc.nat(5_000),
      endNs: fc.integer({ min: 4_000, max: 11_000 }),
      low: fc.nat(20_000),
      high: fc.oneof(fc.integer({ min: 10_000, max: 2 ** 26 }), fc.constant(Infinity)),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 120 }), box, (rows, where) => {
        const keys = someKeys();
        const { history, inspect } = createBoxBench(keys);
        history.append(columnsOf(rows));
        const inside = rows.filter((one) => isInside(one, where));
        const { groups, slowest, count } = inspect(where, { slowest: 10 });
        expect(count).toBe(inside.length);
        expect(slowest.map(knownNs)).toEqual(longest(inside).slice(0, 10));
        expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(count);
        for (const group of groups) expectGroup(group, inside, keys, where);
      }),
      { numRuns: 300 },
    );
  });
});

function valueOf({ deviceNs, queueNs, bytes, sector }: Row, metric: Box['metric']): number {
  const values = { device: deviceNs, queue: queueNs, size: bytes || NaN, offset: sector * 512 };
  return { ...values, total: deviceNs + queueNs, utilization: NaN, 'file-offset': NaN }[metric];
}

function isInside(row: Row, { metric, startNs, endNs, low, high }: Box): boolean {
  const value = valueOf(row, metric);
  return row.completeNs >= startNs && row.completeNs < endNs && value >= low && value < high;
}

function knownTime({ deviceNs, queueNs }: Row): number | undefined {
  if (Number.isNaN(deviceNs) && Number.isNaN(queueNs)) return undefined;
  return (deviceNs || 0) + (queueNs || 0);
}

/** What ranks an I/O: its total latency, or the one part that is known. */
function knownNs({ queueNs, deviceNs }: SingleIo): number | undefined {
  return queueNs === undefined ? deviceNs : queueNs + (deviceNs ?? 0);
}

function longest(rows: readonly Row[]): (number | undefined)[] {
  return rows.map(knownTime).sort((a, b) => (b ?? -1) - (a ?? -1));
}

function expectGroup(
  group: BoxReport['groups'][number],
  inside: readonly Row[],
  keys: readonly Identity[],
  { metric }: Box,
): void {
  const own = inside.filter((row) => {
    const key = keys[row.key]!;
    return (
      key.tgid === group.tgid && key.dev === group.dev && opClass(key.cmdFlags) === group.opClass
    );
  });
  expect(group.count).toBe(own.length);
  expect(group.bytes).toBe(own.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(group.errors).toBe(own.filter(({ key }) => keys[key]!.error !== 0).length);
  expect(group.waitedNs).toBe(own.reduce((sum, row) => sum + (knownTime(row) ?? 0), 0));
  const isLatency = metric === 'device' || metric === 'queue' || metric === 'total';
  const latencies = own
    .map((row) => (isLatency ? valueOf(row, metric) : knownTime(row)))
    .filter((latency) => latency !== undefined)
    .sort((a, b) => a - b);
  expect(group.maxNs).toBe(latencies.at(-1));
  const median = latencies[Math.ceil(latencies.length / 2) - 1];
  if (median === undefined) expect(group.p50Ns).toBeUndefined();
  else expect(Math.abs(group.p50Ns! - median)).toBeLessThanOrEqual(1 + 0.0625 * median);
}
