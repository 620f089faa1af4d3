import type { Operator } from './operators.ts';
import type { FieldName } from './fields.ts';

/**
 * Selects I/O. A filter is plain data that survives JSON: `parseFilter` reads it, `formatFilter` prints it,
 * `language/edit.ts` changes it, and `compileFilter` binds it to a session.
 */
export type Filter = Everything | Condition;

/** Matches all I/O. */
export interface Everything {
  readonly kind: 'everything';
}

export type Condition = Term | Group | Not;

/** One comparison, such as `disk=sda,sdb`. */
export interface Term {
  readonly kind: 'term';
  readonly field: FieldName;
  readonly operator: Operator;
  /** One of these values must match; in ns, bytes, or plain numbers. Only `=`, `~` and their inverses take several. */
  readonly values: readonly TermValue[];
}

export type TermValue = string | number;

/** Two or more conditions, none of them a group of the same kind. */
export interface Group {
  readonly kind: 'and' | 'or';
  readonly conditions: readonly Condition[];
}

/** Never contains a `Not`, nor a term whose operator has an inverse. */
export interface Not {
  readonly kind: 'not';
  readonly condition: Condition;
}

export const NO_FILTER: Filter = { kind: 'everything' };

export function term(field: FieldName, operator: Operator, ...values: TermValue[]): Term {
  return { kind: 'term', field, operator, values };
}

/** A filter that matches what all of the filters match. */
export function allOf(filters: readonly Filter[]): Filter {
  const [first, ...rest] = filters.filter((filter) => filter.kind !== 'everything');
  return first === undefined ? NO_FILTER : group('and', [first, ...rest]);
}

/** Joins conditions; groups of the same kind among them are flattened. */
export function group(
  kind: Group['kind'],
  conditions: readonly [Condition, ...Condition[]],
): Condition {
  const flat = conditions.flatMap((one) => (one.kind === kind ? one.conditions : [one]));
  return flat.length === 1 ? flat[0]! : { kind, conditions: flat };
}

/**
 * Operators that have an inverse. `<` and `>=` are not inverse to each other: an unknown latency is neither below 10
 * ms nor above.
 */
const INVERSES: Partial<Record<Operator, Operator>> = {
  '=': '!=',
  '!=': '=',
  '~': '!~',
  '!~': '~',
};

/** A condition that matches what `condition` does not match. */
export function negate(condition: Condition): Condition {
  if (condition.kind === 'not') return condition.condition;
  const operator = condition.kind === 'term' ? INVERSES[condition.operator] : undefined;
  if (condition.kind === 'term' && operator !== undefined) return { ...condition, operator };
  return { kind: 'not', condition };
}

/** All comparisons of a condition, in the order in which they are written. */
export function termsOf(condition: Condition): readonly Term[] {
  if (condition.kind === 'term') return [condition];
  if (condition.kind === 'not') return termsOf(condition.condition);
  return condition.conditions.flatMap(termsOf);
}
