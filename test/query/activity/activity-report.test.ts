import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GroupTallies } from '../../../src/export/report/group-tally.ts';
import { reportActivity } from '../fixtures/at-once.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { ActivityReport } from '../../../src/model/activity.ts';
import { packDevice } from '../../../src/model/device.ts';
import { fineBin } from '../../../src/model/fine-bins.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { compileFilter, compileInLayer } from '../../../src/filter/match/match.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import type { Identity } from '../../../src/model/identity.ts';
import type { Layer } from '../../../src/model/layer.ts';
import { OP_UNKNOWN, RequestFlag } from '../../../src/model/operation.ts';
import { Verdict } from '../../../src/filter/verdict.ts';
import { parsed } from '../../filter/fixtures.ts';
import { NS_PER_MS, NS_PER_SECOND } from '../../../src/base/time.ts';
import {
  columnsOf,
  createInfo,
  keyOf,
  LOOP,
  rowAt,
  SDA,
  someKeys,
  uniformSummary,
} from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

const SECOND = NS_PER_SECOND;
const SDB = packDevice(8, 16);

function setUp(keys: readonly Identity[]) {
  const info = createInfo(keys);
  const history = createHistory({ info, budgetBytes: 2 ** 24 });
  const report = (startNs: number, endNs: number, filter: Filter = NO_FILTER): ActivityReport =>
    reportActivity(history, startNs, endNs, compileFilter(filter, info.identities, info), info);
  return { info, history, report };
}

describe('the report on logs that lack figures', () => {
  const { sizeUnknown, errorUnknown } = IdentityMark;
  const keys = [
    keyOf({ dev: LOOP, cmdFlags: OP_UNKNOWN, marks: sizeUnknown | errorUnknown }),
    keyOf({ dev: SDA }),
    keyOf({ dev: SDB, cmdFlags: OP_UNKNOWN }),
  ];
  const bytes = [0, 4096, 8192];

  function reportOf(...used: number[]) {
    const { history, report } = setUp(keys);
    history.append(columnsOf(used.map((key) => ({ completeNs: 0, key, bytes: bytes[key]! }))));
    return report(0, SECOND);
  }

  test('has no operations, sizes or failures of I/O that a log has none of', () => {
    const { totals, disks, processes } = reportOf(0, 0);
    for (const row of [totals, ...disks, ...processes])
      expect(row).toMatchObject({
        ...{ readsPerSecond: undefined, writesPerSecond: undefined, othersPerSecond: 2 },
        ...{ readBytesPerSecond: undefined, writtenBytesPerSecond: undefined },
        ...{ undividedBytesPerSecond: undefined, errors: undefined },
      });
  });

  test('has what is known where several traces are read together', () => {
    const { totals, disks } = reportOf(0, 1, 2);
    expect(totals).toMatchObject({
      ...{ readsPerSecond: 1, writesPerSecond: 0, othersPerSecond: 2, errors: 0 },
      ...{ readBytesPerSecond: 4096, writtenBytesPerSecond: 0, undividedBytesPerSecond: 8192 },
    });
    expect(disks.map(({ readBytesPerSecond }) => readBytesPerSecond)).toEqual([
      ...[undefined, 4096, undefined],
    ]);
  });

  test('has zeros where there is no I/O', () => {
    const zeros = { readsPerSecond: 0, readBytesPerSecond: 0, writtenBytesPerSecond: 0, errors: 0 };
    expect(reportOf().totals).toMatchObject(zeros);
  });
});

