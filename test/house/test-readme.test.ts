import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const README = readFileSync('test/README.md', 'utf8');

/** Rows of the table under a heading, without its head. */
function rows(heading: string): string[][] {
  const section = README.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const table = section.split('\n').filter((line) => line.startsWith('|'));
  return table.slice(2).map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
}

test('every test that the README of the tests names exists', () => {
  const named = ['Ground truth', 'Losses', 'Faults'].flatMap((name) =>
    rows(name).flatMap((row) => [...row.at(-1)!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)),
  );
  expect(named).not.toEqual([]);
  for (const file of named)
    expect([file, existsSync(`test/${file}.test.ts`)]).toEqual([file, true]);
});
