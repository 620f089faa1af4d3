import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PressureBook, stalledShares } from '../../src/model/pressure.ts';
import type { PressureSample } from '../../src/model/pressure.ts';
import { isWithoutDisk } from '../../src/model/stall.ts';

const SECOND = 1e9;

/** Samples whose counts grow by at most the time between them. */
const histories = fc
  .array(
    fc.record({
      stepMs: fc.integer({ min: 1, max: 3000 }),
      some: fc.double({ min: 0, max: 1, noNaN: true }),
      full: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 2, maxLength: 40 },
  )
  .map((steps) => {
    const samples: PressureSample[] = [{ atNs: 0, someNs: 5e12, fullNs: 1e12 }];
    for (const { stepMs, some, full } of steps) {
      const last = samples.at(-1)!;
      const stepNs = stepMs * 1e6;
      samples.push({
        atNs: last.atNs + stepNs,
        someNs: last.someNs + some * stepNs,
        fullNs: last.fullNs + some * full * stepNs,
      });
    }
    return samples;
  });

function bookOf(samples: readonly PressureSample[], most?: number): PressureBook {
  const book = new PressureBook(most);
  for (const sample of samples) book.put(sample);
  return book;
}

describe('how long tasks waited for storage', () => {
  it('how long tasks waited for storage is the growth of the counts of the kernel between two samples', () => {
    const book = bookOf([
      { atNs: 10 * SECOND, someNs: 100 * SECOND, fullNs: 50 * SECOND },
      { atNs: 11 * SECOND, someNs: 100.5 * SECOND, fullNs: 50.1 * SECOND },
      { atNs: 12 * SECOND, someNs: 101.5 * SECOND, fullNs: 50.1 * SECOND },
    ]);
    const shares = stalledShares(book, 10 * SECOND, 12 * SECOND)!;
    expect(shares.some).toBeCloseTo(0.75);
    expect(shares.full).toBeCloseTo(0.05);
    expect(stalledShares(book, 11.5 * SECOND, 12 * SECOND)!.some).toBeCloseTo(1);
  });

  it('how long tasks waited for storage in two stretches that meet is as much as in both together', () => {
    fc.assert(
      fc.property(histories, fc.double({ min: 0, max: 1, noNaN: true }), (samples, at) => {
        const book = bookOf(samples);
        const endNs = samples.at(-1)!.atNs;
        const middleNs = at * endNs;
        const [a, b] = [book.during(0, middleNs), book.during(middleNs, endNs)];
        const whole = book.during(0, endNs);
        expect(a.someNs + b.someNs).toBeCloseTo(whole.someNs, -4);
        expect(a.knownNs + b.knownNs).toBeCloseTo(endNs, -4);
      }),
    );
  });

  it('how long tasks waited for storage is a share between 0 and 1, and no less for some tasks than for all', () => {
    fc.assert(
      fc.property(histories, fc.nat(100), fc.nat(100), (samples, from, to) => {
        const endNs = samples.at(-1)!.atNs;
        const shares = stalledShares(bookOf(samples), (from * endNs) / 100, (to * endNs) / 100);
        if (shares === undefined) return;
        expect(shares.some).toBeGreaterThanOrEqual(0);
        expect(shares.some).toBeLessThanOrEqual(1);
        expect(shares.full).toBeLessThanOrEqual(shares.some + 1e-3);
      }),
    );
  });

  it('how long tasks waited for storage is unknown where less than half of the time is known', () => {
    const book = bookOf([
      { atNs: 0, someNs: 0, fullNs: 0 },
      { atNs: 2 * SECOND, someNs: SECOND, fullNs: 0 },
    ]);
    expect(stalledShares(book, -3 * SECOND, 2 * SECOND)).toBeUndefined();
    expect(stalledShares(book, -1 * SECOND, 2 * SECOND)).toBeDefined();
    expect(stalledShares(book, 5 * SECOND, 6 * SECOND)).toBeUndefined();
    expect(stalledShares(new PressureBook(), 0, SECOND)).toBeUndefined();
    expect(stalledShares(undefined, 0, SECOND)).toBeUndefined();
  });

  it('how long tasks waited for storage is kept for the newest samples, without more memory', () => {
    const samples = Array.from({ length: 1000 }, (_, index) => ({
      atNs: index * SECOND,
      someNs: index * 0.5 * SECOND,
      fullNs: 0,
    }));
    const book = bookOf(samples, 100);
    const kept = book.samplesAfter(-Infinity);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(kept.length).toBeGreaterThan(80);
    expect(kept).toEqual(samples.slice(-kept.length));
    expect(stalledShares(book, 950 * SECOND, 999 * SECOND)!.some).toBeCloseTo(0.5);
  });
});

describe('tasks that wait without a disk', () => {
  it('tasks that wait without a disk are noticed where tasks wait much and each disk is known to do little', () => {
    const isNoticed = (some: number, busiest: number | undefined) =>
      isWithoutDisk({ some, busiest, allBusy: busiest });
    expect(isNoticed(0.5, 0.02)).toBe(true);
    expect(isNoticed(0.05, 0.02)).toBe(false);
    expect(isNoticed(0.5, 0.6)).toBe(false);
    expect(isNoticed(0.5, undefined)).toBe(false);
  });

  it('tasks that wait without a disk are noticed next to busy disks that together leave half of the time unexplained', () => {
    expect(isWithoutDisk({ some: 0.99, busiest: 0.3, allBusy: 0.35 })).toBe(true);
    expect(isWithoutDisk({ some: 0.99, busiest: 0.3, allBusy: 0.6 })).toBe(false);
    expect(isWithoutDisk({ some: 0.6, busiest: 0.3, allBusy: 0.3 })).toBe(false);
  });
});
