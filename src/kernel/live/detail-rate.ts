/** What single I/Os cost in a second. */
export interface DetailLoad {
  /** Processor time, as a share of one core. */
  readonly share: number;
  /** How many came by chance. */
  readonly rows: number;
  /** Processor time of the rest of the program. */
  readonly rest?: number;
}

/**
 * So many I/Os a second are taken whatever they cost. Side by side with a limit of 1,000, the program takes 0.1 % of a core
 * more at 3,000 I/Os a second, and shows all of them.
 */
export const LEAST_ROWS = 5000;
/** Of 40 million I/Os a second, one in so many would be fewer than `LEAST_ROWS`: more is never wanted. */
const MOST_ONE_IN = 2 ** 16;
/** Of the budget, where the rest of the program takes most of it, or all. */
const LEAST_PART = 0.2;
/** One second somewhat over the budget may be a pause of the machine, or code that is not compiled yet. */
const RAISES_AFTER = 2;
const LOWERS_AFTER = 3;
/** Doubling what comes must still leave this much of the budget, or the next second would halve it again. */
const HEADROOM = 0.8;

/**
 * One in how many ordinary I/Os to take, so that their cost stays within a budget: a power of two, chosen once a second.
 * It rises when two seconds in a row cost more than the budget, or a quarter of one several times as much. It falls when
 * three in a row would not with twice as many, with some headroom. A steady load that varies by less than a fifth ends at
 * one value.
 */
export class DetailRate {
  /** At the present rate, the latest last. */
  private loads: DetailLoad[] = [];

  /** `budget`: share of one core, for the whole program. */
  constructor(
    private readonly budget: number,
    public oneIn = 1,
  ) {}

  /** After each second, with what it cost; `isUrgent`: after a part of one that cost several times the budget. */
  next(load: DetailLoad, isUrgent = false): number {
    this.loads = [...this.loads, load].slice(-LOWERS_AFTER);
    const higher = Math.min(...this.needed(isUrgent ? 1 : RAISES_AFTER, 1));
    const lower = Math.max(...this.needed(LOWERS_AFTER, HEADROOM));
    if (higher > this.oneIn) this.change(higher);
    else if (lower < this.oneIn) this.change(lower);
    return this.oneIn;
  }

  private change(oneIn: number): void {
    this.oneIn = oneIn;
    this.loads = [];
  }

  /** By load, which rate would keep it within a part of the budget; the present one until there are enough loads. */
  private needed(seconds: number, part: number): number[] {
    const loads = this.loads.slice(-seconds);
    return loads.length < seconds ? [this.oneIn] : loads.map((load) => this.rateFor(load, part));
  }

  private rateFor({ share, rows, rest = 0 }: DetailLoad, part: number): number {
    const room = Math.max(this.budget - rest, LEAST_PART * this.budget);
    const excess = Math.min(share / room, rows / LEAST_ROWS) / part;
    const oneIn = excess > 0 ? 2 ** Math.ceil(Math.log2(this.oneIn * excess)) : 1;
    return Math.min(MOST_ONE_IN, Math.max(1, oneIn));
  }
}
