import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import { letterOf } from '../../src/cli/short-options.ts';
import { EXTENSIONS, FORMATS } from '../../src/export/formats.ts';
import { COLUMNS } from '../../src/export/rows/csv.ts';
import { FILTER_FIELDS, operatorsOf } from '../../src/filter/fields.ts';
import { PALETTES } from '../../src/model/metric.ts';
import { PATTERNS } from '../../src/trace/synthetic/patterns.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import type { Mode } from '../../src/view/state.ts';
import { blockOf, documentText, markdownTable, ROOT } from './documents.ts';
import { figureTable } from './figures.ts';
import { manPage } from './man-page.ts';
import { paletteTable } from './palette-table.ts';

const MODE_TITLES: Readonly<Record<Mode, string>> = {
  main: 'Main screen',
  cursor: 'Cross-hair (`v`)',
  drillDown: 'Drill-down (`Enter` on the cross-hair)',
  trend: 'Charts (`t`)',
  toggles: 'Menu of operations (`o`)',
  pick: 'Lists of processes and disks (`p`, `d`)',
  filter: 'Filter prompt (`/`)',
  goto: 'Time prompt (`g`)',
  find: 'Search prompt (`f`)',
  columns: 'List of columns (`C`)',
  card: 'Card of a process or disk (`i`)',
  actions: 'List of all actions',
  inFlight: 'List of I/Os in flight (`I`)',
  singles: 'List of single I/Os and calls (`e`)',
  explain: 'What one of them waited for (`Enter` in the list)',
  export: 'Export prompt (`E`)',
  record: 'Record prompt (`R`)',
  save: 'Save prompt (`D`)',
  note: 'Note prompt (`a`)',
  help: 'Help (`?`)',
};
const MODES = Object.keys(MODE_TITLES) as Mode[];

const code = (text: string): string => `\`${text}\``;

const optionTable = markdownTable(
  ['Option', 'Commands', 'Meaning', 'Default'],
  OPTION_TABLE.map(({ name, value, choices, fallback, description, commands }) => {
    const word = (value ?? choices?.join('|'))?.replaceAll('|', '\\|');
    const letter = letterOf(name);
    const named = letter === undefined ? `--${name}` : `-${letter}, --${name}`;
    const usage = word === undefined ? named : `${named} ${word}`;
    const otherwise = typeof fallback === 'string' ? code(fallback) : '';
    return [code(usage), commands.join(', '), description, otherwise];
  }),
);

const fieldTable = markdownTable(
  ['Field', 'Also', 'Comparisons', 'Meaning', 'Values'],
  FILTER_FIELDS.map((field) => [
    code(field.name),
    field.aliases.map(code).join(' '),
    operatorsOf(field).map(code).join(' '),
    field.description,
    field.choices.map(({ text }) => code(text)).join(' '),
  ]),
);

const patternTable = markdownTable(
  ['Pattern', 'What it is', 'What to see'],
  PATTERNS.map(({ name, title, whatToSee }) => [code(name), title, whatToSee]),
);

/** A table of keys per mode; those of every mode come last. */
function keyTables(): string {
  const isGlobal = (modes: readonly Mode[]): boolean => modes.length === MODES.length;
  const tableOf = (title: string, has: (modes: readonly Mode[]) => boolean): string => {
    const rows = KEY_TABLE.filter(({ modes }) => has(modes));
    const cells = rows.map(({ keys, description }) => [keys.map(code).join(' '), description]);
    return `\n## ${title}\n\n${markdownTable(['Keys', 'Meaning'], cells)}`;
  };
  const modeTables = MODES.map((mode) =>
    tableOf(MODE_TITLES[mode], (modes) => modes.includes(mode) && !isGlobal(modes)),
  );
  return `${[...modeTables, tableOf('Everywhere', isGlobal)].join('')}\n`;
}

/** What stands in the code or in docs/performance.md, by document and name of the block. */
const GENERATED: readonly (readonly [path: string, name: string, text: string])[] = [
  ['docs/options.md', 'options', optionTable],
  ['docs/fields.md', 'fields', fieldTable],
  ['docs/demo.md', 'patterns', patternTable],
  ['docs/keys.md', 'keys', keyTables()],
  ['docs/palettes.md', 'palettes', paletteTable()],
  ['README.md', 'figures', figureTable()],
];

describe('generated tables', () => {
  it.each(GENERATED)(
    '%s has the %s of the program; UPDATE_DOCS=1 writes them',
    (path, name, text) => {
      const { before, block, after } = blockOf(documentText(path), name);
      if (process.env['UPDATE_DOCS'] === undefined) expect(block).toBe(text);
      else writeFileSync(resolve(ROOT, path), before + text + after);
    },
  );

  it('docs/ioheat.1 is the man page of the program; UPDATE_DOCS=1 writes it', () => {
    if (process.env['UPDATE_DOCS'] === undefined)
      expect(documentText('docs/ioheat.1')).toBe(manPage());
    else writeFileSync(resolve(ROOT, 'docs/ioheat.1'), manPage());
  });

  it.each([
    ['columns', COLUMNS],
    ['formats', FORMATS],
  ])('docs/fields.md explains the %s of exports, in order', (name, names) => {
    const { block } = blockOf(documentText('docs/fields.md'), name);
    expect([...block.matchAll(/^\| `(\w+)` \|/gm)].map(([, word]) => word)).toEqual([...names]);
  });

  it('docs/fields.md has the extensions of each format', () => {
    const { block } = blockOf(documentText('docs/fields.md'), 'formats');
    const listed = [...block.matchAll(/^\| `\w+` \| ([^|]+) \|/gm)].map(([, cell]) => cell);
    const known = FORMATS.map((format) => EXTENSIONS[format].map((one) => `\`.${one}\``));
    expect(listed).toEqual(known.map((extensions) => extensions.join(', ')));
  });

  it('docs/palettes.md describes the palettes, in order', () => {
    const described = documentText('docs/palettes.md').matchAll(/^- `(\w+)`:/gm);
    expect([...described].map(([, name]) => name)).toEqual([...PALETTES]);
  });
});
