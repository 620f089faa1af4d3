import { formatCount, plural } from '../../base/format.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { DEFAULT_LAYER, layerOf, LAYERS, nounOf } from '../../model/layer.ts';

/** How many I/Os, waits and calls there were. */
export class LayerCounts {
  /** Counts by position in `LAYERS`. */
  private readonly counts = LAYERS.map(() => 0);
  /** The position in `LAYERS` of each identity. */
  private readonly layerAt: number[] = [];

  constructor(private readonly identities: Pick<IdentityTable, 'get'>) {}

  add({ identity, length }: CompletionColumns): void {
    for (let row = 0; row < length; row++) {
      const id = identity[row]!;
      this.counts[(this.layerAt[id] ??= this.layerOf(id))]! += 1;
    }
  }

  private layerOf(id: number): number {
    return LAYERS.indexOf(layerOf(this.identities.get(id)));
  }

  /** `812 I/Os, 5.3k waits, 19.5k calls`. `summarised` is the number of aggregated I/Os of disks. */
  text(summarised: number): string {
    const sums = new Map<string, number>([[nounOf(DEFAULT_LAYER), summarised]]);
    for (const [i, layer] of LAYERS.entries()) {
      const noun = nounOf(layer);
      sums.set(noun, (sums.get(noun) ?? 0) + this.counts[i]!);
    }
    const some = [...sums].filter(([, count]) => count > 0);
    const shown = some.length > 0 ? some : [...sums].slice(0, 1);
    return shown.map(([noun, count]) => `${formatCount(count)} ${plural(count, noun)}`).join(', ');
  }
}
