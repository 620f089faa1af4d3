import { PAINTABLE, glyphColumns } from '../../../src/paint/font.ts';
import { STROKES_PER_PIXEL } from '../../../src/paint/plan.ts';
import type { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import type { Interval } from '../../../src/heatmap/axis/scale.ts';

/** Fewer I/Os than this in a column are somebody else's. */
const LIT_FROM = 12;

/** Columns of the picture per painted column. */
export const FINER = 10;

/** I/Os per band, from the bottom. */
type SeenColumn = readonly number[];

/**
 * The letters in a picture whose columns are `FINER` than the painted ones, of which there are
 * `painted`; `bands` are the values of each row from the bottom.
 */
export function readPainting(map: Heatmap, bands: readonly Interval[], painted: number): string {
  const first = firstPainted(map, painted);
  const columns = Array.from({ length: painted }, (_, column) => {
    const from = first + column * FINER;
    return bands.map((band) => countIn(map, from, from + FINER, band));
  });
  return letters(columns).map(likestLetter).join('');
}

/**
 * Where the first painted column begins, as the last ink tells, which is the last painted column: before
 * the first there may be more I/O, such as a calibration. A column may be late but is never early, so
 * the beat is the latest at which ink comes early in its column.
 */
export function firstPainted(map: Heatmap, painted: number): number {
  const from = Math.max(0, lastInked(map) - painted * FINER);
  const beats = Array.from({ length: FINER }, (_, beat) => ({
    beat,
    off: offBeat(map, from, beat),
  }));
  const best = beats.reduce((found, next) => (next.off <= found.off ? next : found));
  const behind = (lastInked(map) - from - best.beat) % FINER;
  return Math.max(0, lastInked(map) - behind - (painted - 1) * FINER);
}

function lastInked(map: Heatmap): number {
  let column = map.columns - 1;
  while (column > 0 && map.columnTotal(column) < LIT_FROM) column--;
  return column;
}

/** The painter leaves the last part of each column empty. */
const INKED_PART = 0.7;

/** I/Os that would lie in the empty part of their column. */
function offBeat(map: Heatmap, from: number, beat: number): number {
  let count = 0;
  for (let column = from + beat; column < map.columns; column++)
    if ((column - from - beat) % FINER >= FINER * INKED_PART) count += map.columnTotal(column);
  return count;
}

function countIn(map: Heatmap, from: number, to: number, { low, high }: Interval): number {
  let count = 0;
  for (let column = from; column < Math.min(to, map.columns); column++)
    for (let bin = 0; bin < map.bins; bin++) {
      const extent = map.scale.invertExtent(bin);
      const middle = Math.sqrt(Math.max(1, extent.low) * extent.high);
      if (middle >= low && middle < high) count += map.count(column, bin);
    }
  return count;
}

/** Parted by columns without anything. */
function letters(columns: readonly SeenColumn[]): SeenColumn[][] {
  const found: SeenColumn[][] = [];
  let isInside = false;
  for (const column of columns) {
    const isEmpty = column.reduce((sum, count) => sum + count, 0) < LIT_FROM;
    if (!isEmpty && !isInside) found.push([]);
    if (!isEmpty) found.at(-1)!.push(column);
    isInside = !isEmpty;
  }
  return found;
}

/** The letter of that width whose pixels are inked, and no others. */
function likestLetter(seen: readonly SeenColumn[]): string {
  const likeness = Array.from(PAINTABLE.trim(), (letter) => {
    const glyph = glyphColumns(letter)!;
    return { letter, likeness: glyph.length === seen.length ? cosine(glyph, seen) : 0 };
  });
  return likeness.reduce((best, next) => (next.likeness > best.likeness ? next : best)).letter;
}

function cosine(glyph: readonly (readonly boolean[])[], seen: readonly SeenColumn[]): number {
  const painted = glyph.flat().map(Number);
  const counts = seen.flatMap(darkness);
  const dot = painted.reduce((sum, pixel, index) => sum + pixel * counts[index]!, 0);
  return dot / Math.hypot(...painted) / Math.hypot(...counts);
}

/**
 * 0 to 1: what is beyond a whole pixel's ink says nothing more. Where a row that should stay empty was
 * blotted, the others were painted over until they stood out.
 */
function darkness(column: SeenColumn): number[] {
  const whole = Math.max(STROKES_PER_PIXEL, Math.max(...column) / 2);
  return column.map((count) => Math.min(1, count / whole));
}
