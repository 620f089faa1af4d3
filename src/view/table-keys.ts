import type { Row } from './key-table.ts';

/** In the list of columns. */
export const COLUMN_KEYS: readonly Row[] = [
  ['Tables', ['up', 'k'], 'previous column', { type: 'moveColumnRow', by: 'rowBack' }],
  ['Tables', ['down', 'j'], 'next column', { type: 'moveColumnRow', by: 'row' }],
  ['Tables', ['home'], 'the first column', { type: 'moveColumnRow', by: 'start' }],
  ['Tables', ['end'], 'the last column', { type: 'moveColumnRow', by: 'end' }],
  ['Tables', ['space'], 'show the column, or hide it', { type: 'toggleColumn' }],
  ['Tables', ['<'], 'move the column to the left', { type: 'shiftColumn', step: -1 }],
  ['Tables', ['>'], 'move the column to the right', { type: 'shiftColumn', step: 1 }],
  ['Tables', ['r'], 'the columns of the beginning', { type: 'resetColumns' }],
  ['Tables', ['enter', 'escape', 'C', 'q'], 'close the list', { type: 'close' }],
];

/** While a row is looked for; what else is typed goes into the line. */
export const FIND_KEYS: readonly Row[] = [
  ['Prompts', ['down'], 'next row that holds it', { type: 'nextMatch', step: 1 }],
  ['Prompts', ['up'], 'previous row that holds it', { type: 'nextMatch', step: -1 }],
  ['Prompts', ['enter'], 'keep it; n and N go on', { type: 'submit' }],
  ['Prompts', ['escape'], 'look for nothing', { type: 'close' }],
];
