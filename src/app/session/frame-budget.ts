import { processorUs } from '../../base/processor-time.ts';
import { NS_PER_SECOND } from '../../base/time.ts';
import { FRAMES_APART_NS, timesAsMany } from './frame-due.ts';

const LOOK_EVERY_MS = 1000;
/** V8 compiles in the background until then, which is no work that rarer frames would spare. */
const STARTS_MS = 20_000;
/**
 * Seconds over the budget, by step. One may be the answer to a key; a frame a second halts between its columns, for
 * which somebody who presses keys for a while is no reason.
 */
const TIGHTENS_AFTER = [2, 5];
const RELAXES_AFTER = 5;
/** Of the budget that more frames must leave, so that they do not come and go. */
const HEADROOM = 0.8;

export interface FrameBudgetOptions {
  readonly nowMs?: () => number;
  /** Processor time of this process, in µs. */
  readonly processorUs?: () => number;
}

/** Decides how rarely to draw, so that the whole program stays within its budget of processor time. */
export class FrameBudget {
  /** Of `FRAMES_APART_NS`. */
  private step = 0;
  private readonly nowMs: () => number;
  private readonly processorUs: () => number;
  private readonly startedMs: number;
  private lookedMs: number;
  private usedUs: number;
  private drawnUs = 0;
  /** Where to, in steps, the last seconds spoke for a change, and how many in a row. */
  private wanted: -1 | 0 | 1 = 0;
  private seconds = 0;

  /** `budget`: share of one core; infinite: frames are never rarer. */
  constructor(
    private readonly budget: number,
    options: FrameBudgetOptions = {},
  ) {
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.processorUs = options.processorUs ?? processorUs;
    this.startedMs = this.nowMs() + STARTS_MS;
    this.lookedMs = this.nowMs();
    this.usedUs = this.processorUs();
  }

  /** Least time between frames that nobody asked for. */
  get apartNs(): number {
    return this.step === 0 && this.budget === Infinity ? 0 : FRAMES_APART_NS[this.step]!;
  }

  /** At most, where the budget makes frames rarer. */
  get framesPerSecond(): number | undefined {
    return this.step === 0 ? undefined : NS_PER_SECOND / this.apartNs;
  }

  /** Measures what a frame takes. */
  draw(paint: () => void): void {
    const beforeUs = this.processorUs();
    paint();
    this.drawnUs += this.processorUs() - beforeUs;
  }

  /**
   * Call it a few times a second. `columnNs`: width of a column; `isSampled`: whether I/O is left out to stay within the
   * budget, which more frames must not add to.
   */
  look(columnNs: number, isSampled: boolean): void {
    const nowMs = this.nowMs();
    const elapsedMs = nowMs - this.lookedMs;
    if (elapsedMs < LOOK_EVERY_MS) return;
    const usedUs = this.processorUs();
    if (nowMs >= this.startedMs) {
      const share = (usedUs - this.usedUs) / 1000 / elapsedMs;
      const drawn = this.drawnUs / 1000 / elapsedMs;
      this.judge(this.wants(share, (timesAsMany(columnNs, this.step) - 1) * drawn, isSampled));
    }
    this.lookedMs = nowMs;
    this.usedUs = usedUs;
    this.drawnUs = 0;
  }

  /**
   * `share`: of one core that the program takes; `more`: with more frames, in addition. The last step is for I/O that is too
   * much even where it is only counted: keys that are answered for seconds do not lead there.
   */
  private wants(share: number, more: number, isSampled: boolean): -1 | 0 | 1 {
    if (share > this.budget && (this.step === 0 || isSampled)) return 1;
    return this.step > 0 && !isSampled && share + more <= HEADROOM * this.budget ? -1 : 0;
  }

  private judge(wanted: -1 | 0 | 1): void {
    const enough = wanted > 0 ? (TIGHTENS_AFTER[this.step] ?? Infinity) : RELAXES_AFTER;
    this.seconds = wanted === this.wanted ? this.seconds + 1 : 1;
    this.wanted = wanted;
    if (this.seconds < enough) return;
    this.step += wanted;
    this.seconds = 0;
  }
}
