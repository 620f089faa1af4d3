import type { PaintedColumn } from './font.ts';
import { STROKES_PER_PIXEL } from './plan.ts';
import type { LatencyBand } from './plan.ts';

/** A busy machine delays I/O: at most this many tries per requested I/O. */
const MOST_TRIES = 40;

/** Painted rows need this many times the count of the darkest row that must stay empty. */
const NEEDED_CONTRAST = 4;
const LEGIBLE_CONTRAST = 2;

/**
 * A row rests after this many consecutive misses, because the next I/O would probably miss too. Not after one: the
 * first after a rest always finds cold caches.
 */
const WRONG_IN_A_ROW = 3;
/** Doubled while it does not help. A process that has waited is also scheduled sooner afterwards. */
const SHORTEST_REST_NS = 1_000_000n;
const LONGEST_REST_NS = 16_000_000n;

interface Row {
  readonly row: number;
  /** I/Os tried for this row. */
  tries: number;
  /** How many of them hit the row. */
  right: number;
  wrongInARow: number;
  restNs: bigint;
  restsUntilNs: bigint;
}

/** State of one column while it is painted: the I/Os that are still needed, given the measured ones. */
export class ColumnInk {
  private readonly painted: readonly Row[];
  /** I/Os per row that should stay empty. */
  private readonly blots: Map<number, number>;
  strokes = 0;
  missed = 0;

  constructor(
    column: PaintedColumn,
    private readonly bands: readonly LatencyBand[] | undefined,
  ) {
    const rows = (isPainted: boolean): number[] =>
      column.flatMap((painted, row) => (painted === isPainted ? [row] : []));
    const fresh = {
      tries: 0,
      right: 0,
      wrongInARow: 0,
      restNs: SHORTEST_REST_NS,
      restsUntilNs: 0n,
    };
    this.painted = rows(true).map((row) => ({ row, ...fresh }));
    this.blots = new Map(rows(false).map((row) => [row, 0]));
  }

  /** The number of I/Os requested, if none misses. */
  get asked(): number {
    return this.painted.length * STROKES_PER_PIXEL;
  }

  /** I/Os still to be painted. */
  get missing(): number {
    const missing = this.painted.map(({ right }) => Math.max(0, STROKES_PER_PIXEL - right));
    return missing.reduce((sum, count) => sum + count, 0);
  }

  /** Whether a reader can distinguish the painted rows. */
  get isLegible(): boolean {
    const faintest = Math.min(...this.painted.map(({ right }) => right));
    return faintest >= STROKES_PER_PIXEL / 2 && faintest >= LEGIBLE_CONTRAST * this.darkestBlot();
  }

  private darkestBlot(): number {
    return Math.max(0, ...this.blots.values());
  }

  /**
   * The next row to paint: the one with the fewest I/Os, and the time until which it rests; resting rows come last.
   * Undefined when the column is complete.
   */
  next(nowNs: bigint): Pick<Row, 'row' | 'tries' | 'restsUntilNs'> | undefined {
    if (this.strokes >= this.asked * MOST_TRIES) return undefined;
    const wanted = Math.max(STROKES_PER_PIXEL, NEEDED_CONTRAST * this.darkestBlot());
    const wanting = this.painted.filter(({ right }) => right < wanted);
    const awake = wanting.filter(({ restsUntilNs }) => restsUntilNs <= nowNs);
    return awake.length > 0
      ? least(awake, (row) => row.right)
      : least(wanting, (row) => Number(row.restsUntilNs - nowNs));
  }

  took(row: number, ns: number, nowNs: bigint): void {
    const own = this.painted.find((each) => each.row === row)!;
    const landed = this.bands?.findIndex(({ lowNs, highNs }) => ns >= lowNs && ns < highNs) ?? row;
    this.strokes++;
    own.tries++;
    if (landed === row) {
      own.right++;
      own.wrongInARow = 0;
      own.restNs = SHORTEST_REST_NS;
      return;
    }
    this.missed++;
    if (this.blots.has(landed)) this.blots.set(landed, this.blots.get(landed)! + 1);
    if (++own.wrongInARow % WRONG_IN_A_ROW !== 0) return;
    own.restsUntilNs = nowNs + own.restNs;
    if (own.restNs < LONGEST_REST_NS) own.restNs *= 2n;
  }
}

function least<T>(all: readonly T[], of: (one: T) => number): T | undefined {
  return all.reduce<T | undefined>(
    (found, each) => (found === undefined || of(each) < of(found) ? each : found),
    undefined,
  );
}
