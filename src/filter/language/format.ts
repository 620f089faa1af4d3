import type { Condition, Filter, Term } from '../filter.ts';
import { fieldOf } from '../fields.ts';
import { formatValue } from './values.ts';

/**
 * The filter as a person would type it: `disk=sda op=write pid!=1`; empty if it matches all I/O. `parseFilter` reads
 * the same filter from it.
 */
export function formatFilter(filter: Filter): string {
  return filter.kind === 'everything' ? '' : formatCondition(filter);
}

function formatCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'term':
      return formatTerm(condition);
    case 'not':
      return `not ${inParentheses(condition.condition)}`;
    case 'and':
      return condition.conditions.map(inAnd).join(' ');
    case 'or':
      return condition.conditions.map(formatCondition).join(' or ');
  }
}

function inAnd(condition: Condition): string {
  return condition.kind === 'or' ? inParentheses(condition) : formatCondition(condition);
}

function inParentheses(condition: Condition): string {
  const text = formatCondition(condition);
  return condition.kind === 'term' ? text : `(${text})`;
}

function formatTerm({ field, operator, values }: Term): string {
  const texts = values.map((value) => formatValue(fieldOf(field), value));
  return `${field}${operator}${texts.join(',')}`;
}
