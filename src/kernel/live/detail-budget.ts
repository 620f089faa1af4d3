import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { DetailControl } from '../attach/detail-control.ts';
import { SlowLimit } from '../counts/slow-limit.ts';
import { DetailRate } from './detail-rate.ts';

/** A burst of slow I/O is delivered whole until the limit follows it. */
const FOLLOW_EVERY_MS = 250;
const CHOOSE_EVERY_MS = 1000;
/**
 * What the rest of the program takes is the mean of so many seconds without the greatest: an answer to a key takes
 * one or two, and frames become rarer first, which takes two.
 */
const REST_SECONDS = 6;
const WITHOUT_GREATEST = 2;

export interface DetailBudgetOptions {
  readonly control: DetailControl;
  readonly nowMs?: () => number;
  /** Processor time of this process, in µs. */
  readonly processorUs?: () => number;
}

/**
 * Keeps the program within a budget of processor time as far as single I/Os determine it: it measures what each pass
 * over the ring costs, from the first read to the question for summaries, and lets the kernel programs deliver fewer
 * when that and the rest of the program are too much.
 */
export class DetailBudget {
  private readonly control: DetailControl;
  private readonly nowMs: () => number;
  private readonly processorUs: () => number;
  private readonly rate: DetailRate;
  private readonly slow: SlowLimit;
  private passFromUs: number | undefined;
  private spentUs = 0;
  /** Of disks and volumes; waits and calls always come. */
  private ofDevices = 0;
  private all = 0;
  /** Rows that depend on the chance. */
  private byChance = 0;
  /** Processor time of the program at the last choice. */
  private usedUs: number;
  /** Shares of one core that the rest of the program took, the latest last. */
  private rests: readonly number[] = [];
  private chosenMs: number;
  private followedMs: number;

  /** `share`: of one core. */
  constructor(share: number, options: DetailBudgetOptions) {
    this.control = options.control;
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.processorUs = options.processorUs ?? processorUs;
    this.rate = new DetailRate(share, this.control.oneIn);
    this.slow = new SlowLimit(this.control.slowNs);
    this.chosenMs = this.followedMs = this.nowMs();
    this.usedUs = this.processorUs();
  }

  /** One in so many ordinary I/Os comes individually. */
  get oneIn(): number {
    return this.rate.oneIn;
  }

  beginPass(): void {
    this.passFromUs ??= this.processorUs();
  }

  /**
   * `ofDevices`: how many of them are of disks and volumes; `drawn`: how many were drawn at random. The others come
   * whatever the chance is.
   */
  tookRows(rows: CompletionColumns, ofDevices: number, drawn: number): void {
    this.all += rows.length;
    this.ofDevices += ofDevices;
    this.byChance += this.oneIn === 1 ? ofDevices : drawn;
    this.slow.addRows(rows, this.oneIn);
  }

  endPass(): void {
    if (this.passFromUs !== undefined) this.spentUs += this.processorUs() - this.passFromUs;
    this.passFromUs = undefined;
  }

  tookSummaries(summaries: readonly CompletionSummary[]): void {
    for (const { total } of summaries) this.slow.addCounts(total);
    const nowMs = this.nowMs();
    if (nowMs - this.followedMs >= FOLLOW_EVERY_MS) this.follow(nowMs);
    if (nowMs - this.chosenMs >= CHOOSE_EVERY_MS) this.choose(nowMs);
  }

  private follow(nowMs: number): void {
    this.followedMs = nowMs;
    this.control.slowFrom(this.slow.step());
  }

  private choose(nowMs: number): void {
    const elapsedMs = nowMs - this.chosenMs;
    const deviceUs = this.all === 0 ? this.spentUs : (this.spentUs * this.ofDevices) / this.all;
    const share = deviceUs / 1000 / elapsedMs;
    const rest = this.restOf(elapsedMs, deviceUs);
    this.control.sample(this.rate.next({ share, rows: (this.byChance * 1000) / elapsedMs, rest }));
    this.chosenMs = nowMs;
    this.spentUs = this.all = this.ofDevices = this.byChance = 0;
  }

  private restOf(elapsedMs: number, deviceUs: number): number {
    const usedUs = this.processorUs();
    const rest = (usedUs - this.usedUs - deviceUs) / 1000 / elapsedMs;
    this.usedUs = usedUs;
    this.rests = [...this.rests, rest].slice(-REST_SECONDS);
    return this.rests.length < REST_SECONDS ? 0 : usualOf(this.rests);
  }
}

function usualOf(shares: readonly number[]): number {
  const usual = shares.toSorted((a, b) => a - b).slice(0, -WITHOUT_GREATEST);
  return usual.reduce((sum, share) => sum + share, 0) / usual.length;
}

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
