import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS, recognise } from '../../../src/trace/import/recognise.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

test('each log format has a fixture that the tool itself has written', () => {
  const recognised = readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => recognise(readFileSync(join(FIXTURES, name)), true)?.format.name);
  expect(recognised).not.toContain(undefined);
  const withoutFixture = FORMATS.map(({ name }) => name).filter(
    (name) => !recognised.includes(name),
  );
  expect(withoutFixture).toEqual([]);
});
