import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NS_PER_MS, NS_PER_SECOND } from '../../../src/base/time.ts';
import { isOfPrograms, layerOf } from '../../../src/model/layer.ts';
import { Op, OP_MASK } from '../../../src/model/operation.ts';
import { PATTERN_NAMES, PATTERNS } from '../../../src/trace/synthetic/patterns.ts';
import { drain, HandClock, openPattern, trace } from './trace.ts';

const anyPattern = fc.constantFrom(...PATTERN_NAMES.filter((name) => name !== 'storm'));

test('the same seed gives the same demo rows, however the calls are spaced', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(anyPattern, fc.integer(), steps, (pattern, seed, stepsMs) => {
      const clock = new HandClock();
      const source = openPattern(pattern, clock, { seed });
      const pieces = stepsMs.flatMap((step) => {
        clock.now += step * NS_PER_MS;
        return drain(source);
      });
      expect(pieces).toEqual(trace(pattern, clock.now / NS_PER_SECOND, { seed }));
    }),
    { numRuns: 40 },
  );
});

test('another seed gives other demo rows', () => {
  expect(trace('mixed', 1, { seed: 1 })).not.toEqual(trace('mixed', 1, { seed: 2 }));
});

test('the demo delivers no row before its time, and none late', () => {
  const clock = new HandClock();
  const source = openPattern('mixed', clock);
  clock.now = 1.234 * NS_PER_SECOND;
  const early = drain(source);
  expect(early.at(-1)!.completeNs).toBeLessThanOrEqual(clock.now);
  clock.now = 2 * NS_PER_SECOND;
  expect(drain(source)[0]!.completeNs).toBeGreaterThan(1.234 * NS_PER_SECOND);
  expect(drain(source)).toEqual([]);
});

test('the demo delivers a long wait in several buffers, none larger than the first', () => {
  const clock = new HandClock();
  const source = openPattern('storm', clock);
  clock.now = NS_PER_SECOND;
  const lengths = [source.read().length, source.read().length, source.read().length];
  expect(lengths).toEqual([65_536, 65_536, 65_536]);
  expect(source.read().length).toBeGreaterThan(3000);
  expect(source.counters().delivered).toBeCloseTo(200_000, -3);
});

test('--rate replaces the rate of a demo pattern', () => {
  expect(trace('storm', 2, { rate: 5000 }).length / 2).toBeCloseTo(5000, -3);
  expect(trace('two-bands', 10, { rate: 100 }).length / 10).toBeCloseTo(100, -1);
});

test('the demo reports no aggregates and no losses', () => {
  const clock = new HandClock();
  const source = openPattern('mixed', clock);
  clock.now = NS_PER_SECOND;
  const rows = drain(source);
  expect(source.readSummaries()).toEqual([]);
  expect(source.counters()).toEqual({
    delivered: rows.length,
    summarised: 0,
    lost: 0,
    losses: {},
  });
});

describe.each(PATTERNS.map(({ name, completionsPerSecond }) => ({ name, completionsPerSecond })))(
  'pattern $name',
  ({ name, completionsPerSecond }) => {
    const seconds = name === 'storm' ? 1 : 40;
    const rows = trace(name, seconds);

    test('completions of a pattern come in order of time', () => {
      const misplaced = rows.findIndex(
        (row, i) => i > 0 && row.completeNs < rows[i - 1]!.completeNs,
      );
      expect(misplaced).toBe(-1);
    });

    test('every I/O of a pattern was submitted within the trace and took some time', () => {
      const wrong = rows.filter(
        ({ completeNs, deviceNs, queueNs }) =>
          !(deviceNs > 0) || !(queueNs >= 0) || completeNs - deviceNs - queueNs < -64,
      );
      expect(wrong).toEqual([]);
    });

    test('reads and writes of a pattern lie on a known disk, flushes have neither place nor size, waits and calls no place', () => {
      const source = openPattern(name, new HandClock());
      const wrong = rows.filter(({ key, sector, bytes }) => {
        if (isOfPrograms(layerOf(key))) return !Number.isNaN(sector);
        if ((key.cmdFlags & OP_MASK) === Op.flush) return !Number.isNaN(sector) || bytes !== 0;
        const size = source.info.device(key.dev)?.sizeBytes ?? 0;
        return !(sector >= 0) || bytes % 512 !== 0 || bytes === 0 || sector * 512 + bytes > size;
      });
      expect(wrong).toEqual([]);
    });

    test("every I/O of a pattern has an owner whose name fits the kernel's limit", () => {
      const names = new Set(rows.map(({ key }) => key.comm));
      for (const comm of names) expect(comm).toMatch(/^[\x21-\x7e]{1,15}$/);
    });

    test('the rate of a pattern over a cycle is the one in the table', () => {
      const cycle = name === 'storm' ? 1 : 360;
      const clock = new HandClock();
      const source = openPattern(name, clock);
      clock.now = cycle * NS_PER_SECOND;
      while (source.read().length > 0);
      const rate = source.counters().delivered / cycle;
      expect(rate).toBeGreaterThan(completionsPerSecond * 0.98);
      expect(rate).toBeLessThan(completionsPerSecond * 1.02);
    });
  },
);
