import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { claimedCases, filesOf, SUITE_PARTS } from '../suite-table.ts';

const claimed = claimedCases(readFileSync('README.md', 'utf8'));

test('the README has a row for each part of the suite, and their sum', () => {
  expect([...claimed.keys()]).toEqual([...SUITE_PARTS.map(({ name }) => name), 'together']);
  const sum = SUITE_PARTS.reduce((cases, { name }) => cases + claimed.get(name)!, 0);
  expect(claimed.get('together')).toBe(sum);
});

test('each part of the suite has test files, and none is in two', () => {
  const files = SUITE_PARTS.flatMap(filesOf);
  expect(SUITE_PARTS.filter((part) => filesOf(part).length === 0)).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});