describe('estimates in the report', () => {
  const owner = (tgid: number, changes: Partial<Identity> = {}): Identity =>
    keyOf({ tgid, comm: `p${tgid}`, marks: IdentityMark.noDetail, ...changes });
  const row = { ...{ completeNs: 0, deviceNs: 1000, queueNs: 0 }, sector: 0, bytes: 4096, key: 0 };

  function estimated() {
    const { history, report } = setUp([owner(1), owner(2), owner(3), owner(1, { dev: LOOP })]);
    for (const [key, countVariance] of [100, 64, 36, 0].entries())
      history.appendAggregate({ ...uniformSummary(SECOND / 2, key, 1000, row), countVariance });
    return (filter?: string) =>
      report(0, SECOND, filter === undefined ? NO_FILTER : parsed(filter));
  }

  test('a row says how far it may be off, in 19 of 20 cases', () => {
    const margins = estimated()().processes.map(({ margin }) => margin);
    expect(margins[3]).toBeUndefined();
    for (const [i, margin] of [0.0196, 0.01568, 0.01176].entries())
      expect(margins[i]).toBeCloseTo(margin, 9);
  });

  test('a row of several owners is as sure as the others together, and exact where it has all of them', () => {
    const { info, history } = setUp([
      owner(1, { cgroup: 7 }),
      owner(2, { cgroup: 7 }),
      owner(3, { cgroup: 8 }),
    ]);
    for (const [key, countVariance] of [100, 64, 36].entries())
      history.appendAggregate({ ...uniformSummary(SECOND / 2, key, 1000, row), countVariance });
    const margins = (filter: string) => {
      const compiled = compileFilter(parsed(filter), info.identities, info);
      const options = { grouping: 'cgroup' } as const;
      const { processes } = reportActivity(history, 0, SECOND, compiled, info, options);
      return processes.map(({ margin }) => margin);
    };
    expect(margins('')).toEqual([expect.closeTo((1.96 * 6) / 2000), expect.closeTo(0.01176)]);
    expect(margins('pid=2')).toEqual([expect.closeTo(0.01568)]);
    history.appendAggregate({ ...uniformSummary(SECOND / 2, 0, 1000, row), countVariance: 0 });
    expect(margins('cgroup=7')).toEqual([expect.closeTo((1.96 * 6) / 3000)]);
  });

  test('totals and disks are exact where whose the I/O is does not matter', () => {
    for (const filter of [undefined, 'disk=sda', 'op=read']) {
      const { totals, disks } = estimated()(filter);
      expect(totals.margin).toBeUndefined();
      for (const { margin } of disks) expect(margin).toBeUndefined();
    }
  });

  test('a filter by owner is as sure as what it leaves out', () => {
    const report = estimated();
    expect(report('pid=1').totals.margin).toBeCloseTo((1.96 * 10) / 2000);
    expect(report('pid!=3').totals.margin).toBeCloseTo((1.96 * 6) / 3000);
    expect(report('pid!=3').disks.map(({ margin }) => margin !== undefined)).toEqual([true, false]);
  });

  test('calls are counted on all disks together, so a part of them is uncertain on a disk, too', () => {
    const call = (tgid: number, dev: number) => owner(tgid, { dev, layer: 'calls' });
    const { info, history } = setUp([call(1, SDA), call(2, LOOP), owner(3), owner(4)]);
    for (const [key, countVariance] of [100, 64, 36, 36].entries())
      history.appendAggregate({ ...uniformSummary(SECOND / 2, key, 1000, row), countVariance });
    const margins = (layer: Layer, filter: Filter) => {
      const compiled = compileInLayer(filter, layer, info.identities, info);
      const { totals, disks } = reportActivity(history, 0, SECOND, compiled, info);
      return [totals.margin, ...disks.map(({ margin }) => margin)];
    };
    const ofDisk = expect.closeTo(0.0196 * 0.8, 9) as number;
    expect(margins('calls', NO_FILTER)).toEqual([undefined, ofDisk, ofDisk]);
    expect(margins('calls', parsed('disk=sda'))).toEqual([ofDisk, ofDisk]);
    expect(margins('disks', NO_FILTER)).toEqual([undefined, undefined]);
  });
});

