import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BusySeries } from '../../../src/history/utilization/busy-series.ts';
import { BusyTracker } from '../../../src/history/utilization/busy-tracker.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { InFlightBook } from '../../../src/model/in-flight-book.ts';
import { columnsOf, createInfo, keyOf, SDA } from '../fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

type Interval = readonly [number, number];

/** The union of intervals as disjoint ones, ascending. */
function unionOf(intervals: readonly Interval[]): Interval[] {
  const union: [number, number][] = [];
  for (const [start, end] of [...intervals].sort(([a], [b]) => a - b)) {
    const last = union.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else union.push([start, end]);
  }
  return union;
}

function within(union: readonly Interval[], fromNs: number, toNs: number): number {
  return union.reduce(
    (sum, [start, end]) => sum + Math.max(0, Math.min(end, toNs) - Math.max(start, fromNs)),
    0,
  );
}

const RESOLUTIONS = [
  { widthNs: 100, capacity: 1_000 },
  { widthNs: 1_000, capacity: 1_000 },
];

const anyInterval = fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 900 }));

/** Each 100 ns of the time are busy. */
function expectBusy(tracker: BusyTracker, fromNs: number, toNs: number): void {
  for (let cell = fromNs; cell < toNs; cell += 100)
    expect(tracker.series.sum(cell, cell + 100)).toBeCloseTo(100, 6);
}

function add(tracker: BusyTracker, intervals: readonly Interval[]): void {
  for (const [start, end] of intervals) tracker.add(start, end);
}

describe('busy time', () => {
  test('busy time is the exact union of all intervals, cell by cell, in any order of completion', () => {
    fc.assert(
      fc.property(fc.array(anyInterval, { maxLength: 60 }), fc.boolean(), (pairs, isSorted) => {
        const intervals = pairs.map(([start, length]): Interval => [start, start + length]);
        if (isSorted) intervals.sort(([, a], [, b]) => a - b);
        const tracker = new BusyTracker(new BusySeries(RESOLUTIONS));
        add(tracker, intervals);
        for (let from = 0; from < 4_000; from += 100) {
          const wanted = within(unionOf(intervals), from, from + 100);
          expect(tracker.series.sum(from, from + 100)).toBeCloseTo(wanted, 6);
        }
        expect(tracker.series.sum(0, 4_000)).toBeCloseTo(within(unionOf(intervals), 0, 4_000), 6);
      }),
      { numRuns: 500 },
    );
  });

  test('busy time counts overlapping requests once', () => {
    const tracker = new BusyTracker(new BusySeries(RESOLUTIONS));
    add(tracker, [
      [0, 50],
      [10, 60],
      [20, 70],
    ]);
    expect(tracker.series.sum(0, 100)).toBe(70);
  });

  test('a request that hung fills the idle time before it, beyond all remembered gaps', () => {
    const tracker = new BusyTracker(new BusySeries(RESOLUTIONS));
    const short = Array.from({ length: 9_000 }, (_, i): Interval => [i * 10, i * 10 + 4]);
    add(tracker, short);
    tracker.add(130, 90_000);
    tracker.add(20_050, 90_001);
    expectBusy(tracker, 200, 90_000);
    const exact = within(unionOf([...short, [130, 90_001]]), 0, 90_100);
    const measured = tracker.series.sum(0, 90_100);
    expect(measured).toBeLessThanOrEqual(exact);
    expect(measured).toBeGreaterThan(exact - 100);
  });

  test('a short request that ended before the remembered gaps does not hide a longer one', () => {
    const tracker = new BusyTracker(new BusySeries(RESOLUTIONS));
    const short = Array.from({ length: 9_000 }, (_, i): Interval => [i * 10, i * 10 + 4]);
    add(tracker, [...short, [130, 5_000], [130, 90_000]]);
    expectBusy(tracker, 200, 90_000);
  });

  test('a request that hung fills the idle time before it, also after a late one in an old gap', () => {
    const tracker = new BusyTracker(new BusySeries(RESOLUTIONS));
    const short = Array.from({ length: 2_048 }, (_, i): Interval => [i * 10, i * 10 + 4]);
    add(tracker, [...short, [55, 57], [500, 30_000]]);
    expectBusy(tracker, 500, 30_000);
  });

  test('busy time never exceeds the time there is, whatever gaps were dropped', () => {
    const anyOrder = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 9_000 })),
      { maxLength: 50 },
    );
    fc.assert(
      fc.property(anyOrder, (late) => {
        const tracker = new BusyTracker(new BusySeries(RESOLUTIONS));
        const short = Array.from({ length: 3_000 }, (_, i): Interval => [i * 10, i * 10 + 4]);
        const lengthy = late.map(([start, length]): Interval => [start, start + length]);
        add(tracker, [...short, ...lengthy]);
        const union = unionOf([...short, ...lengthy]);
        for (let cell = 0; cell < 40_000; cell += 100) {
          const excess = tracker.series.sum(cell, cell + 100) - within(union, cell, cell + 100);
          if (excess > 1e-6) expect.fail(`cell ${cell} has ${excess} ns too much`);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('the busy series', () => {
  test('a busy series keeps its sums while cells age into wider ones', () => {
    const resolutions = [
      { widthNs: 10, capacity: 5 },
      { widthNs: 100, capacity: 5 },
      { widthNs: 1_000, capacity: 50 },
    ];
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 60 })),
    );
    fc.assert(
      fc.property(steps, (gaps) => {
        const series = new BusySeries(resolutions);
        const intervals: Interval[] = [];
        let at = 0;
        for (const [gap, length] of gaps) {
          intervals.push([at + gap, at + gap + length]);
          series.add(at + gap, at + gap + length);
          at += gap + length;
        }
        for (let from = 0; from < at; from += 1_000) {
          const wanted = within(unionOf(intervals), from, from + 1_000);
          expect(series.sum(from, from + 1_000)).toBeCloseTo(wanted, 6);
        }
      }),
    );
  });

  test('a busy series returns a proportional part of a cell', () => {
    const series = new BusySeries([{ widthNs: 100, capacity: 10 }]);
    series.add(0, 50);
    expect(series.sum(0, 25)).toBe(12.5);
    expect(series.sum(90, 300)).toBe(5);
  });

  test('a busy series accepts time before its first cell', () => {
    const series = new BusySeries([{ widthNs: 100, capacity: 10 }]);
    series.add(900, 950);
    series.add(110, 120);
    series.add(-30, -20);
    expect([series.sum(100, 200), series.sum(900, 1_000)]).toEqual([10, 50]);
  });
});

