import type { PaintedColumn } from './font.ts';
import { columnStrokes } from './plan.ts';
import type { Palette, Stroke } from './plan.ts';

export interface PaintClock {
  /** Monotonic, in ns. */
  nowNs(): bigint;
  /** Resolves at `atNs`, or at once when that has passed; false when the painting shall end. */
  waitUntil(atNs: bigint): Promise<boolean>;
}

export interface Painting {
  readonly columns: readonly PaintedColumn[];
  readonly palette: Palette;
  /** Time from column to column, in ns. */
  readonly intervalNs: number;
}

export interface PaintReport {
  /** Columns that were painted; fewer than asked for when it was stopped. */
  readonly columns: number;
  readonly strokes: number;
  /** What a slow target left no time for. */
  readonly skipped: number;
}

/** The next column starts in time, however slow the target is. */
const SHARE_OF_INTERVAL = 0.8;

/**
 * Paints column after column, the first after one interval: what was done before stays apart. The I/Os of a column are done in one go, as close together as the target
 * allows, so that they fall into one column of a heat map with the same interval.
 */
export async function paint(
  painting: Painting,
  stroke: (stroke: Stroke) => void,
  clock: PaintClock,
  onColumn: (column: number) => void,
): Promise<PaintReport> {
  const { columns, palette, intervalNs } = painting;
  const startNs = clock.nowNs() + BigInt(Math.round(intervalNs));
  const report = { columns: 0, strokes: 0, skipped: 0 };
  for (const [index, column] of columns.entries()) {
    const atNs = startNs + BigInt(Math.round(index * intervalNs));
    if (!(await clock.waitUntil(atNs))) return report;
    const endNs = atNs + BigInt(Math.round(intervalNs * SHARE_OF_INTERVAL));
    for (const each of columnStrokes(column, palette)) {
      if (clock.nowNs() >= endNs) {
        report.skipped++;
        continue;
      }
      stroke(each);
      report.strokes++;
    }
    report.columns++;
    onColumn(index);
  }
  return report;
}
