import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBinList } from '../../../src/history/slices/slice.ts';
import { fineBin, FINE_BINS, fineBinHigh, fineBinLow } from '../../../src/model/fine-bins.ts';
import { OP_CLASSES } from '../../../src/model/operation.ts';
import { LatencyTally } from '../../../src/query/tally/latency-tally.ts';
import { Tally } from '../../../src/query/tally/tally.ts';

fc.configureGlobal({ seed: 20_101_122, endOnFailure: true });

const ROWS = 40;

const anyIo = fc.record({
  row: fc.nat(ROWS - 1),
  opClass: fc.nat(OP_CLASSES.length - 1),
  bytes: fc.constantFrom(0, 512, 4096, 2 ** 32 - 1),
  waitNs: fc.nat(1e9),
  errors: fc.constantFrom(0, 1),
  timeNs: fc.oneof(fc.nat(1e10), fc.constant(NaN)),
  queueNs: fc.oneof(fc.nat(1e6), fc.constant(NaN)),
});

describe('a tally', () => {
  it('a tally gives each row the sums of its own I/O, also when reused', () => {
    const tally = new Tally();
    fc.assert(
      fc.property(fc.array(anyIo, { maxLength: 300 }), (all) => {
        tally.reset();
        for (let row = 0; row < ROWS; row++) expect(tally.claim()).toBe(row);
        for (const { row, opClass, bytes, waitNs, errors, timeNs, queueNs } of all) {
          tally.add(row, opClass, 1, bytes, waitNs, errors);
          tally.addQueue(row, queueNs);
          tally.latencies.add(row, timeNs);
        }
        for (let row = 0; row < ROWS; row++) {
          const own = all.filter((io) => io.row === row);
          const sum = (of: (io: (typeof own)[number]) => number): number =>
            own.reduce((total, io) => total + of(io), 0);
          for (let opClass = 0; opClass < OP_CLASSES.length; opClass++) {
            const ofClass = own.filter((io) => io.opClass === opClass);
            expect(tally.count(row, opClass)).toBe(ofClass.length);
            expect(tally.bytes(row, opClass)).toBe(ofClass.reduce((a, io) => a + io.bytes, 0));
            expect(tally.waitNs(row, opClass)).toBe(ofClass.reduce((a, io) => a + io.waitNs, 0));
          }
          expect(tally.totalCount(row)).toBe(own.length);
          const moved = own.filter((io) => ['read', 'write'].includes(OP_CLASSES[io.opClass]!));
          expect(tally.totalBytes(row)).toBe(sum((io) => io.bytes));
          expect(tally.movedBytes(row)).toBe(moved.reduce((a, io) => a + io.bytes, 0));
          expect(tally.totalWaitNs(row)).toBe(sum((io) => io.waitNs));
          expect(tally.errors(row)).toBe(sum((io) => io.errors));
          const queued = own.map((io) => io.queueNs).filter((ns) => ns >= 0);
          const queueNs = queued.reduce((a, b) => a + b, 0);
          expect(tally.queueNs(row)).toBe(queued.length === 0 ? undefined : queueNs);
          const times = own.map((io) => io.timeNs).filter((ns) => ns >= 0);
          expect(tally.latencies.maxNs(row)).toBe(times.length ? Math.max(...times) : undefined);
          expectQuantiles(tally.latencies, row, times);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('a tally has no other operations where all was read or written, in whatever parts it came', () => {
    const tally = new Tally();
    const row = tally.claim();
    for (const share of [0.1, 0.2, 0.7, 1 / 3, 2 / 3]) {
      tally.add(row, OP_CLASSES.indexOf('read'), 3 * share, 0, 0, 0);
      tally.add(row, OP_CLASSES.indexOf('write'), 7 * share, 0, 0, 0);
    }
    expect(tally.otherCount(row)).toBe(0);
    tally.add(row, OP_CLASSES.indexOf('flush'), 2, 0, 0, 0);
    tally.add(row, OP_CLASSES.indexOf('discard'), 0.5, 0, 0, 0);
    expect(tally.otherCount(row)).toBe(2.5);
  });

  it('a tally row that was cleared has no share', () => {
    const tally = new Tally();
    const row = tally.claim();
    tally.add(row, 0, 3, 4096, 1e6, 1);
    tally.addQueue(row, 1e3);
    tally.latencies.add(row, 1e6);
    tally.clear(row);
    expect(tally.totalCount(row) + tally.movedBytes(row) + tally.errors(row)).toBe(0);
    expect([tally.queueNs(row), tally.latencies.maxNs(row)]).toEqual([undefined, undefined]);
    expect(tally.latencies.quantileNs(row, 0.5)).toBeUndefined();
  });
});

describe('a tally of latencies', () => {
  it('a latency tally is the same from single values, lists of bins and histograms', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e9), { minLength: 1, maxLength: 50 }), (times) => {
        const tally = new LatencyTally();
        const [single, listed, whole] = [tally.claim(), tally.claim(), tally.claim()];
        const histogram = new Uint32Array(FINE_BINS);
        for (const ns of times) {
          tally.add(single, ns);
          histogram[fineBin(ns)]!++;
        }
        const list = createBinList();
        let filled = 0;
        histogram.forEach((count, bin) => {
          if (count === 0) return;
          list.bins[filled] = bin;
          list.counts[filled++] = 2 * count;
        });
        const maxNs = Math.max(...times);
        tally.addBins(listed, list, filled, 0.5, maxNs);
        tally.addAll(whole, histogram, maxNs);
        for (const row of [listed, whole]) {
          expect(tally.maxNs(row)).toBe(maxNs);
          for (const share of [0.5, 0.9, 0.99])
            expect(tally.quantileNs(row, share)).toBe(tally.quantileNs(single, share));
        }
      }),
    );
  });

  it('a latency tally of rows without a histogram has a maximum and no percentile', () => {
    const tally = new LatencyTally(2);
    const rows = [tally.claim(), tally.claim(), tally.claim(), tally.claim()];
    for (const row of rows) tally.add(row, 1e6 * (row + 1));
    expect(rows.map((row) => tally.maxNs(row))).toEqual([1e6, 2e6, 3e6, 4e6]);
    expect(rows.map((row) => tally.quantileNs(row, 0.5) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('a tally tells unknown latencies from 0', () => {
    const tally = new LatencyTally();
    const [unknown, none] = [tally.claim(), tally.claim()];
    tally.add(unknown, NaN);
    tally.addAll(unknown, new Uint32Array(FINE_BINS), 0);
    tally.add(none, 0);
    expect([tally.maxNs(unknown), tally.maxNs(none)]).toEqual([undefined, 0]);
  });
});

/** Within the fine bin of the value of that rank. */
function expectQuantiles(tally: LatencyTally, row: number, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  for (const share of [0.5, 0.99]) {
    const found = tally.quantileNs(row, share);
    if (sorted.length === 0) {
      expect(found).toBeUndefined();
      continue;
    }
    const bin = fineBin(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!);
    expect(found).toBeGreaterThanOrEqual(Math.min(fineBinLow(bin), sorted.at(-1)!));
    expect(found).toBeLessThanOrEqual(fineBinHigh(bin));
  }
}
