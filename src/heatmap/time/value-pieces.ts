import type { Heatmap } from './heatmap.ts';
import type { Interval } from '../axis/scale.ts';

/** Part of a histogram bin that is drawn in one bin of the map. */
export interface Piece {
  readonly bin: number;
  readonly count: number;
  readonly seed: number;
}

/**
 * Where `count` I/Os belong of which is known that their values lie in `extent`: in the bin of its
 * middle, but where a zoomed map has several bins for it, they share them by width, in whole I/Os, or
 * a picture of old I/O would be lines with gaps. `seed`, from 0 to 1, says where rounding puts the odd
 * ones.
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
    // A seed of its own, or the odd ones of all pieces would fall into the same column.
    if (upTo > before)
      pieces.push({ bin, count: upTo - before, seed: (seed + bin * STEP + 1) % 1 });
    before = Math.max(before, upTo);
  }
  return pieces;
}

const STEP = 0.7548776662;
