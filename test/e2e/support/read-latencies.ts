import { expect } from 'vitest';
import type { Interval } from '../../../src/heatmap/axis/scale.ts';
import { FONT_ROWS } from '../../../src/paint/font.ts';
import { countOf, widthOf, type PaintedTrace } from './painted-trace.ts';
import { firstPainted, readPainting } from './read-painting.ts';

const LATENCIES = { low: 500, high: 200e6 };
const LATENCY_BINS = 1000;
const SIZES = { low: 400, high: 1 << 20 };
const SIZE_BINS = 400;

/** The word in the picture of device latencies; which latencies the rows have, the sizes tell. */
export function readLatencies(trace: PaintedTrace, word: string): string {
  const painted = widthOf(word);
  const centres = sizesPainted(trace, painted).map((sizes) => usualLatency(trace, sizes, painted));
  const ratios = centres.slice(1).map((ns, below) => ns / centres[below]!);
  expect(Math.min(...ratios)).toBeGreaterThan(1);
  const rows = centres.map((ns, row) => ({
    low: row === 0 ? 0 : ns / Math.sqrt(ratios[row - 1]!),
    high: ns * Math.sqrt(ratios[row] ?? ratios[row - 1]!),
  }));
  return readPainting(trace.picture('device', LATENCY_BINS, LATENCIES), rows, painted);
}

/** The sizes of each row, in ascending order: between rows lie the widest gaps. */
function sizesPainted(trace: PaintedTrace, painted: number): Interval[] {
  const map = trace.picture('size', SIZE_BINS, SIZES);
  const first = firstPainted(map, painted);
  const used = Array.from({ length: map.bins }, (_, bin) => bin)
    .filter((bin) => countOf(map, bin, first) > 0)
    .map((bin) => map.scale.invertExtent(bin));
  const gaps = used.slice(1).map(({ low }, below) => ({ below, ratio: low / used[below]!.high }));
  const widest = gaps.toSorted((a, b) => b.ratio - a.ratio).slice(0, FONT_ROWS - 1);
  const ends = [...widest.map(({ below }) => below).sort((a, b) => a - b), used.length - 1];
  return ends.map((end, row) => ({
    low: used[row === 0 ? 0 : ends[row - 1]! + 1]!.low,
    high: used[end]!.high,
  }));
}

/** The median, because the quickest of a row are quicker than most of its I/Os by half a row. */
function usualLatency(trace: PaintedTrace, sizes: Interval, painted: number): number {
  const map = trace.pictureOfSizes(sizes, LATENCY_BINS, LATENCIES);
  const first = firstPainted(map, painted);
  const counts = Array.from({ length: map.bins }, (_, bin) => countOf(map, bin, first));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const median = counts.findIndex((count) => (sum += count) >= total / 2);
  return map.scale.invertExtent(median).low;
}
