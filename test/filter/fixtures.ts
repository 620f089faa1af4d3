import fc from 'fast-check';
import { group, negate, NO_FILTER, term } from '../../src/filter/filter.ts';
import type { Condition, Filter, Term, TermValue } from '../../src/filter/filter.ts';
import { FILTER_FIELDS, operatorsOf } from '../../src/filter/fields.ts';
import type { FilterField } from '../../src/filter/fields.ts';
import { parseFilter } from '../../src/filter/language/parse.ts';
import { must } from '../must.ts';

export function parsed(text: string): Filter {
  return must(parseFilter(text));
}

function valueOf(field: FilterField): fc.Arbitrary<TermValue> {
  switch (field.kind) {
    case 'name':
      return fc.oneof(
        fc.constantFrom(
          'sda',
          'sdb',
          '8:0',
          'web1',
          'mysqld',
          'kworker/u8:1',
          'MY*',
          'or',
          'k?',
          '',
        ),
        fc.string({ unit: 'binary' }).filter((name) => !name.startsWith('/dev/')),
      );
    case 'choice':
      return fc.constantFrom(...field.choices.map(({ text }) => text));
    case 'error':
      return fc.constantFrom<TermValue>('any', 'none', 5, 28);
    case 'result':
      return fc.integer({ min: -3, max: 3 });
    case 'id':
      return fc.oneof(
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 9 }).map((id) => `${id}@web1`),
      );
    case 'duration':
      return fc.oneof(fc.constantFrom(1e3, 1.5e6, 10e6, 1e9), fc.nat(20e6), fc.maxSafeNat());
    case 'bytes':
      return fc.oneof(fc.constantFrom(512, 4096, 65536, 2 ** 30), fc.nat(2 ** 20), fc.maxSafeNat());
    case 'sectors':
      return fc.oneof(fc.constantFrom(8, 2 ** 20), fc.nat(2 ** 12), fc.maxSafeNat());
  }
}

export const anyTerm: fc.Arbitrary<Term> = fc.constantFrom(...FILTER_FIELDS).chain((field) =>
  fc.constantFrom(...operatorsOf(field)).chain((operator) => {
    const maxLength = /[<>]/.test(operator) ? 1 : 3;
    return fc
      .array(valueOf(field), { minLength: 1, maxLength })
      .map((values) => term(field.name, operator, ...values));
  }),
);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyTerm,
    tie('condition').map(negate),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('condition'), { minLength: 1, maxLength: 4 }),
      )
      .map(([kind, [first, ...rest]]) => group(kind, [first!, ...rest])),
  ),
}));

export const anyCondition = condition;

export const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(NO_FILTER) },
  { weight: 20, arbitrary: anyCondition },
);
