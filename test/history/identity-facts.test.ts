import { expect, test } from 'vitest';
import { IdentityFacts } from '../../src/history/slices/identity-facts.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { createInfo, keyOf } from './fixtures.ts';

test('facts of identities have every mark', () => {
  const every = Object.values(IdentityMark);
  const facts = new IdentityFacts(createInfo(every.map((marks) => keyOf({ marks }))));
  facts.refresh();
  expect([...facts.marks.subarray(0, every.length)]).toEqual(every);
});
