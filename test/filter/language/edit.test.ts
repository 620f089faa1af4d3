import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { negate, NO_FILTER, term } from '../../../src/filter/filter.ts';
import type { Condition, Filter, Term } from '../../../src/filter/filter.ts';
import {
  addCondition,
  hasTerm,
  isSameFilter,
  toggleTerm,
} from '../../../src/filter/language/edit.ts';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { anyFilter, anyTerm, parsed } from '../fixtures.ts';

/** Applies a change to a filter in words. */
function changed(change: (filter: Filter, term: Term) => Filter, before: string, by: string) {
  const changing = parsed(by);
  if (changing.kind !== 'term') throw new Error(`"${by}" is no term`);
  return formatFilter(change(parsed(before), changing));
}

describe('toggling a term', () => {
  it.each([
    ['', 'op=read', 'op=read'],
    ['op=read', 'op=read', ''],
    ['op=read', 'op=write', 'op=read,write'],
    ['op=read,write', 'op=read', 'op=write'],
    ['disk=sda op=read', 'op=read', 'disk=sda'],
    ['disk=sda op=read lat>1ms', 'op=write', 'disk=sda op=read,write lat>1ms'],
    ['flag=sync', 'flag=meta', 'flag=sync,meta'],
    ['error=none', 'error=any', 'error=any'],
    ['error=any', 'error=any', ''],
    ['lat>1ms', 'lat>1ms', ''],
    ['lat>1ms', 'lat>2ms', 'lat>1ms lat>2ms'],
    ['op=read or op=write', 'op=read', '(op=read or op=write) op=read'],
    ['op!=read', 'op=read', 'op!=read op=read'],
  ])('toggling a term: %s, by %s, is %s', (before, by, wanted) => {
    expect(changed(toggleTerm, before, by)).toBe(wanted);
  });

  it('toggling a term adds it when absent and removes it when present', () => {
    fc.assert(
      fc.property(anyFilter, anyTerm, (filter, one) => {
        const before = hasTerm(filter, one);
        const toggled = toggleTerm(filter, one);
        expect(hasTerm(toggled, one)).toBe(!before);
      }),
    );
  });

  it('toggling a value never leaves a list without values', () => {
    fc.assert(
      fc.property(fc.array(anyTerm, { maxLength: 12 }), (terms) => {
        const filter = terms.reduce(toggleTerm, NO_FILTER);
        expect(parsed(formatFilter(filter))).toEqual(filter);
      }),
    );
  });
});

describe('adding and inverting a term', () => {
  it('adding a term twice has it once', () => {
    expect(changed(addCondition, 'disk=sda', 'pid=812')).toBe('disk=sda pid=812');
    expect(changed(addCondition, 'disk=sda pid=812', 'pid=812')).toBe('disk=sda pid=812');
    expect(changed(addCondition, 'op=read or pid=1', 'disk=sda')).toBe(
      '(op=read or pid=1) disk=sda',
    );
    const filter = parsed('disk=sda');
    expect(addCondition(filter, term('disk', '=', 'sda'))).toBe(filter);
  });

  it('a negated condition has the inverse operator, or not where there is none', () => {
    const negated = (text: string): string => formatFilter(negate(parsed(text) as Condition));
    expect(negated('pid=812')).toBe('pid!=812');
    expect(negated('pid!=812')).toBe('pid=812');
    expect(negated('lat>1ms')).toBe('not lat>1ms');
    expect(negated('comm~mysql')).toBe('comm!~mysql');
  });
});

describe('sameness of filters', () => {
  it('two filters are the same when their text is', () => {
    fc.assert(
      fc.property(anyFilter, anyFilter, (a, b) => {
        expect(isSameFilter(a, parsed(formatFilter(a)))).toBe(true);
        expect(isSameFilter(a, b)).toBe(formatFilter(a) === formatFilter(b));
      }),
    );
  });
});
