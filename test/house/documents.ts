import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Text of a file of the project. */
export function documentText(path: string): string {
  return readFileSync(resolve(ROOT, path), 'utf8');
}

export interface DocumentBlock {
  readonly before: string;
  readonly block: string;
  readonly after: string;
}

/** What a document has between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function blockOf(text: string, name: string): DocumentBlock {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`no block "${name}"`);
  return { before: text.slice(0, from), block: text.slice(from, to), after: text.slice(to) };
}

/** As prettier leaves it alone: cells that are not padded. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
