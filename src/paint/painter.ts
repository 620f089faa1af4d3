import { ColumnInk } from './column.ts';
import type { PaintedColumn } from './font.ts';
import { Steering } from './steer.ts';
import type { LatencyBand, Palette, Stroke } from './plan.ts';

export interface PaintClock {
  /** Monotonic, in ns. */
  nowNs(): bigint;
  /** Resolves at `atNs`, or at once when that has passed; false when the painting shall end. */
  waitUntil(atNs: bigint): Promise<boolean>;
}

export interface Painting {
  readonly columns: readonly PaintedColumn[];
  readonly palette: Palette;
  /** Where time matters. */
  readonly latencies?: {
    /** What the I/Os of each row are to take. */
    readonly bands: readonly LatencyBand[];
    /** Sizes are multiples of this. */
    readonly blockBytes: number;
  };
  /** Time from column to column, in ns. */
  readonly intervalNs: number;
}

export interface PaintReport {
  /** Columns that were painted; fewer than asked for when it was stopped. */
  readonly columns: number;
  readonly strokes: number;
  /** Of these, how many took another time than their row's. */
  readonly beside: number;
  /** What a slow target left no time for. */
  readonly skipped: number;
  /** Columns in which it can hardly be told which rows were painted. */
  readonly illegible: number;
}

/** The next column starts in time, however slow the target is. */
const SHARE_OF_INTERVAL = 0.8;
/** What is done again leaves a gap before the next column. */
const SHARE_FOR_MORE = 0.6;

/**
 * Paints column after column, the first after one interval: what was done before stays apart. The I/Os of
 * a column are done in one go, as close together as the target allows, so that they fall into one column
 * of a heat map with the same interval. What lands beside its row is done again, and where it blots a row
 * that shall stay empty, the painted ones get more. `stroke` tells how long the I/O took, in ns, without
 * the way into the kernel and back.
 */
export async function paint(
  painting: Painting,
  stroke: (stroke: Stroke) => number,
  clock: PaintClock,
  onColumn: (column: number) => void,
): Promise<PaintReport> {
  const { columns, intervalNs } = painting;
  const startNs = clock.nowNs() + BigInt(Math.round(intervalNs));
  const report = { columns: 0, strokes: 0, beside: 0, skipped: 0, illegible: 0 };
  const brush = new Brush(painting, stroke);
  for (const [index, column] of columns.entries()) {
    const atNs = startNs + BigInt(Math.round(index * intervalNs));
    if (!(await clock.waitUntil(atNs))) return report;
    const after = (share: number): bigint => atNs + BigInt(Math.round(intervalNs * share));
    const until = { endNs: after(SHARE_OF_INTERVAL), moreEndNs: after(SHARE_FOR_MORE) };
    const done = await paintColumn(new ColumnInk(column, painting.latencies?.bands), brush, {
      clock,
      ...until,
    });
    if (done === undefined) return report;
    report.strokes += done.strokes;
    report.beside += done.beside;
    report.skipped += done.missing;
    report.illegible += done.isLegible ? 0 : 1;
    report.columns++;
    onColumn(index);
  }
  return report;
}

interface ColumnTime {
  readonly clock: PaintClock;
  readonly endNs: bigint;
  /** For what is done again. */
  readonly moreEndNs: bigint;
}

/** Does the I/Os of a row. */
class Brush {
  private readonly steering: Steering | undefined;

  constructor(
    private readonly painting: Painting,
    private readonly stroke: (stroke: Stroke) => number,
  ) {
    const { palette, latencies } = painting;
    this.steering = latencies && new Steering(palette, latencies.bands, latencies.blockBytes);
  }

  /** Returns what the I/O took, in ns. */
  paint(row: number, tries: number): number {
    const strokes = this.painting.palette[row]!;
    const ns = this.stroke(this.steering?.stroke(row, tries) ?? strokes[tries % strokes.length]!);
    this.steering?.took(row, ns);
    return ns;
  }
}

/** Undefined when the painting shall end. */
async function paintColumn(
  ink: ColumnInk,
  brush: Brush,
  { clock, endNs, moreEndNs }: ColumnTime,
): Promise<ColumnInk | undefined> {
  let nowNs = clock.nowNs();
  for (let due = ink.next(nowNs); due !== undefined; due = ink.next(nowNs)) {
    if (nowNs >= (ink.strokes < ink.asked ? endNs : moreEndNs)) break;
    if (due.restsUntilNs > nowNs) {
      if (!(await clock.waitUntil(due.restsUntilNs))) return undefined;
    } else {
      const ns = brush.paint(due.row, due.tries);
      ink.took(due.row, ns, clock.nowNs());
    }
    nowNs = clock.nowNs();
  }
  return ink;
}
