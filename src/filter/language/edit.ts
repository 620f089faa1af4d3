import { allOf } from '../filter.ts';
import type { Condition, Filter, Term } from '../filter.ts';

/** The conditions of which a filter requires all. */
export function conjuncts(filter: Filter): readonly Condition[] {
  if (filter.kind === 'everything') return [];
  return filter.kind === 'and' ? filter.conditions : [filter];
}

/** Adds `condition`; returns the same filter if it already has it. */
export function addCondition(filter: Filter, condition: Condition): Filter {
  return has(filter, condition) ? filter : allOf([filter, condition]);
}

/** Whether `toggleTerm` would remove the term, or all of its values. */
export function hasTerm(filter: Filter, term: Term): boolean {
  const same = sameKind(filter, term);
  return same === undefined
    ? has(filter, term)
    : term.values.every((value) => same.values.includes(value));
}

/**
 * Adds `term`, or removes it. Values of an `=` term are added to a list and removed from it: `op=read` and then
 * `op=write` make `op=read,write`. Errors exclude each other: the new one replaces the old one.
 */
export function toggleTerm(filter: Filter, term: Term): Filter {
  const same = sameKind(filter, term);
  if (same === undefined)
    return has(filter, term) ? without(filter, term) : addCondition(filter, term);
  const rest = same.values.filter((value) => !term.values.includes(value));
  const isOn = hasTerm(filter, term);
  if (isOn && rest.length === 0) return without(filter, same);
  if (!isOn && term.field === 'error') return replaced(filter, same, term);
  const values = isOn ? rest : [...rest, ...term.values];
  return replaced(filter, same, { ...same, values });
}

/** The `=` term on the same field, to whose list values are added. */
function sameKind(filter: Filter, term: Term): Term | undefined {
  if (term.operator !== '=') return undefined;
  return conjuncts(filter).find(
    (one): one is Term => one.kind === 'term' && one.field === term.field && one.operator === '=',
  );
}

function has(filter: Filter, condition: Condition): boolean {
  return conjuncts(filter).some((one) => isSame(one, condition));
}

function without(filter: Filter, condition: Condition): Filter {
  return allOf(conjuncts(filter).filter((one) => !isSame(one, condition)));
}

function replaced(filter: Filter, before: Condition, after: Condition): Filter {
  return allOf(conjuncts(filter).map((one) => (isSame(one, before) ? after : one)));
}

/** Whether two conditions are written in the same words. */
function isSame(a: Condition, b: Condition): boolean {
  if (a.kind === 'term') {
    const isAlike = b.kind === 'term' && a.field === b.field && a.operator === b.operator;
    return isAlike && a.values.join('\0') === b.values.join('\0');
  }
  if (a.kind === 'not') return b.kind === 'not' && isSame(a.condition, b.condition);
  if (b.kind !== a.kind || a.conditions.length !== b.conditions.length) return false;
  return a.conditions.every((one, i) => isSame(one, b.conditions[i]!));
}

/** Whether two filters are written in the same words. */
export function isSameFilter(a: Filter, b: Filter): boolean {
  if (a.kind === 'everything' || b.kind === 'everything') return a.kind === b.kind;
  return isSame(a, b);
}
