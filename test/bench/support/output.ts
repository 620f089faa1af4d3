import { loadavg } from 'node:os';
import { processors, writeBlock } from './performance-doc.ts';

/**
 * What benchmarks print. Lines belong to a block, which docs/performance.md may have under the same name;
 * with PERFORMANCE_MD set, what was printed takes the place of what stands there.
 */
interface Block {
  readonly name: string;
  readonly startedAt: Date;
  readonly load: number;
  text: string;
}

const SETTINGS =
  /^(APP|BLOCK|GROWTH|HISTORY|KERNEL|KEY|LAYER|MEMORY|OWNER|PEERS|RECORDING|REPLAY|SLOW|SOAK)(_[A-Z_]+)?$/;
const print = process.stdout.write.bind(process.stdout);
let current: Block | undefined;
let bench = '';

/** From here on all that this process writes to its output belongs to the benchmark's blocks. */
export function beginOutput(name: string): void {
  bench = name;
  process.stdout.write = ((...args: Parameters<typeof print>) => {
    if (current !== undefined) current.text += String(args[0]);
    return print(...args);
  }) as typeof print;
  block(name);
}

/** What follows is a part of its own; `name` is unique among all benchmarks. */
export function block(name: string): void {
  endBlock();
  current = { name, startedAt: new Date(), load: loadavg()[0] ?? NaN, text: '' };
}

export function endBlock(): void {
  const ended = current;
  current = undefined;
  if (ended === undefined || ended.text === '' || process.env['PERFORMANCE_MD'] === undefined)
    return;
  const seconds = (Date.now() - ended.startedAt.getTime()) / 1000;
  const when = `${ended.startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const head =
    `\`${command()}\` (${when}, ${processors()}, ${seconds.toFixed(0)} s, ` +
    `load average before ${ended.load.toFixed(1)})`;
  if (!writeBlock(ended.name, `${head}\n\n${fenced(ended.text)}`))
    print(`docs/performance.md has no block "${ended.name}"\n`);
}

function command(): string {
  const settings = Object.entries(process.env)
    .filter(([name]) => SETTINGS.test(name))
    // Where another version lies is of no use to readers.
    .map(([name, value = '']) => `${name}=${value.includes('/') ? 'FILE' : value}`)
    .sort();
  return [...settings, 'npm run bench --', bench].join(' ');
}

/** Tables are Markdown as they are; everything else keeps its spaces. */
function fenced(text: string): string {
  const parts: { isTable: boolean; lines: string[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const isTable = line.startsWith('|');
    if (parts.at(-1)?.isTable !== isTable) parts.push({ isTable, lines: [] });
    parts.at(-1)!.lines.push(line);
  }
  return parts
    .map(({ isTable, lines }) => (isTable ? lines : ['```text', ...lines, '```']).join('\n'))
    .join('\n\n');
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A Markdown table whose columns also line up in a terminal; all but the first to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  const addRow = openTable(head, widths);
  for (const row of rows) addRow(row);
}

/** The same for rows that come over time, so that a run that is ended early has printed what it knows. */
export function openTable(
  head: readonly string[],
  least: readonly number[] = [],
): (row: readonly string[]) => void {
  const widths = head.map((name, i) => Math.max(3, name.length, least[i] ?? 0));
  const addRow = (cells: readonly string[]): void => {
    const padded = cells.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
    );
    say(`| ${padded.join(' | ')} |`);
  };
  addRow(head);
  addRow(widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return addRow;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? NaN : (low + high) / 2;
}

/** `1.05 (0.98–1.21)`: the median, and the least and the most. */
export function spread(values: readonly number[], decimals: number): string {
  const all = [median(values), Math.min(...values), Math.max(...values)];
  const [middle, least, most] = all.map((value) => value.toFixed(decimals));
  return `${middle} (${least}–${most})`;
}
