import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import { PATTERNS } from '../../src/source/patterns.ts';
import { KEY_TABLE } from '../../src/view/key-table.ts';

const README = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

/** The rows of the README that a table in the code stands behind, as they must read. */
const optionRows = OPTION_TABLE.map(({ name, value, choices, fallback, description, commands }) => {
  const word = value ?? choices?.join('\\|');
  const usage = word === undefined ? `--${name}` : `--${name} ${word}`;
  const otherwise = typeof fallback === 'string' ? `\`${fallback}\`` : '';
  return `| \`${usage}\` | ${commands.join(', ')} | ${description} | ${otherwise} |`;
});

const keyRows = KEY_TABLE.map(
  ({ keys, modes, description }) =>
    `| ${keys.map((key) => `\`${key}\``).join(' ')} | ${modes.join(', ')} | ${description} |`,
);

const patternRows = PATTERNS.map(
  ({ name, title, whatToSee }) => `| \`${name}\` | ${title} | ${whatToSee} |`,
);

describe('README', () => {
  it.each([
    ['option', optionRows],
    ['key', keyRows],
    ['pattern', patternRows],
  ])('lists every %s as the code has it', (_, rows) => {
    const missing = rows.filter((row) => !README.includes(row));
    expect(missing.join('\n')).toBe('');
  });

  it('lists no option that the code does not have', () => {
    const listed = [...README.matchAll(/^\| `--([a-z-]+)/gm)].map((match) => match[1]);
    expect(listed.filter((name) => !OPTION_TABLE.some((option) => option.name === name))).toEqual(
      [],
    );
  });
});
