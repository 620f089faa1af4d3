import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOptions } from '../../src/cli/check-options.ts';
import { checkPaintOptions } from '../../src/cli/check-paint-options.ts';
import { checkTraceCommand } from '../../src/cli/check-trace-command.ts';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import type { RawOptions } from '../../src/cli/raw-options.ts';

/** Options that remember which of them were read. */
function watched(words: RawOptions, read: Set<string>): RawOptions {
  return new Proxy(words, {
    get: (target, name) => {
      read.add(String(name));
      return target[String(name)];
    },
  });
}

test('each option of the command line is read by the check of its command', () => {
  const read = new Set<string>();
  checkOptions('live', watched({}, read));
  checkOptions('record', watched({ write: 'x' }, read));
  checkTraceCommand('export', watched({ format: 'csv' }, read));
  checkPaintOptions(watched({ text: 'x', target: 'x' }, read));
  const unread = OPTION_TABLE.map(({ name }) => name).filter((name) => !read.has(name));
  expect(unread).toEqual([]);
});

/**
 * Text of the files that import the types of options, without the checks of the command line. Other files may have
 * members of the same names, which are not options.
 */
function textOfReaders(): string {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => /\.tsx?$/.test(path) && !/^(cli\/(?!main)|app\/options\/)/.test(path))
    .map((path) => readFileSync(join('src', path), 'utf8'))
    .filter((text) => /from '.*\/options\/[\w-]*(options|command)\.ts'/.test(text))
    .join('\n');
}

test('the program uses each option that the command line passes on', () => {
  const checked = [
    checkOptions('live', {}),
    checkTraceCommand('export', { format: 'csv' }),
    checkPaintOptions({ text: 'x', target: 'x' }),
  ];
  expect(checked.map(({ ok }) => ok)).toEqual([true, true, true]);
  const values = checked.flatMap((result) => (result.ok ? [result.value as object] : []));
  const text = textOfReaders();
  const unused = values
    .flatMap(fieldsOf)
    .filter((name) => !new RegExp(`[.{,(]\\s*${name}\\b`).test(text));
  expect(unused).toEqual([]);
});

/** Names of the fields of an object, and of the objects in it. */
function fieldsOf(value: object): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? [name, ...fieldsOf(inner)]
      : [name],
  );
}
