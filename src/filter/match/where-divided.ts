import { hasQueue, LAYERS } from '../../model/layer.ts';
import { quantityOf } from '../fields.ts';
import { group, term } from '../filter.ts';
import type { Condition, Term } from '../filter.ts';

/**
 * The same condition, in which queue and device latency are unknown in layers that know only the total: rows there have
 * that as device latency, and no queue latency.
 */
export function whereDivided(condition: Condition): Condition {
  if (condition.kind === 'term') return isOfPart(condition) ? known(condition) : condition;
  if (condition.kind === 'not')
    return { kind: 'not', condition: whereDivided(condition.condition) };
  const [first, ...rest] = condition.conditions.map(whereDivided);
  return group(condition.kind, [first!, ...rest]);
}

function isOfPart({ field }: Term): boolean {
  const quantity = quantityOf(field);
  return quantity === 'queue' || quantity === 'device';
}

/** What is unknown matches `!=` alone. */
function known(part: Term): Condition {
  const divided = LAYERS.filter(hasQueue);
  return part.operator === '!='
    ? group('or', [term('layer', '!=', ...divided), part])
    : group('and', [term('layer', '=', ...divided), part]);
}
