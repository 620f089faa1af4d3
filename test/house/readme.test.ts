import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import { FILTER_FIELDS, operatorsOf } from '../../src/filter/fields.ts';
import { PATTERNS } from '../../src/source/patterns.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const README = resolve(ROOT, 'README.md');

/** The tables of the README that stand in the code, by the name in their markers. */
const TABLES: Record<string, string> = {
  options: table(
    ['Option', 'Commands', 'Meaning', 'Default'],
    OPTION_TABLE.map(({ name, value, choices, fallback, description, commands }) => {
      const word = (value ?? choices?.join('|'))?.replaceAll('|', '\\|');
      const usage = word === undefined ? `--${name}` : `--${name} ${word}`;
      const otherwise = typeof fallback === 'string' ? `\`${fallback}\`` : '';
      return [`\`${usage}\``, commands.join(', '), description, otherwise];
    }),
  ),
  fields: table(
    ['Field', 'Also', 'Comparisons', 'Meaning', 'Values'],
    FILTER_FIELDS.map((field) => [
      `\`${field.name}\``,
      field.aliases.map((alias) => `\`${alias}\``).join(' '),
      operatorsOf(field)
        .map((operator) => `\`${operator}\``)
        .join(' '),
      field.description,
      field.choices.map(({ text }) => `\`${text}\``).join(' '),
    ]),
  ),
  keys: table(
    ['Keys', 'Where', 'Meaning'],
    KEY_TABLE.map(({ keys, modes, description }) => [
      keys.map((key) => `\`${key}\``).join(' '),
      modes.length > 1 ? 'everywhere' : modes.join(''),
      description,
    ]),
  ),
  patterns: table(
    ['Pattern', 'What it is', 'What to see'],
    PATTERNS.map(({ name, title, whatToSee }) => [`\`${name}\``, title, whatToSee]),
  ),
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function blockOf(text: string, name: string): { before: string; block: string; after: string } {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`README.md has no block "${name}"`);
  return { before: text.slice(0, from), block: text.slice(from, to), after: text.slice(to) };
}

describe('README', () => {
  it.each(Object.keys(TABLES))('has the %s that the code has', (name) => {
    const { before, block, after } = blockOf(readFileSync(README, 'utf8'), name);
    const expected = TABLES[name] ?? '';
    if (process.env['UPDATE_README'] !== undefined)
      writeFileSync(README, `${before}${expected}${after}`);
    else expect(block).toBe(expected);
  });

  it('shows pictures and files that are there', () => {
    const text = readFileSync(README, 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(targets.length).toBeGreaterThan(2);
    expect(targets.filter((target) => !existsSync(resolve(ROOT, target)))).toEqual([]);
  });
});