describe('the report', () => {
  test('the activity report adds up rates, bytes, errors and waiting per process and disk', () => {
    const { history, report } = setUp([
      keyOf({ tgid: 1, comm: 'db' }),
      keyOf({ tgid: 1, tid: 2, comm: 'db', cmdFlags: 1 }),
      keyOf({ tgid: 2, comm: 'cp', dev: LOOP, cmdFlags: 2, error: -5 }),
    ]);
    const at = (ms: number) => 10 * SECOND + ms * NS_PER_MS;
    history.append(
      columnsOf([
        { completeNs: at(100), key: 0, bytes: 1_000, deviceNs: 3e6, queueNs: 1e6 },
        { completeNs: at(200), key: 1, bytes: 500, deviceNs: 2e6, queueNs: 0 },
        { completeNs: at(900), key: 2, bytes: 0, deviceNs: 2e6, queueNs: 0 },
      ]),
    );
    const { spanNs, totals, processes, disks } = report(at(0), at(2_000));
    expect(spanNs).toBe(2 * SECOND);
    expect(totals).toMatchObject({
      readsPerSecond: 0.5,
      writesPerSecond: 0.5,
      othersPerSecond: 0.5,
      readBytesPerSecond: 500,
      writtenBytesPerSecond: 250,
      maxNs: 4e6,
      queueShare: 1 / 8,
      errors: 1,
    });
    expect(processes).toHaveLength(2);
    expect(processes[0]).toMatchObject({
      tgid: 1,
      comm: 'db',
      dev: SDA,
      disk: 'sda',
      readsPerSecond: 0.5,
      writesPerSecond: 0.5,
      waitShare: 0.75,
      queueShare: 1 / 6,
      indirect: false,
      errors: 0,
    });
    expect(processes[1]).toMatchObject({ tgid: 2, comm: 'cp', disk: '7:0', errors: 1 });
    expect(disks[0]).toMatchObject({ dev: SDA, disk: 'sda', maxNs: 4e6, queueDepth: 0.003 });
    expect(disks[0]!.utilization).toBeCloseTo(5e6 / (2 * SECOND), 6);
    expect(disks[0]!.isUtilizationPartial).toBe(false);
  });

  test('the activity report equals counting each I/O, whatever the filter', () => {
    const anyRow = fc.record({
      completeNs: fc.integer({ min: 0, max: 8 * SECOND }),
      deviceNs: fc.integer({ min: 16, max: 1e9 }),
      queueNs: fc.integer({ min: 0, max: 1e6 }),
      bytes: fc.integer({ min: 0, max: 2 ** 20 }),
      key: fc.nat(7),
    });
    const anyFilter = fc.constantFrom<Filter>(
      NO_FILTER,
      parsed('disk=7:0'),
      parsed('not pid=4 error=none'),
      parsed('lat>500ms'),
      parsed('disk=7:0 or size>=64k dlat<=100ms'),
      parsed('lat>=0ns'),
    );
    fc.assert(
      fc.property(fc.array(anyRow), anyFilter, fc.nat(4), (partial, filter, first) => {
        const { info, history, report } = setUp(someKeys());
        const columns = columnsOf(partial);
        history.append(columns);
        const startNs = first * SECOND;
        const rows = partial.map((_, i) => rowAt(columns, i));
        const found = report(startNs, startNs + 4 * SECOND, filter);
        const verdicts = compileFilter(filter, info.identities, info).judgeRows(
          columns,
          0,
          rows.length,
        );
        const passing = new Set(rows.filter((_, i) => verdicts[i] === Verdict.yes));
        const inSpan = rows.filter(
          ({ completeNs }) => completeNs >= startNs && completeNs < startNs + 4 * SECOND,
        );
        const shown = inSpan.filter((row) => passing.has(row));
        expect(found.undecidedCount).toBe(0);
        const total = (row: Row) => row.deviceNs + row.queueNs;
        const rate = found.totals.readsPerSecond! + found.totals.writesPerSecond!;
        expect((rate * found.spanNs) / SECOND).toBeCloseTo(shown.length, 6);
        const max = shown.length === 0 ? undefined : Math.max(...shown.map(total));
        expect(found.totals.maxNs).toBe(max);
        for (const { tgid, dev, waitShare, p50Ns } of found.processes) {
          const own = shown.filter(({ key }) => {
            const owner = info.identities.get(key);
            return owner.tgid === tgid && owner.dev === dev;
          });
          const wait = own.reduce((sum, row) => sum + total(row), 0);
          const all = inSpan.reduce((sum, row) => sum + total(row), 0);
          expect(waitShare).toBeCloseTo(wait / all, 6);
          const median = own.map(total).sort((a, b) => a - b)[Math.ceil(own.length / 2) - 1]!;
          expect(Math.abs(p50Ns! - median) / median).toBeLessThanOrEqual(0.0625);
        }
      }),
    );
  });

  test('the activity report uses whole slices and says which span that is, up to the present', () => {
    const { history, report } = setUp([keyOf()]);
    history.append(columnsOf([{ completeNs: 12.3 * SECOND }]));
    expect(report(7.3 * SECOND, 12.3 * SECOND).spanNs).toBeCloseTo(5.3 * SECOND, 3);
    expect(report(7.9 * SECOND, 12.9 * SECOND).spanNs).toBeCloseTo(5.9 * SECOND, 3);
    expect(report(8 * SECOND, 13 * SECOND).spanNs).toBe(5 * SECOND);
    expect(report(-4 * SECOND, 1 * SECOND).spanNs).toBe(1 * SECOND);
  });

  test('the activity report of a past range ends with a slice', () => {
    const { history, report } = setUp([keyOf()]);
    history.append(columnsOf([{ completeNs: 3.5 * SECOND }, { completeNs: 99 * SECOND }]));
    const past = report(2 * SECOND, 3.2 * SECOND);
    expect(past.spanNs).toBe(2 * SECOND);
    expect(past.totals.readsPerSecond).toBe(0.5);
  });

  test('the activity report of long ago widens to the coarse slices', () => {
    const { history, report } = setUp([keyOf()]);
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ completeNs: i * SECOND }));
    for (const row of rows) history.append(columnsOf([row]));
    const past = report(12 * SECOND, 14 * SECOND);
    expect(past.spanNs).toBe(10 * SECOND);
    expect(past.totals.readsPerSecond).toBe(1);
  });

  test('the activity report has a row for I/O known only as counts, and then utilization is a lower bound', () => {
    const { history, report } = setUp([keyOf({ comm: 'db' })]);
    const row = { completeNs: 0, deviceNs: 1e6, queueNs: 0, sector: 0, bytes: 4096, key: 0 };
    history.append(columnsOf([{ ...row, completeNs: 0.5 * SECOND }]));
    history.appendAggregate({ ...uniformSummary(0.6 * SECOND, 0, 999, row), errors: 3 });
    const { totals, processes, disks } = report(0, SECOND);
    expect(totals).toMatchObject({ readsPerSecond: 1_000, errors: 3 });
    expect(processes.map(({ tgid, comm }) => [tgid, comm])).toEqual([
      [1, 'db'],
      [undefined, '(no detail)'],
    ]);
    expect(disks[0]).toMatchObject({ isUtilizationPartial: true, queueDepth: 1 });
    expect(disks[0]!.utilization).toBeCloseTo(0.001, 9);
  });

  test('the activity report counts apart what only single I/Os could decide', () => {
    const { history, report } = setUp([keyOf({ comm: 'db' })]);
    const row = { completeNs: 0, deviceNs: 1e6, queueNs: 0, sector: 0, bytes: 4096, key: 0 };
    history.append(columnsOf([{ ...row, completeNs: 0.5 * SECOND }]));
    history.appendAggregate(uniformSummary(0.6 * SECOND, 0, 999, row));
    const answer = (text: string): number[] => {
      const { totals, undecidedCount } = report(0, SECOND, parsed(text));
      return [totals.readsPerSecond!, undecidedCount];
    };
    expect(answer('lat>10ms')).toEqual([0, 0]);
    expect(answer('lat>100us size=4k')).toEqual([1, 999]);
    expect(answer('lat>100us size>=4k')).toEqual([1_000, 0]);
    expect(answer('pid=1')).toEqual([1, 999]);
    expect(answer('pid=2')).toEqual([0, 999]);
    expect(answer('disk=sda')).toEqual([1_000, 0]);
  });

  test('I/O known only as counts is in the same span, whether slices or single I/Os are counted', () => {
    const { history, report } = setUp([keyOf({ comm: 'db' })]);
    const row = { completeNs: 0, deviceNs: 1e6, queueNs: 0, sector: 0, bytes: 4096, key: 0 };
    // Of the stretches that cross an edge of the span, the middle is outside.
    for (let fromNs = 0.2 * SECOND; fromNs < 4 * SECOND; fromNs += 0.3 * SECOND)
      history.appendAggregate({
        ...uniformSummary(fromNs, 0, 100, row),
        endNs: fromNs + 0.3 * SECOND,
      });
    const bySlices = report(SECOND, 3 * SECOND);
    const bySingleIos = report(SECOND, 3 * SECOND, parsed('lat>0ns'));
    expect(bySingleIos.totals.readsPerSecond).toBe(bySlices.totals.readsPerSecond);
  });

  test('the largest latency of an aggregate is the same on the screen and in a report, and exact for a single I/O', () => {
    const row = { deviceNs: 4e6, queueNs: 3e6, sector: 0, bytes: 4096, key: 0, completeNs: 0 };
    const aggregate = uniformSummary(SECOND / 2, 0, 1, row);
    const { history, report } = setUp([keyOf({ marks: IdentityMark.noDetail })]);
    history.appendAggregate(aggregate);
    const group = new GroupTallies().claim();
    group.addAggregate(0, aggregate, false);
    expect(report(0, SECOND).totals.maxNs).toBe(7e6);
    expect(group.total.maxNs).toBe(7e6);
  });

  test('the activity report uses device latency where queue latency was never recorded', () => {
    const { history, report } = setUp([keyOf()]);
    history.append(columnsOf([{ completeNs: 5, deviceNs: 2_000, queueNs: NaN }]));
    const { totals, processes } = report(0, SECOND);
    expect(totals).toMatchObject({ maxNs: 2_000, p50Ns: expect.closeTo(2_000, -2) as number });
    expect(processes[0]!.waitShare).toBe(1);
    expect(processes[0]!.queueShare).toBeUndefined();
  });

  test('I/O that is never issued counts as waiting, but not as queue latency', () => {
    const sync = RequestFlag.sync | RequestFlag.preflush | 1;
    const { history, report } = setUp([keyOf({ cmdFlags: 1 }), keyOf({ cmdFlags: sync })]);
    history.append(
      columnsOf([
        { completeNs: 1_000, key: 0, deviceNs: 3e6, queueNs: 1e6 },
        { completeNs: 2_000, key: 1, bytes: 0, deviceNs: NaN, queueNs: 4e6 },
      ]),
    );
    // From sums, and one by one.
    for (const filter of [NO_FILTER, parsed('qlat<1s')]) {
      const { processes } = report(0, SECOND, filter);
      expect(processes[0]).toMatchObject({ waitShare: 1, queueShare: 1 / 8 });
    }
  });

  test('I/O that is never issued is not queue latency either where it is only counted', () => {
    const row = { completeNs: 0, deviceNs: 3e6, queueNs: 1e6, sector: 0, bytes: 4096, key: 0 };
    const aggregate = uniformSummary(SECOND / 2, 0, 10, row);
    const { history, report } = setUp([keyOf({ cmdFlags: 1, marks: IdentityMark.noDetail })]);
    aggregate.queue[fineBin(4e6)] = 10;
    history.appendAggregate({ ...aggregate, count: 20, queueNsSum: 10 * 1e6 + 10 * 4e6 });
    const { processes, disks } = report(0, SECOND);
    expect(processes[0]!.waitShare).toBe(1);
    for (const { queueShare } of [processes[0]!, disks[0]!]) {
      expect(queueShare).toBeGreaterThan(0.1);
      expect(queueShare).toBeLessThan(0.15);
    }
  });

  test('the activity report leaves figures out when no time is known', () => {
    const { history, report } = setUp([keyOf()]);
    history.append(columnsOf([{ completeNs: 5, deviceNs: NaN, queueNs: NaN }]));
    const { totals, disks } = report(0, SECOND);
    expect(totals).toMatchObject({ p50Ns: undefined, p999Ns: undefined, maxNs: undefined });
    expect(disks[0]).toMatchObject({ utilization: undefined, queueDepth: 0 });
  });

  test('the activity report tells indirect I/O from unknown owners', () => {
    const { history, report } = setUp([
      keyOf({ tgid: 9, comm: 'kworker', marks: IdentityMark.indirect }),
      keyOf({ tgid: 0, comm: '', marks: IdentityMark.ownerUnknown }),
    ]);
    history.append(columnsOf([{ key: 0 }, { key: 1 }]));
    const rows = report(0, SECOND).processes;
    expect(rows.map(({ tgid, comm, indirect }) => ({ tgid, comm, indirect }))).toEqual([
      { tgid: 9, comm: 'kworker', indirect: true },
      { tgid: undefined, comm: '(unknown)', indirect: false },
    ]);
  });

  test('an activity report without I/O is empty and all zero', () => {
    const { report } = setUp([keyOf()]);
    const { totals, processes, disks } = report(0, 5 * SECOND);
    expect([processes, disks]).toEqual([[], []]);
    expect(totals).toMatchObject({ readsPerSecond: 0, errors: 0, p99Ns: undefined });
  });
});

describe('utilization', () => {
  test('utilization is read as shares of columns', () => {
    const { history } = setUp([keyOf()]);
    history.append(
      columnsOf([
        { completeNs: 150e6, deviceNs: 100e6 },
        { completeNs: 400e6, deviceNs: 100e6 },
      ]),
    );
    const shares = [...history.busySeries(SDA, 0, 400e6, 100e6)!];
    expect(shares).toEqual([0.5, 0.5, 0, 1]);
    expect(history.utilization(SDA, 0, 400e6)).toBe(0.5);
    expect(history.busySeries(LOOP, 0, 400e6, 100e6)).toBeUndefined();
  });
});
