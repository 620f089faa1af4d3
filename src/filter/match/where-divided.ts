import { hasQueue, LAYERS } from '../../model/layer.ts';
import type { TraceLatency } from '../../model/layer.ts';
import { quantityOf } from '../fields.ts';
import { group, term } from '../filter.ts';
import type { Condition, Term } from '../filter.ts';

/** The same condition, in which queue and device latency are unknown where rows have only the total: see `hasQueue`. */
export function whereDivided(condition: Condition, latency: TraceLatency): Condition {
  if (condition.kind === 'term') return isOfPart(condition) ? known(condition, latency) : condition;
  if (condition.kind === 'not')
    return { kind: 'not', condition: whereDivided(condition.condition, latency) };
  const [first, ...rest] = condition.conditions.map((one) => whereDivided(one, latency));
  return group(condition.kind, [first!, ...rest]);
}

function isOfPart({ field }: Term): boolean {
  const quantity = quantityOf(field);
  return quantity === 'queue' || quantity === 'device';
}

/** What is unknown matches `!=` alone. */
function known(part: Term, latency: TraceLatency): Condition {
  const divided = LAYERS.filter((layer) => hasQueue(layer, latency));
  return part.operator === '!='
    ? group('or', [term('layer', '!=', ...divided), part])
    : group('and', [term('layer', '=', ...divided), part]);
}
