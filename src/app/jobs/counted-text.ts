import { formatCount } from '../../base/format.ts';
import { DEFAULT_LAYER, LAYERS, nounOf, nounsOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';

/** What a file has, by the layers of its trace: `5.3k I/Os`, `5.3k I/Os and calls`. */
export function countedText(count: number, layers: ReadonlySet<Layer>): string {
  const some = LAYERS.filter((layer) => layers.has(layer));
  const many = nounsOf(some.length > 0 ? some : [DEFAULT_LAYER]);
  return `${formatCount(count)} ${count === 1 && some.length < 2 ? nounOf(some[0]) : many}`;
}
