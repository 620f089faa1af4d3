import type { PaintedColumn } from './font.ts';
import { STROKES_PER_PIXEL } from './plan.ts';
import type { LatencyBand } from './plan.ts';

/** A busy machine makes I/O late: so many are done at most, for each that was asked for. */
const MOST_TRIES = 40;

/** So many times the ink of the darkest row that shall stay empty is what a painted one needs. */
const NEEDED_CONTRAST = 4;
const LEGIBLE_CONTRAST = 2;

/**
 * A row rests when so many I/Os in a row landed elsewhere, as the next would. Not after one: the first
 * after a rest finds cold caches.
 */
const WRONG_IN_A_ROW = 3;
/** How long, doubled while it does not help. Who waits is also let in more quickly afterwards. */
const SHORTEST_REST_NS = 1_000_000n;
const LONGEST_REST_NS = 16_000_000n;

interface Row {
  readonly row: number;
  /** I/Os that were begun for it. */
  tries: number;
  /** Of these, how many landed in it. */
  right: number;
  wrongInARow: number;
  restNs: bigint;
  restsUntilNs: bigint;
}

/** The ink of one column while it is painted: what is still needed, as what came so far tells. */
export class ColumnInk {
  private readonly painted: readonly Row[];
  /** I/Os that landed in each row that shall stay empty. */
  private readonly blots: Map<number, number>;
  strokes = 0;
  beside = 0;

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

  /** I/Os that are asked for where none goes wrong. */
  get asked(): number {
    return this.painted.length * STROKES_PER_PIXEL;
  }

  /** What is still to be painted. */
  get missing(): number {
    const missing = this.painted.map(({ right }) => Math.max(0, STROKES_PER_PIXEL - right));
    return missing.reduce((sum, count) => sum + count, 0);
  }

  /** Whether a reader can tell which rows were painted. */
  get isLegible(): boolean {
    const faintest = Math.min(...this.painted.map(({ right }) => right));
    return faintest >= STROKES_PER_PIXEL / 2 && faintest >= LEGIBLE_CONTRAST * this.darkestBlot();
  }

  private darkestBlot(): number {
    return Math.max(0, ...this.blots.values());
  }

  /**
   * Of the rows that want ink the one with the least, and from when on it may have it; rows that rest
   * come last. Undefined when all is done.
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
    this.beside++;
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
