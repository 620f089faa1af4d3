import type { CompletionColumns } from '../model/completion-columns.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import type { CompletionSummary } from '../source/completion-summary.ts';

export type SummaryCount = Pick<CompletionSummary, 'key' | 'count'>;

/** How many I/Os of each disk came, one by one or in sum. */
export class SeenByDisk {
  private readonly counts = new Map<number, number>();

  constructor(private readonly keys: IdentityTable) {}

  of(dev: number): number {
    return this.counts.get(dev) ?? 0;
  }

  /** By disk, what is counted here and not in `other`, which is part of it. */
  without(other: SeenByDisk): ReadonlyMap<number, number> {
    return new Map([...this.counts].map(([dev, count]) => [dev, count - other.of(dev)]));
  }

  addRows({ key, length }: CompletionColumns): void {
    let from = 0;
    for (let row = 1; row <= length; row++) {
      if (row < length && key[row] === key[from]) continue;
      this.add(key[from]!, row - from);
      from = row;
    }
  }

  addSummary({ key, count }: SummaryCount): void {
    this.add(key, count);
  }

  private add(key: number, count: number): void {
    const { dev } = this.keys.get(key);
    this.counts.set(dev, this.of(dev) + count);
  }
}