describe('utilization of a disk', () => {
  test('the utilization of a disk ignores an invalid device time', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const times = [Infinity, NaN, -1, 250e6].map((deviceNs) => ({ completeNs: 1e9, deviceNs }));
    history.append(columnsOf(times));
    expect(history.utilization(SDA, 0, 1e9)).toBe(0.25);
  });

  /** A read that was issued at 1 s, and was last seen in flight at 4 s: then it completed or the trace ended. */
  function withHanging(untilNs: number): { history: History; book: InFlightBook } {
    const book = new InFlightBook();
    const unknown = { bytes: undefined, sector: undefined, file: undefined, fileOffset: undefined };
    const span = { number: 1, sinceNs: 0.9e9, issueNs: 1e9, identity: keyOf(), ...unknown };
    book.put({ ...span, untilNs });
    const info = { ...createInfo([keyOf()]), inFlight: book };
    return { history: createHistory({ info, budgetBytes: MIN_BUDGET_BYTES }), book };
  }

  test('a disk that completes nothing is busy while a request hangs, from its issue on', () => {
    const { history } = withHanging(Infinity);
    expect(history.utilization(SDA, 0, 4e9)).toBe(0.75);
    expect(history.utilization(SDA, 2e9, 4e9)).toBe(1);
    const shares = history.busySeries(SDA, 0, 4e9, 1e9);
    expect([...(shares ?? [])]).toEqual([0, 1, 1, 1]);
  });

  test('a disk is busy once while several requests hang at the same time', () => {
    const { history, book } = withHanging(2e9);
    const [hung] = book.spans();
    book.put({ ...hung!, number: 2, issueNs: 3.5e9, untilNs: 4e9 });
    book.put({ ...hung!, number: 3, issueNs: 1.5e9, untilNs: 3e9 });
    book.put({ ...hung!, number: 4, issueNs: undefined, untilNs: 4e9 });
    expect(history.utilization(SDA, 0, 4e9)).toBe(0.625);
  });

  test('what completes while another request hangs is not counted twice', () => {
    const { history } = withHanging(4e9);
    const [inside, after] = [
      { completeNs: 2e9, deviceNs: 500e6 },
      { completeNs: 5e9, deviceNs: 500e6 },
    ];
    history.append(columnsOf([inside, after]));
    expect(history.utilization(SDA, 0, 5e9)).toBeCloseTo(0.7);
  });

  test('a request that hung and completed was busy to its end', () => {
    const { history, book } = withHanging(Infinity);
    history.append(columnsOf([{ completeNs: 4.5e9, deviceNs: 3.5e9 }]));
    book.end(1, 4.3e9);
    expect(history.utilization(SDA, 0, 5e9)).toBeCloseTo(0.7);
  });
});
