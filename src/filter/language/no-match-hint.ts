import { hasQueue } from '../../model/layer.ts';
import type { Layer, TraceLatency } from '../../model/layer.ts';
import { term } from '../filter.ts';
import type { Filter, Term } from '../filter.ts';
import { fieldOf, quantityOf } from '../fields.ts';
import type { FieldName } from '../fields.ts';
import { conjuncts } from './edit.ts';
import { formatFilter } from './format.ts';

/** Fields of which an I/O may have several values. */
const SEVERAL: readonly FieldName[] = ['flag', 'mount', 'volume'];

/** Why a filter cannot match anything, or what does instead; undefined if it can. `layer`: the only one counted. */
export function noMatchHint(
  filter: Filter,
  layer?: Layer,
  latency?: TraceLatency,
): string | undefined {
  return eitherHint(filter) ?? (layer && partHint(filter, layer, latency));
}

/** Where a part of the total latency is asked for, and only the total is known. */
function partHint(filter: Filter, layer: Layer, latency: TraceLatency): string | undefined {
  if (hasQueue(layer, latency)) return undefined;
  for (const one of conjuncts(filter)) {
    if (one.kind !== 'term' || one.operator === '!=') continue;
    const quantity = quantityOf(one.field);
    if (quantity === 'queue' || quantity === 'device')
      return latency === 'total'
        ? 'this log has total latencies alone'
        : `only I/O of disks has a known ${quantity} latency`;
  }
  return undefined;
}

/**
 * The words that match either of two values, if a filter requires both of a field that has only one, as
 * `disk=sda disk=sdb` does: a space means "and", as between all conditions.
 */
function eitherHint(filter: Filter): string | undefined {
  const terms = conjuncts(filter).filter(
    (one): one is Term => one.kind === 'term' && one.operator === '=',
  );
  for (const [i, { field, values }] of terms.entries()) {
    const other = terms.slice(i + 1).find((one) => one.field === field);
    if (other === undefined || !hasOne(field)) continue;
    if (values.some((value) => other.values.includes(value))) continue;
    return `for either: ${formatFilter(term(field, '=', ...values, ...other.values))}`;
  }
  return undefined;
}

/** Quantities have no lists: of these, two equal values are no slip of the keyboard. */
function hasOne(field: FieldName): boolean {
  const { kind } = fieldOf(field);
  return !SEVERAL.includes(field) && (kind === 'name' || kind === 'choice' || kind === 'id');
}
