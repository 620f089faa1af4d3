import type { LatencyBand, Palette, Stroke } from './plan.ts';

/** How much smaller or larger one I/O makes the next of its row. */
const STEP = 1.02;

/** Between a row's size and its neighbour's: beyond this part of the way, on a logarithmic axis, is theirs. */
const REACH = 0.3;

/** What takes so many times as long as the longest that is right was held up, whatever its size. */
const HELD_UP = 2;

/**
 * Chooses sizes so that latencies stay what they are to be in each row while a machine that does other
 * things, too, becomes slower and quicker. Larger than the largest of the palette none becomes.
 */
export class Steering {
  private readonly factors: number[];
  private readonly sizes: readonly number[];

  constructor(
    private readonly palette: Palette,
    private readonly bands: readonly LatencyBand[],
    private readonly blockBytes: number,
  ) {
    this.sizes = palette.map((strokes) => strokes[0]!.bytes);
    this.factors = palette.map(() => 1);
  }

  /** The row's stroke, in the size that is right just now. */
  stroke(row: number, tries: number): Stroke {
    const strokes = this.palette[row]!;
    const { offset, bytes } = strokes[tries % strokes.length]!;
    const blocks = Math.max(1, Math.round((bytes * this.factors[row]!) / this.blockBytes));
    return { offset, bytes: blocks * this.blockBytes };
  }

  took(row: number, ns: number): void {
    const { lowNs, usualNs, highNs } = this.bands[row]!;
    if (lowNs === 0 || ns > highNs * HELD_UP) return;
    const step = ns > usualNs ? 1 / STEP : STEP;
    const [least, most] = [this.reach(row, row - 1), this.reach(row, row + 1)];
    this.factors[row] = Math.min(most, Math.max(least, this.factors[row]! * step));
  }

  private reach(row: number, neighbour: number): number {
    const own = this.sizes[row]!;
    return ((this.sizes[neighbour] ?? own) / own) ** REACH;
  }
}
