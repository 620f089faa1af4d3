import type { Heatmap } from './heatmap.ts';
import type { Interval } from '../axis/scale.ts';

/** The part of a histogram bin that is drawn in one bin of the map. */
export interface Piece {
  readonly bin: number;
  readonly count: number;
  readonly seed: number;
}

/**
 * The bins of `count` I/Os whose values are in `extent`: the bin of its middle. If a zoomed map has several bins for
 * the extent, they share the I/Os by width, in whole I/Os: otherwise a picture of old I/O would consist of lines with
 * gaps. `seed`, from 0 to 1, decides where rounding puts remainders.
 */
export function piecesOf(
  { scale }: Heatmap,
  { low, high }: Interval,
  middle: number,
  count: number,
  seed: number,
): Piece[] {
  const first = scale.binOf(low);
  const last = scale.binOf(high);
  if (last - first < 2) return [{ bin: scale.binOf(middle), count, seed }];
  const pieces: Piece[] = [];
  let before = 0;
  for (let bin = first; bin <= last; bin++) {
    const end = bin === last ? high : scale.edges[bin + 1]!;
    const upTo = bin === last ? count : Math.floor((count * (end - low)) / (high - low) + seed);
    // Each piece has its own seed: otherwise all remainders would be in the same column.
    if (upTo > before)
      pieces.push({ bin, count: upTo - before, seed: (seed + bin * STEP + 1) % 1 });
    before = Math.max(before, upTo);
  }
  return pieces;
}

const STEP = 0.7548776662;
