const LOOK_EVERY_MS = 1000;
/** V8 compiles in the background until then, which is no work that rarer frames would spare. */
const STARTS_MS = 20_000;
/** One second over the budget may be the answer to a key. */
const TIGHTENS_AFTER = 2;
const RELAXES_AFTER = 5;
/** Of the budget that more frames must leave, so that they do not come and go. */
const HEADROOM = 0.8;

export interface FrameBudgetOptions {
  readonly nowMs?: () => number;
  /** Processor time of this process, in µs. */
  readonly processorUs?: () => number;
}

/** Decides whether to draw rarely, so that the whole program stays within its budget of processor time. */
export class FrameBudget {
  isTight = false;
  private readonly nowMs: () => number;
  private readonly processorUs: () => number;
  private readonly startedMs: number;
  private lookedMs: number;
  private usedUs: number;
  private drawnUs = 0;
  /** Seconds in a row that spoke for a change. */
  private against = 0;

  /** `budget`: share of one core. */
  constructor(
    private readonly budget: number,
    { nowMs, processorUs }: FrameBudgetOptions = {},
  ) {
    this.nowMs = nowMs ?? (() => performance.now());
    this.processorUs = processorUs ?? processTimeUs;
    this.startedMs = this.nowMs() + STARTS_MS;
    this.lookedMs = this.nowMs();
    this.usedUs = this.processorUs();
  }

  /** Measures what a frame takes. */
  draw(paint: () => void): void {
    const beforeUs = this.processorUs();
    paint();
    this.drawnUs += this.processorUs() - beforeUs;
  }

  /**
   * Call it a few times a second. `timesAsMany`: how many times as many frames there would be if they were not rare;
   * `isSampled`: whether I/O is left out to stay within the budget, which more frames must not add to.
   */
  look(timesAsMany: number, isSampled: boolean): void {
    const nowMs = this.nowMs();
    const elapsedMs = nowMs - this.lookedMs;
    if (elapsedMs < LOOK_EVERY_MS) return;
    const usedUs = this.processorUs();
    if (nowMs >= this.startedMs) this.compare(elapsedMs, usedUs, timesAsMany, isSampled);
    this.lookedMs = nowMs;
    this.usedUs = usedUs;
    this.drawnUs = 0;
  }

  private compare(
    elapsedMs: number,
    usedUs: number,
    timesAsMany: number,
    isSampled: boolean,
  ): void {
    const share = (usedUs - this.usedUs) / 1000 / elapsedMs;
    const more = ((timesAsMany - 1) * this.drawnUs) / 1000 / elapsedMs;
    const isTooMuch = this.isTight
      ? isSampled || share + more > HEADROOM * this.budget
      : share > this.budget;
    this.judge(isTooMuch);
  }

  private judge(isTooMuch: boolean): void {
    this.against = isTooMuch === this.isTight ? 0 : this.against + 1;
    if (this.against < (this.isTight ? RELAXES_AFTER : TIGHTENS_AFTER)) return;
    this.isTight = isTooMuch;
    this.against = 0;
  }
}

function processTimeUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
