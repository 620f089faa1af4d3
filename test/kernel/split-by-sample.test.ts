import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../src/filter/match/match.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import { SummaryDivider } from '../../src/kernel/counts/summary-divider.ts';
import { fineBin, fineBinHigh, FINE_BINS } from '../../src/model/fine-bins.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { reportActivity } from '../query/fixtures/at-once.ts';
import type { CompletionSummary } from '../../src/trace/completion-summary.ts';
import { parsed } from '../filter/fixtures.ts';
import { columnsOf, keyOf, summaryOf, type Row } from '../history/fixtures.ts';
import { SeededRandom } from '../random.ts';

const HISTOGRAMS = ['device', 'queue', 'total', 'size', 'offset'] as const;
const UNKNOWN = keyOf({
  ...{ tgid: 0, tid: 0, comm: '', cgroup: 0 },
  marks: IdentityMark.noDetail | IdentityMark.ownerUnknown,
});

type Io = Pick<Row, 'completeNs' | 'deviceNs' | 'queueNs' | 'bytes' | 'sector' | 'key'>;

/** As often as frames are drawn where nothing is over the budget. */
const FRAME_NS = 250e6;

/** What the kernel counts of I/Os. */
function counted(ios: readonly Io[], identity: number): CompletionSummary {
  const found = { ...summaryOf({ identity, count: ios.length }) };
  for (const { deviceNs, queueNs, bytes, sector } of ios) {
    found.device[fineBin(deviceNs)]!++;
    found.queue[fineBin(queueNs)]!++;
    found.total[fineBin(deviceNs + queueNs)]!++;
    found.size[fineBin(bytes)]!++;
    found.offset[Math.min(255, sector >> 13)]!++;
  }
  const sum = (value: (io: Io) => number): number => ios.reduce((all, io) => all + value(io), 0);
  return {
    ...{ ...found, offsetShift: 13, bytes: sum(({ bytes }) => bytes) },
    deviceNsSum: sum(({ deviceNs }) => deviceNs),
    queueNsSum: sum(({ queueNs }) => queueNs),
    maxDeviceNs: Math.max(0, ...ios.map(({ deviceNs }) => deviceNs)),
    maxQueueNs: Math.max(0, ...ios.map(({ queueNs }) => queueNs)),
  };
}

/** A machine whose owners do I/O of different latency and size. */
class Machine {
  readonly identities = new IdentityTable();
  readonly owners: number[];
  readonly divider = new SummaryDivider(this.identities, () => 13);
  private nowNs = 0;
  private readonly unknown = this.identities.intern(UNKNOWN);

  constructor(
    private shares: readonly number[],
    private readonly random: SeededRandom,
    private readonly frameNs = FRAME_NS,
  ) {
    this.owners = shares.map((_, i) =>
      this.identities.intern(keyOf({ tgid: i + 1, tid: i + 1, comm: `p${i + 1}` })),
    );
  }

  private io(): Io {
    let at = this.random.next() * this.shares.reduce((a, b) => a + b, 0);
    const owner = this.shares.findIndex((share) => (at -= share) < 0);
    const deviceNs = Math.round(10_000 * 3 ** owner * (1 + this.random.next()));
    const queueNs = this.random.below(1000);
    const sector = this.random.below(2 ** 21);
    const [completeNs, key] = [this.nowNs, this.owners[owner]!];
    return { key, completeNs, deviceNs, queueNs, sector, bytes: 4096 << owner };
  }

  /** From now on the owners have these shares. */
  become(shares: readonly number[]): void {
    this.shares = shares;
  }

  /** A frame: what was counted and not drawn, divided; and whose it truly was. */
  moment(count: number, oneIn: number) {
    this.nowNs += this.frameNs;
    const ios = Array.from({ length: count }, () => this.io());
    const isDrawn = ios.map(() => this.random.next() < 1 / oneIn);
    const rows = columnsOf(ios.filter((_, i) => isDrawn[i]));
    const left = ios.filter((_, i) => !isDrawn[i]);
    this.divider.tookRows(rows, [...rows.identity.keys()]);
    const whole = counted(left, this.unknown);
    const parts = this.divider.divide(left.length === 0 ? [] : [whole], this.nowNs);
    return { ios, rows, left, whole, parts };
  }

