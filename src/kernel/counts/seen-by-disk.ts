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

  addRows({ identity, length }: CompletionColumns): void {
    let from = 0;
    for (let row = 1; row <= length; row++) {
      if (row < length && identity[row] === identity[from]) continue;
      this.add(identity[from]!, row - from);
      from = row;
    }
  }

  addSummary({ identity, count }: SummaryCount): void {
    this.add(identity, count);
  }

  private add(identity: number, count: number): void {
    const known = this.identities.get(identity);
    if (layerOf(known) !== 'disks') return;
    const { dev } = known;
    this.counts.set(dev, this.of(dev) + count);
  }
}
