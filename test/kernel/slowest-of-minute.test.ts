import { describe, expect, it } from 'vitest';
import { Control, Detail, Layer } from '../../src/kernel/abi/layout.ts';
import { DetailControl } from '../../src/kernel/attach/detail-control.ts';
import { DetailBudget } from '../../src/kernel/live/detail-budget.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
import { FINE_BINS, fineBin } from '../../src/model/fine-bins.ts';
import { SeededRandom } from '../random.ts';
import { summaryOf } from '../history/fixtures.ts';

const PASS_MS = 100;
const SLOWEST = 100;

/** Latency in ns of an I/O that ends at a time, in seconds. */
type Load = (atSeconds: number, random: SeededRandom) => number;

interface Seen {
  /** Of the slowest of each minute, how many were not delivered. */
  readonly missing: number[];
  /** Of all I/O. */
  readonly delivered: number;
}

/** Kernel programs that deliver what the budget lets them, under a load of `perSecond` I/Os. */
function run(load: Load, perSecond: number, minutes: number, seed: number): Seen {
  const random = new SeededRandom(seed);
  const control = new ArrayBuffer(Control.bytes);
  const view = new DataView(control, Control.offsets.detail);
  let [nowMs, usedUs] = [0, 0];
  const budget = new DetailBudget(0.01, {
    devices: new DetailControl(control),
    calls: new DetailControl(control, 'calls'),
    nowMs: () => nowMs,
    processorUs: () => usedUs,
  });
  const perPass = Math.round((perSecond * PASS_MS) / 1000);
  const rows = createColumns(perPass);
  rows.queueNs.fill(0);
  const layers = new Uint8Array(perPass).fill(Layer.disks);
  const all = new Float64Array(perSecond * 60);
  let [made, leftOut] = [0, [] as number[]];
  const missing: number[] = [];
  let delivered = 0;
  for (let pass = 1; pass * PASS_MS <= minutes * 60_000; pass++) {
    const chance = view.getUint32(Detail.offsets.chance, true);
    const slowNs = Number(view.getBigUint64(Detail.offsets.slowNs, true));
    const total = new Uint32Array(FINE_BINS);
    rows.length = 0;
    const drawn: number[] = [];
    for (let io = 0; io < perPass; io++) {
      const at = (nowMs + (PASS_MS * io) / perPass) / 1000;
      const ns = Math.fround(Math.round(load(at, random)));
      const isSure = chance === 0 || ns >= slowNs;
      const isIn = isSure || random.next() * 2 ** 32 < chance;
      if (isIn && !isSure) drawn.push(rows.length);
      all[made++] = ns;
      if (isIn) rows.deviceNs[rows.length++] = ns;
      else {
        total[fineBin(ns)]!++;
        leftOut.push(ns);
      }
    }
    nowMs += PASS_MS;
    delivered += rows.length;
    budget.beginPass();
    const counts = Uint32Array.of(rows.length, 0, 0, 0);
    budget.tookRows({ rows, layers, counts, drawn });
    usedUs += rows.length * 3;
    budget.endPass();
    budget.tookSummaries([summaryOf({ total, count: perPass - rows.length })], () => false);
    if ((pass * PASS_MS) % 60_000 !== 0) continue;
    const least = all.sort()[all.length - SLOWEST]!;
    missing.push(leftOut.filter((ns) => ns > least).length);
    [made, leftOut] = [0, []];
  }
  return { missing, delivered: delivered / (perSecond * 60 * minutes) };
}

const longTailed = (medianNs: number, random: SeededRandom): number =>
  medianNs / (1 - random.next()) ** 0.7;

/** Nearly all take the same time, as on a virtual disk with a timer. */
const narrow = (ns: number, random: SeededRandom): number => ns * (1 + 0.01 * random.next());

const LOADS: Readonly<Record<string, Load>> = {
  'steady, with a long tail': (_, random) => longTailed(80_000, random),
  'nearly the same time for all': (_, random) => narrow(1e6, random),
  'a storm of a second in each minute, slower by a hundred': (at, random) =>
    longTailed(at % 60 >= 20 && at % 60 < 21 ? 8e6 : 80_000, random),
  'a storm of ten seconds, nearly the same time for all': (at, random) =>
    narrow(at % 60 >= 20 && at % 60 < 30 ? 10e6 : 1e5, random),
  'slower and slower, then fast again': (at, random) =>
    longTailed(80_000 * (1 + (at % 20)), random),
  'a minute of slow I/O, then fast ones': (at, random) =>
    longTailed(at < 60 ? 8e6 : 80_000, random),
  'a slow second in every ten': (at, random) => longTailed(at % 10 < 1 ? 2e6 : 80_000, random),
  'two kinds: one in a thousand takes a hundred times as long': (_, random) =>
    narrow(random.next() < 0.001 ? 1e7 : 1e5, random),
};

describe('the slowest 100 I/Os of each minute', () => {
  for (const [name, load] of Object.entries(LOADS))
    it(`all come individually: ${name}`, () => {
      const { missing, delivered } = run(load, 20_000, 2, 7);
      expect(missing).toEqual([0, 0]);
      expect(delivered).toBeLessThan(0.3);
    });
});