  ownerOf({ identity }: CompletionSummary): number {
    return this.identities.get(identity).tgid;
  }
}

const shares = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), {
  minLength: 1,
  maxLength: 6,
});

describe('what the kernel counted, divided by a sample', () => {
  it('the division of counts by a sample adds up to the whole, in every count, sum and bin', () => {
    fc.assert(
      fc.property(shares, fc.integer(), fc.integer({ min: 2, max: 64 }), (owners, seed, oneIn) => {
        const machine = new Machine(owners, new SeededRandom(seed));
        const { whole, parts } = machine.moment(800, oneIn);
        for (const name of ['count', 'bytes', 'deviceNsSum', 'queueNsSum'] as const)
          expect(parts.reduce((sum, part) => sum + part[name], 0)).toBe(whole[name]);
        for (const name of HISTOGRAMS) {
          const added = whole[name].map((_, bin) =>
            parts.reduce((sum, part) => sum + part[name][bin]!, 0),
          );
          expect(added).toEqual(whole[name]);
        }
        expect(Math.max(...parts.map(({ maxDeviceNs }) => maxDeviceNs))).toBe(whole.maxDeviceNs);
      }),
      { numRuns: 50 },
    );
  });

  it('the division of counts by a sample gives each owner as many values as I/Os, and none above its largest', () => {
    const { parts } = new Machine([5, 3, 1], new SeededRandom(7)).moment(5000, 8);
    for (const part of parts) {
      for (const name of HISTOGRAMS)
        expect(part[name].reduce((sum, count) => sum + count, 0)).toBe(part.count);
      const last = part.device.findLastIndex((count) => count > 0);
      expect(part.maxDeviceNs).toBeLessThanOrEqual(fineBinHigh(last));
    }
  });

  it('the division of counts by a sample keeps the latencies of owners apart', () => {
    const machine = new Machine([1, 1, 1], new SeededRandom(3));
    const { parts } = machine.moment(20_000, 8);
    for (const part of parts) {
      const slow = 10_000 * 3 ** (machine.ownerOf(part) - 1);
      const own = part.device.reduce(
        (sum, count, bin) =>
          sum + (bin >= fineBin(slow * 0.9) && bin <= fineBin(slow * 2.1) ? count : 0),
        0,
      );
      expect(own / part.count).toBeGreaterThan(0.97);
    }
  });

  it('the stated uncertainty covers the truth in 19 of 20 runs, for every owner', () => {
    const truths = [0.6, 0.3, 0.09, 0.01];
    const covered = truths.map(() => 0);
    const runs = 400;
    for (let run = 0; run < runs; run++) {
      const machine = new Machine(truths, new SeededRandom(run));
      const found = truths.map(() => ({ truth: 0, estimate: 0, variance: 0 }));
      for (let moment = 0; moment < 10; moment++) {
        const { left, parts } = machine.moment(500, 8);
        for (const { key } of left) found[machine.owners.indexOf(key)]!.truth++;
        for (const part of parts) {
          const one = found[machine.ownerOf(part) - 1]!;
          one.estimate += part.count;
          one.variance += part.countVariance ?? 0;
        }
      }
      for (const [i, { truth, estimate, variance }] of found.entries())
        if (Math.abs(truth - estimate) <= 1.96 * Math.sqrt(variance)) covered[i]!++;
    }
    const rates = covered.map((count) => count / runs);
    // Of 400 runs with 95 %, 0.92 is almost three standard deviations away. Rare owners are treated with caution.
    for (const rate of rates) expect(rate).toBeGreaterThan(0.92);
    for (const rate of rates.slice(0, 2)) expect(rate).toBeLessThan(0.985);
  });

  it.each(['pid=1', 'pid=1,3', 'pid!=1', 'comm=p2,p3,p4', 'pid=3 op=read'])(
    'the margin that the tables state under the filter "%s" covers the truth in 19 of 20 runs',
    (text) => {
      const truths = [0.5, 0.3, 0.15, 0.05];
      const runs = 400;
      let covered = 0;
      for (let run = 0; run < runs; run++) {
        // All ten moments are in the second that the tables show.
        const machine = new Machine(truths, new SeededRandom(run), 50e6);
        const info = { identities: machine.identities, device: () => undefined, devices: () => [] };
        const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
        const filter = compileFilter(parsed(text), machine.identities, info);
        let truth = 0;
        for (let moment = 0; moment < 10; moment++) {
          const { ios, rows, parts } = machine.moment(500, 8);
          history.append(rows);
          for (const part of parts) history.appendAggregate(part);
          truth += ios.filter(({ key }) => filter.judge(key) === Verdict.yes).length;
        }
        const { totals, undecidedCount } = reportActivity(history, 0, 1e9, filter, info);
        expect(undecidedCount).toBe(0);
        const found = totals.readsPerSecond! + totals.writesPerSecond!;
        if (Math.abs(found - truth) <= totals.margin! * found) covered++;
      }
      // Of 400 runs with 95 %, these are three standard deviations away.
      expect(covered / runs).toBeGreaterThanOrEqual(0.92);
      expect(covered / runs).toBeLessThanOrEqual(0.98);
    },
  );

  it('the division of counts by a sample is unbiased: over many moments, no owner gains', () => {
    const truths = [0.5, 0.5];
    const machine = new Machine(truths, new SeededRandom(5));
    let [truth, estimate, all] = [0, 0, 0];
    for (let moment = 0; moment < 2000; moment++) {
      const { left, parts } = machine.moment(40, 4);
      all += left.length;
      truth += left.filter(({ key }) => key === machine.owners[0]).length;
      estimate += parts.find((part) => machine.ownerOf(part) === 1)?.count ?? 0;
    }
    expect(Math.abs(truth - estimate) / all).toBeLessThan(0.01);
  });

  it('the division of counts by a sample leaves the owner unknown where nothing was drawn', () => {
    const machine = new Machine([1], new SeededRandom(1));
    const whole = counted(
      [{ completeNs: 0, deviceNs: 1, queueNs: 1, bytes: 1, sector: 0, key: 0 }],
      0,
    );
    expect(machine.divider.divide([whole], 0)).toEqual([whole]);
  });

  it.each([
    // Ten draws a second, and two: so small a sample may lack an owner, which then has no margin of error.
    { frameNs: 50e6, least: 0.93 },
    { frameNs: 250e6, least: 0.87 },
  ])(
    'the division of counts by a sample covers the truth in $least of runs for rare I/O, too, of which nothing is drawn for a while, with frames of $frameNs ns',
    ({ frameNs, least }) => {
      const truths = [0.7, 0.3];
      let [covered, all] = [0, 0];
      for (let run = 0; run < 200; run++) {
        const machine = new Machine(truths, new SeededRandom(run), frameNs);
        const found = truths.map(() => ({ truth: 0, estimate: 0, variance: 0 }));
        machine.moment(100, 2);
        for (let moment = 0; moment < 100; moment++) {
          const { left, parts } = machine.moment(10, 16);
          for (const { key } of left) found[machine.owners.indexOf(key)]!.truth++;
          for (const part of parts) {
            const one = found[machine.ownerOf(part) - 1];
            // Nothing has been drawn for a second.
            if (one === undefined) continue;
            one.estimate += part.count;
            one.variance += part.countVariance ?? 0;
          }
        }
        for (const { truth, estimate, variance } of found) {
          all++;
          if (Math.abs(truth - estimate) <= 1.96 * Math.sqrt(variance)) covered++;
        }
      }
      expect(covered / all).toBeGreaterThan(least);
    },
  );

  it.each([50e6, 250e6, 500e6])(
    'the division of counts by a sample leaves the owner unknown from a second after the last draw on, with a frame every %d ns',
    (frameNs) => {
      const machine = new Machine([1], new SeededRandom(1), frameNs);
      machine.moment(100, 2);
      const owners = Array.from({ length: 3e9 / frameNs }, () => {
        const { parts } = machine.moment(10, Infinity);
        return machine.ownerOf(parts[0]!);
      });
      // The frame at which a second is over still has what was counted within it.
      const lastKnown = 1e9 / frameNs + 1;
      expect(owners).toEqual(owners.map((_, i) => (i < lastKnown ? 1 : 0)));
    },
  );

  it('the division of counts by a sample gives nothing to an owner that ended more than a second ago, however little of the next one is drawn', () => {
    const machine = new Machine([1, 0], new SeededRandom(1));
    machine.moment(1000, 2);
    machine.become([0, 1]);
    for (let frame = 0; frame < 5; frame++) machine.moment(4, 4);
    const { parts } = machine.moment(4, 4);
    expect(parts.map((part) => machine.ownerOf(part))).toEqual([2]);
  });

  it('the division of counts by a sample leaves failed I/O that was only counted as a whole: nobody knows whose it was', () => {
    const { divider, identities } = new Machine([1, 1], new SeededRandom(1));
    divider.tookRows(columnsOf([{ key: 0 }, { key: 1 }]), [0, 1]);
    const failed = summaryOf({ identity: identities.intern(UNKNOWN), count: 10, errors: 1 });
    expect(divider.divide([failed], 0)).toEqual([failed]);
  });

  it('the division of counts by a sample gives failed calls to those of whom failed ones were drawn, and none more than it has', () => {
    const { divider, identities } = new Machine([1, 1], new SeededRandom(1));
    const call = { layer: 'calls', cmdFlags: 0 } as const;
    const of = (tgid: number, error: number): number =>
      identities.intern(keyOf({ ...call, tgid, tid: tgid, error }));
    const keys = [of(1, 0), of(1, 0), of(2, -2), of(2, 0)];
    divider.tookRows(columnsOf(keys.map((key) => ({ key }))), [0, 1, 2, 3]);
    const identity = identities.intern({ ...UNKNOWN, ...call });
    const divide = (errors: number): number[][] =>
      divider
        .divide([summaryOf({ identity, count: 100, errors })], 0)
        .map((part) => [identities.get(part.identity).tgid, part.count, part.errors!]);
    expect(divide(40)).toEqual([
      [1, 50, 0],
      [2, 50, 40],
    ]);
    expect(divide(70)).toEqual([
      [1, 50, 20],
      [2, 50, 50],
    ]);
  });

  it('the division of counts by a sample divides calls on all devices by one sample, apart from the I/O of the same devices', () => {
    const { divider, identities } = new Machine([1], new SeededRandom(1));
    const call = identities.intern(keyOf({ layer: 'calls', dev: 7, tgid: 1, tid: 1 }));
    const io = identities.intern(keyOf({ dev: 7, tgid: 2, tid: 2 }));
    divider.tookRows(columnsOf([{ key: call }, { key: io }]), [0, 1]);
    const ownerOf = (dev: number, layer?: 'calls'): number => {
      const identity = identities.intern({ ...UNKNOWN, dev, layer });
      const [part] = divider.divide([summaryOf({ identity, count: 10 })], 0);
      return identities.get(part!.identity).tgid;
    };
    expect(ownerOf(0, 'calls')).toBe(1);
    expect(ownerOf(7)).toBe(2);
  });

  it('the division of counts by a sample names the 64 owners drawn first, and leaves the rest unknown', () => {
    const machine = new Machine(Array<number>(200).fill(1), new SeededRandom(2));
    const rows = columnsOf(machine.owners.map((key) => ({ key })));
    machine.divider.tookRows(rows, [...rows.identity.keys()]);
    const device = new Uint32Array(FINE_BINS);
    device[0] = 2000;
    const whole = summaryOf({ identity: machine.identities.intern(UNKNOWN), count: 2000, device });
    const parts = machine.divider.divide([whole], 0);
    expect(parts).toHaveLength(65);
    expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
    const unknown = parts.find((part) => machine.ownerOf(part) === 0)!;
    expect(unknown.count).toBe(1360);
  });
});
