import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { layerOf } from '../../model/layer.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';

export type SummaryCount = Pick<CompletionSummary, 'identity' | 'count'>;

/** Counts the I/Os received of each disk, individually or aggregated. It skips the other layers. */
export class SeenByDisk {
  private readonly counts = new Map<number, number>();

  constructor(private readonly identities: IdentityTable) {}

  of(dev: number): number {
    return this.counts.get(dev) ?? 0;
  }

  /** The counts per disk minus those of `other`, which must be a part of this one. */
  without(other: SeenByDisk): ReadonlyMap<number, number> {
    return new Map([...this.counts].map(([dev, count]) => [dev, count - other.of(dev)]));
  }

  addRows({ identity: key, length }: CompletionColumns): void {
    let from = 0;
    for (let row = 1; row <= length; row++) {
      if (row < length && key[row] === key[from]) continue;
      this.add(key[from]!, row - from);
      from = row;
    }
  }

  addSummary({ identity: key, count }: SummaryCount): void {
    this.add(key, count);
  }

  private add(key: number, count: number): void {
    const identity = this.identities.get(key);
    if (layerOf(identity) !== 'disks') return;
    const { dev } = identity;
    this.counts.set(dev, this.of(dev) + count);
  }
}
