import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENTS = ['docs/performance.md', 'README.md'].map((name) => join(ROOT, name));

/** Whether a document has such a block: text between `<!-- bench:NAME -->` and its end. */
export function writeBlock(name: string, text: string): boolean {
  return DOCUMENTS.map((path) => writeInto(path, name, text)).includes(true);
}

function writeInto(path: string, name: string, text: string): boolean {
  const [begin, end] = [`<!-- bench:${name} -->\n`, `\n<!-- /bench:${name} -->`];
  const document = readFileSync(path, 'utf8');
  const from = document.indexOf(begin) + begin.length;
  const to = document.indexOf(end);
  if (from < begin.length || to < from - 1) return false;
  writeFileSync(path, document.slice(0, from) + text + document.slice(to));
  return true;
}

/** `2 × Intel Xeon`: on what a block was measured. */
export function processors(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  return `${cpus().length} × ${model
    .replaceAll('(R)', '')
    .replace(/ Processor.*/, '')
    .trim()}`;
}
