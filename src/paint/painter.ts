import type { PaintedColumn } from './font.ts';
import { columnStrokes } from './plan.ts';
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
  /** What the I/Os of each row are to take; absent where time does not matter. */
  readonly bands?: readonly LatencyBand[];
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
}

/** The next column starts in time, however slow the target is. */
const SHARE_OF_INTERVAL = 0.8;
/** What is done again leaves a gap before the next column. */
const SHARE_FOR_MORE = 0.6;

/** A busy machine makes I/O late: so often it is done again, at most, for each that was asked for. */
const MOST_TRIES = 10;

/**
 * After so many that went wrong in a row the machine is busy, and more would only smear the picture. Who
 * waits for a while is also let in more quickly afterwards.
 */
const WRONG_IN_A_ROW = 8;
const PAUSE_NS = 4_000_000n;

/**
 * Paints column after column, the first after one interval: what was done before stays apart. The I/Os of
 * a column are done in one go, as close together as the target allows, so that they fall into one column
 * of a heat map with the same interval; what lands beside its row is done again. `stroke` tells how long
 * the I/O took, in ns, without the way into the kernel and back.
 */
export async function paint(
  painting: Painting,
  stroke: (stroke: Stroke) => number,
  clock: PaintClock,
  onColumn: (column: number) => void,
): Promise<PaintReport> {
  const { columns, intervalNs } = painting;
  const startNs = clock.nowNs() + BigInt(Math.round(intervalNs));
  const report = { columns: 0, strokes: 0, beside: 0, skipped: 0 };
  for (const [index, column] of columns.entries()) {
    const atNs = startNs + BigInt(Math.round(index * intervalNs));
    if (!(await clock.waitUntil(atNs))) return report;
    const after = (share: number): bigint => atNs + BigInt(Math.round(intervalNs * share));
    const until = { endNs: after(SHARE_OF_INTERVAL), moreEndNs: after(SHARE_FOR_MORE) };
    const done = await paintColumn(column, painting, stroke, { clock, ...until });
    if (done === undefined) return report;
    report.strokes += done.strokes;
    report.beside += done.beside;
    report.skipped += done.skipped;
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

/** Undefined when the painting shall end. */
async function paintColumn(
  column: PaintedColumn,
  { palette, bands }: Painting,
  stroke: (stroke: Stroke) => number,
  { clock, endNs, moreEndNs }: ColumnTime,
): Promise<Omit<PaintReport, 'columns'> | undefined> {
  const planned = columnStrokes(column, palette);
  const once = planned.length;
  const most = once * MOST_TRIES;
  const done = { strokes: 0, beside: 0, skipped: 0 };
  let wrongInARow = 0;
  // Grows while it is walked.
  for (const each of planned) {
    const isOver = clock.nowNs() >= (done.strokes < once ? endNs : moreEndNs);
    if (done.strokes === most || isOver) {
      done.skipped = planned.length - done.strokes;
      break;
    }
    done.strokes++;
    const isRight = isWithin(bands?.[each.row], stroke(each.stroke));
    wrongInARow = isRight ? 0 : wrongInARow + 1;
    if (isRight) continue;
    done.beside++;
    planned.push(each);
    if (wrongInARow % WRONG_IN_A_ROW !== 0) continue;
    if (!(await clock.waitUntil(clock.nowNs() + PAUSE_NS))) return undefined;
  }
  return done;
}

function isWithin(band: LatencyBand | undefined, ns: number): boolean {
  return band === undefined || (ns >= band.lowNs && ns < band.highNs);
}
