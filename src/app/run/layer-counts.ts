import { formatCount, plural } from '../../base/format.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { layerOf, LAYERS, nounFor, nounOf } from '../../model/layer.ts';

/** How many I/Os, waits and calls there were. */
export class LayerCounts {
  /** Counts by position in `LAYERS`. */
  private readonly counts = LAYERS.map(() => 0);
  /** The position in `LAYERS` of each identity. */
  private readonly layerAt: number[] = [];

  constructor(private readonly identities: Pick<IdentityTable, 'get'>) {}

  add({ identity, length }: CompletionColumns): void {
    for (let row = 0; row < length; row++) {
      this.count(identity[row]!, 1);
    }
  }

  addSummary({ identity, count }: Pick<CompletionSummary, 'identity' | 'count'>): void {
    this.count(identity, count);
  }

  private count(id: number, count: number): void {
    this.counts[(this.layerAt[id] ??= this.layerOf(id))]! += count;
  }

  private layerOf(id: number): number {
    return LAYERS.indexOf(layerOf(this.identities.get(id)));
  }

  /** `6.1k I/Os and calls`: where the count of each layer is not known, of those that there were. */
  together(count: number): string {
    const layers = LAYERS.filter((_, i) => this.counts[i]! > 0);
    return `${formatCount(count)} ${nounFor(count, layers)}`;
  }

  /** `812 I/Os, 5.3k waits, 19.5k calls`. */
  text(): string {
    const sums = new Map<string, number>();
    for (const [i, layer] of LAYERS.entries()) {
      const noun = nounOf(layer);
      sums.set(noun, (sums.get(noun) ?? 0) + this.counts[i]!);
    }
    const some = [...sums].filter(([, count]) => count > 0);
    const shown = some.length > 0 ? some : [...sums].slice(0, 1);
    return shown.map(([noun, count]) => `${formatCount(count)} ${plural(count, noun)}`).join(', ');
  }
}
