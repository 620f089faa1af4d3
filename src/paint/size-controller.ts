import type { LatencyBand, Palette, Stroke } from './plan.ts';

/** Factor by which one I/O changes the size of the next one in its row. */
const STEP = 1.02;

/** Share of the way to a neighbouring row's size, on a logarithmic axis, that a size may move. */
const REACH = 0.3;

/** An I/O that takes this many times the longest correct latency was delayed by something else. */
const HELD_UP = 2;

/**
 * Adjusts sizes so that the latencies of each row stay in range while a machine with other work becomes slower and
 * faster. No size exceeds the largest of the palette.
 */
export class SizeController {
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

  /** A stroke of the row, with its current size. */
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
