import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DetailControl } from '../attach/detail-control.ts';
import { SlowLimit } from '../counts/slow-limit.ts';
import { DetailRate } from './detail-rate.ts';

/** Rows as they come from the ring. */
export interface RingRows {
  readonly rows: CompletionColumns;
  /** By row, one of `Layer`. */
  readonly layers: Uint8Array;
  /** By layer, how many rows. */
  readonly counts: Uint32Array;
  /** The rows that were drawn at random; the others come whatever the chance is. */
  readonly drawn: readonly number[];
}

/** What one kind of rows cost, and what they may cost. */
export interface ShareCost {
  /** Processor time of this kind, as a share of one core, in `seconds`. */
  readonly share: number;
  readonly seconds: number;
  /** Processor time of everything that comes before this kind, as a share of one core. */
  readonly rest: number;
  /** See `DetailRate.next`. */
  readonly isUrgent: boolean;
}

/** Which rows of one kind, of devices or of calls, the kernel programs deliver individually. */
export class DetailShare {
  private readonly rate: DetailRate;
  private readonly slow: SlowLimit;
  /** Whether there has been any: calls are rarely traced. */
  private isUsed = false;
  /** Since the last choice. */
  private taken = 0;
  private byChance = 0;

  /** `budget`: share of one core; `kind`: values of `Layer`. */
  constructor(
    budget: number,
    private readonly control: DetailControl,
    private readonly kind: readonly number[],
  ) {
    this.rate = new DetailRate(budget, control.oneIn);
    this.slow = new SlowLimit(control.slowNs);
  }

  /** One in so many ordinary rows of this kind comes. */
  get oneIn(): number {
    return this.rate.oneIn;
  }

  /** How many rows of this kind came since the last choice. */
  get rows(): number {
    return this.taken;
  }

  tookRows({ rows, layers, counts, drawn }: RingRows): void {
    const { kind, oneIn } = this;
    const own = kind.reduce((sum, layer) => sum + counts[layer]!, 0);
    if (own === 0) return;
    this.isUsed = true;
    const isOwn = (row: number): boolean => kind.includes(layers[row]!);
    this.slow.addRows(rows, oneIn, own < rows.length ? isOwn : undefined);
    this.taken += own;
    this.byChance += oneIn === 1 ? own : drawn.filter(isOwn).length;
  }

  /** `total`: fine bins of what was only counted. */
  tookCounts(total: Uint32Array): void {
    this.isUsed = true;
    this.slow.addCounts(total);
  }

  follow(): void {
    if (this.isUsed) this.control.slowFrom(this.slow.step());
  }

  choose({ share, seconds, rest, isUrgent }: ShareCost): void {
    const rows = this.byChance / seconds;
    this.control.sample(this.rate.next({ share, rows, rest }, isUrgent));
    this.taken = this.byChance = 0;
  }
}
