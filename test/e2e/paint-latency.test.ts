import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Interval } from '../../src/heatmap/scale.ts';
import { FONT_ROWS } from '../../src/paint/font.ts';
import { STROKES_PER_PIXEL } from '../../src/paint/plan.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { describeTracing } from '../kernel/fixtures/needs-tracing.ts';
import type { SlowRule } from '../load/slow-file/rules.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { ensureBuilt } from './build.ts';
import { countOf, PaintedTrace, widthOf } from './support/painted-trace.ts';
import { firstPainted, readPainting } from './support/read-painting.ts';

const DISK_BYTES = 8 << 20;
const INTERVAL_NS = 2e9;

/** So that a machine that is busy for a part of a millisecond moves no I/O into another row. */
const QUICKEST_US = 500;
const STEPS_PER_DOUBLING = 8;

/** What takes longer the larger it is, as on a disk with a narrow way to it: with the root of its size. */
function slowWay(): SlowRule[] {
  const steps = STEPS_PER_DOUBLING * Math.log2(DISK_BYTES / 512);
  const rules = Array.from({ length: steps }, (_, step) => {
    const part = 2 ** (step / STEPS_PER_DOUBLING);
    return { start: Math.floor(512 * part), end: DISK_BYTES, delayUs: QUICKEST_US * part ** 0.4 };
  });
  return [...rules.reverse(), { start: 0, end: DISK_BYTES, delayUs: QUICKEST_US }];
}

const LATENCIES = { low: 50e3, high: 200e6 };
const LATENCY_BINS = 1000;

beforeAll(ensureBuilt);

describeTracing('a word painted in latencies', () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let trace: PaintedTrace;

  beforeAll(async () => {
    program = await buildSlowFile();
    disk = await SlowDisk.start(program, DISK_BYTES);
    await disk.setRules(slowWay());
    trace = new PaintedTrace(disk.loop, INTERVAL_NS);
  });
  afterAll(async () => {
    trace.dispose();
    await disk.dispose();
    program.dispose();
  });

  it('is read back out of the picture, on a disk whose larger I/Os take longer', async () => {
    await trace.paint('IO', 'latency');
    const centres = sizesPainted().map(usualLatency);
    expect(centres).toHaveLength(FONT_ROWS);
    const ratios = centres.slice(1).map((ns, below) => ns / centres[below]!);
    expect(Math.min(...ratios)).toBeGreaterThan(1);
    const rows = centres.map((ns, row) => ({
      low: row === 0 ? 0 : ns / Math.sqrt(ratios[row - 1]!),
      high: ns * Math.sqrt(ratios[row] ?? ratios[row - 1]!),
    }));
    const map = trace.picture('device', LATENCY_BINS, LATENCIES);
    expect(readPainting(map, rows, widthOf('IO'))).toBe('IO');
  }, 90_000);

  /** The sizes that the rows were given, in ascending order. */
  function sizesPainted(): Interval[] {
    const map = trace.picture('size', 400, { low: 400, high: 1 << 20 });
    const first = firstPainted(map, widthOf('IO'));
    const counts = Array.from({ length: map.bins }, (_, bin) => countOf(map, bin, first));
    return counts.flatMap((count, bin) => (count > 0 ? [map.scale.invertExtent(bin)] : []));
  }

  /** At the quickest I/Os of that size, since any that came late was done again. */
  function usualLatency(sizes: Interval): number {
    const map = trace.pictureOfSizes(sizes, LATENCY_BINS, LATENCIES);
    const first = firstPainted(map, widthOf('IO'));
    let sum = 0;
    let bin = -1;
    while (sum < STROKES_PER_PIXEL) sum += countOf(map, ++bin, first);
    return map.scale.invertExtent(bin).low;
  }
});
