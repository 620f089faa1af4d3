import { processorUs } from '../../base/processor-time.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { Layer } from '../abi/layout.ts';
import type { DetailControl } from '../attach/detail-control.ts';
import { DetailShare, type RingRows } from './detail-share.ts';

/** A burst of slow I/O is delivered whole until the limit follows it. */
const FOLLOW_EVERY_MS = 250;
const CHOOSE_EVERY_MS = 1000;
/** Of the budget. What takes as much for `FOLLOW_EVERY_MS` does not come whole until the second is over. */
const OVERRUN = 3;
/**
 * What the rest of the program takes is the mean of so many seconds without the greatest: an answer to a key takes
 * one or two, and frames become rarer first, which takes two.
 */
const REST_SECONDS = 6;
const WITHOUT_GREATEST = 2;

export interface DetailBudgetOptions {
  readonly devices: DetailControl;
  readonly calls: DetailControl;
  readonly nowMs?: () => number;
  /** Processor time of this process, in µs. */
  readonly processorUs?: () => number;
}

/**
 * Keeps the program within a budget of processor time as far as single I/Os determine it: it measures what each pass
 * over the ring costs, from the first read to the question for summaries, and lets the kernel programs deliver fewer
 * when that and the rest of the program are too much. Calls get what I/O of devices leaves, which does not become less for
 * them; waits always come.
 */
export class DetailBudget {
  private readonly devices: DetailShare;
  private readonly calls: DetailShare;
  private readonly nowMs: () => number;
  private readonly processorUs: () => number;
  private passFromUs: number | undefined;
  private spentUs = 0;
  /** Rows since the last choice, of all layers. */
  private rows = 0;
  /** Processor time of the program at the last choice. */
  private usedUs: number;
  /** Shares of one core that the rest of the program took, the latest last. */
  private rests: readonly number[] = [];
  private chosenMs: number;
  /** What was in the ring by then came after the last choice, so that two in a row would be for the same rows. */
  private wasUrgent = false;
  private followedMs: number;

  /** `share`: of one core. */
  constructor(
    private readonly share: number,
    options: DetailBudgetOptions,
  ) {
    this.devices = new DetailShare(share, options.devices, [Layer.disks, Layer.volumes]);
    this.calls = new DetailShare(share, options.calls, [Layer.calls]);
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.processorUs = options.processorUs ?? processorUs;
    this.chosenMs = this.followedMs = this.nowMs();
    this.usedUs = this.processorUs();
  }

  /** One in so many ordinary I/Os of disks and volumes comes individually. */
  get oneIn(): number {
    return this.devices.oneIn;
  }

  get callsOneIn(): number {
    return this.calls.oneIn;
  }

  beginPass(): void {
    this.passFromUs ??= this.processorUs();
  }

  tookRows(taken: RingRows): void {
    this.rows += taken.rows.length;
    this.devices.tookRows(taken);
    this.calls.tookRows(taken);
  }

  endPass(): void {
    if (this.passFromUs !== undefined) this.spentUs += this.processorUs() - this.passFromUs;
    this.passFromUs = undefined;
  }

  tookSummaries(
    summaries: readonly CompletionSummary[],
    isOfCalls: (summary: CompletionSummary) => boolean,
  ): void {
    for (const summary of summaries)
      (isOfCalls(summary) ? this.calls : this.devices).tookCounts(summary.total);
    const nowMs = this.nowMs();
    const elapsedMs = nowMs - this.chosenMs;
    if (nowMs - this.followedMs >= FOLLOW_EVERY_MS) {
      this.followedMs = nowMs;
      this.devices.follow();
      this.calls.follow();
    }
    if (elapsedMs >= CHOOSE_EVERY_MS) this.choose(nowMs, false);
    else if (this.isOverrun(elapsedMs)) this.choose(nowMs, true);
  }

  private isOverrun(elapsedMs: number): boolean {
    if (this.wasUrgent || elapsedMs < FOLLOW_EVERY_MS) return false;
    return this.spentUs / 1000 / elapsedMs >= OVERRUN * this.share;
  }

  private choose(nowMs: number, isUrgent: boolean): void {
    const elapsedMs = nowMs - this.chosenMs;
    const shareOf = ({ rows }: DetailShare): number =>
      this.rows === 0 ? 0 : (this.spentUs * rows) / this.rows / 1000 / elapsedMs;
    const [ofDevices, ofCalls] = [shareOf(this.devices), shareOf(this.calls)];
    const seconds = elapsedMs / 1000;
    const rest = this.restOf(elapsedMs, ofDevices + ofCalls);
    this.devices.choose({ share: ofDevices, seconds, rest, isUrgent });
    this.calls.choose({ share: ofCalls, seconds, rest: rest + ofDevices, isUrgent });
    this.chosenMs = nowMs;
    this.wasUrgent = isUrgent;
    this.spentUs = this.rows = 0;
  }

  /** `detail`: what single I/Os took, as a share of one core. */
  private restOf(elapsedMs: number, detail: number): number {
    const usedUs = this.processorUs();
    const rest = (usedUs - this.usedUs) / 1000 / elapsedMs - detail;
    this.usedUs = usedUs;
    this.rests = [...this.rests, rest].slice(-REST_SECONDS);
    return this.rests.length < REST_SECONDS ? 0 : usualOf(this.rests);
  }
}

function usualOf(shares: readonly number[]): number {
  const usual = shares.toSorted((a, b) => a - b).slice(0, -WITHOUT_GREATEST);
  return usual.reduce((sum, share) => sum + share, 0) / usual.length;
}
