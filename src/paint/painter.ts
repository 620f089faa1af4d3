import { ColumnInk } from './column.ts';
import type { PaintedColumn } from './font.ts';
import { SizeController } from './size-controller.ts';
import type { LatencyBand, Palette, Stroke } from './plan.ts';

export interface PaintClock {
  /** Monotonic, in ns. */
  nowNs(): bigint;
  /** Resolves at `atNs`, or at once when that has passed; false when the painting is to end. */
  waitUntil(atNs: bigint): Promise<boolean>;
}

export interface Painting {
  readonly columns: readonly PaintedColumn[];
  readonly palette: Palette;
  /** Present when latencies are painted. */
  readonly latencies?: {
    /** The range of latencies of each row. */
    readonly bands: readonly LatencyBand[];
    /** Sizes are multiples of this. */
    readonly blockBytes: number;
  };
  /** Time between columns, in ns. */
  readonly intervalNs: number;
}

export interface PaintReport {
  /** Columns painted; fewer than requested when it was stopped. */
  readonly columns: number;
  readonly strokes: number;
  /** I/Os whose latency missed the range of their row. */
  readonly missed: number;
  /** I/Os for which a slow target left no time. */
  readonly skipped: number;
  /** Columns whose painted rows can hardly be distinguished. */
  readonly illegible: number;
}

/** Leaves time, so that the next column starts in time on a slow target. */
const SHARE_OF_INTERVAL = 0.8;
/** Repeated I/Os leave a gap before the next column. */
const SHARE_FOR_MORE = 0.6;

/**
 * Paints column after column, the first after one interval, which separates it from earlier I/O. The I/Os of a
 * column are done as close together as the target allows, so that they are in one column of a heat map with the same
 * interval. I/Os that miss their row are repeated, and if they hit a row that should stay empty, the painted rows
 * get more. `stroke` returns how long the I/O took, in ns, without the time of the system call itself.
 */
export async function paint(
  painting: Painting,
  stroke: (stroke: Stroke) => number,
  clock: PaintClock,
  onColumn: (column: number) => void,
): Promise<PaintReport> {
  const { columns, intervalNs } = painting;
  const startNs = clock.nowNs() + BigInt(Math.round(intervalNs));
  const report = { columns: 0, strokes: 0, missed: 0, skipped: 0, illegible: 0 };
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
    report.missed += done.missed;
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
  /** Deadline for repeated I/Os. */
  readonly moreEndNs: bigint;
}

/** Does the I/Os of a row. */
class Brush {
  private readonly steering: SizeController | undefined;

  constructor(
    private readonly painting: Painting,
    private readonly stroke: (stroke: Stroke) => number,
  ) {
    const { palette, latencies } = painting;
    this.steering = latencies && new SizeController(palette, latencies.bands, latencies.blockBytes);
  }

  /** Returns the latency of the I/O, in ns. */
  paint(row: number, tries: number): number {
    const strokes = this.painting.palette[row]!;
    const ns = this.stroke(this.steering?.stroke(row, tries) ?? strokes[tries % strokes.length]!);
    this.steering?.took(row, ns);
    return ns;
  }
}

/** Paints one column; undefined when the painting is to end. */
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
