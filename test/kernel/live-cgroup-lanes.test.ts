import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { Cgroup } from '../load/cgroup.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const NEVER_NS = 2 ** 50;
const TIME = { columnNs: 1e9, columns: 600 };

describe('lanes of cgroups', needs('tracing', 'cgroups', { program: 'fio' }), () => {
  let disks: LoopDevice[];
  let groups: Cgroup[];
  let session: TraceSession;
  beforeEach(() => {
    disks = [1, 2].map(() => LoopDevice.create({ bytes: 64 * MIB }));
    groups = ['a', 'b'].map((name) => Cgroup.create(`ioheat-lane-${name}-${process.pid}`));
    session = TraceSession.open();
    session.focus(disks[0]!.dev);
    session.source.setFilter({ devs: disks.map(({ dev }) => dev) });
  });
  afterEach(() => {
    session.dispose();
    for (const one of [...disks, ...groups]) one.dispose();
  });

  async function run(group: Cgroup, disk: LoopDevice, count: number, load: string): Promise<void> {
    const how = ['--direct=1', '--ioengine=psync', '--bs=4k', '--norandommap', `--rw=${load}`];
    await group.run('fio', [
      '--name=job',
      `--filename=${disk.path}`,
      ...how,
      `--number_ios=${count}`,
    ]);
  }

  /** I/Os by the name of the lane, as the picture counts them, and how many of them came individually. */
  function lanes(): { readonly ios: Map<string, number>; readonly rows: number } {
    const { source } = session;
    const monitor = new Monitor({ source, historyBytes: 64 * MIB, filter: NO_FILTER });
    while (!monitor.pump());
    const endNs = monitor.history.endNs;
    const ranked = monitor.rankLanes(TIME, 'cgroup', 15, endNs).lanes;
    const picture = { ...TIME, metric: 'total', figure: 'p99' } as const;
    const keys = ranked.map(({ key }) => key);
    const { counts } = monitor.showLanes(picture, 'cgroup', keys, endNs);
    const names = [...ranked.map(({ name }) => name), 'others'];
    return {
      ios: new Map(names.map((name, lane) => [name, counts.laneTotal(lane)])),
      rows: monitor.rowsTaken,
    };
  }

  function iosOf(group: Cgroup): number {
    return disks.reduce((sum, { dev }) => sum + group.ios(dev), 0);
  }

  it('each has the I/Os that the kernel counts for its cgroup', async () => {
    const [a, b] = groups as [Cgroup, Cgroup];
    await Promise.all([
      run(a, disks[0]!, 700, 'randread'),
      run(b, disks[1]!, 400, 'randwrite'),
      run(b, disks[0]!, 300, 'randread'),
    ]);
    const { ios } = lanes();
    expect([ios.get(a.path), ios.get(b.path)]).toEqual([iosOf(a), iosOf(b)]);
    expect(iosOf(a)).toBeGreaterThanOrEqual(700);
    expect(iosOf(b)).toBeGreaterThanOrEqual(700);
    expect(session.lost()).toBe(0);
  });

  it('while most I/O is only counted, each has its share of what the kernel counts, as the sample has it', async () => {
    const [a, b] = groups as [Cgroup, Cgroup];
    session.detail.slowFrom(NEVER_NS);
    session.detail.sample(8);
    await Promise.all([
      run(a, disks[0]!, 12_000, 'randread'),
      run(b, disks[0]!, 4_000, 'randread'),
    ]);
    const { ios, rows } = lanes();
    const truth = [iosOf(a), iosOf(b)] as const;
    const all = [...ios.values()].reduce((sum, count) => sum + count, 0);
    expect(rows).toBeLessThan((truth[0] + truth[1]) / 4);
    for (const [i, group] of [a, b].entries())
      expect(Math.abs(ios.get(group.path)! / truth[i]! - 1)).toBeLessThan(0.2);
    expect(all).toBeGreaterThanOrEqual(truth[0] + truth[1]);
  });
});
