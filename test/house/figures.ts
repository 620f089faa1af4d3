import { blockOf, documentText, markdownTable } from './documents.ts';

/** A figure of the README: taken from what a benchmark wrote into docs/performance.md. */
interface Figure {
  readonly what: string;
  /** The block of the page. */
  readonly bench: string;
  readonly pattern: RegExp;
  readonly text: (...found: string[]) => string;
}

/** A row of a table of tools, or one that comes after another: their cells after the names. */
function row(name: string, cells: number, later?: string): RegExp {
  const cell = String.raw`\|\s*([^|]+?)\s*`;
  const one = (tool: string): string => `^\\| ${tool}\\s*${cell.repeat(cells)}\\|`;
  return new RegExp(later === undefined ? one(name) : `${one(name)}[^]*?${one(later)}`, 'm');
}

function coreAt(perSecond: number): RegExp {
  return new RegExp(`, ${perSecond} I/Os a second: ([\\d.]+) % of a core`);
}

const FIGURES: readonly Figure[] = [
  {
    what: 'time in the kernel per I/O, without reading clocks, at the highest rate',
    bench: 'peers-max',
    pattern: row('ioheat', 7, 'biolatency'),
    text: (...cells) =>
      `${cells[2]} ns at ${cells[6]} thousand I/Os per second; biolatency ${cells[9]} ns`,
  },
  {
    what: 'I/Os shown individually at that rate, within a budget of 5 % of a core; the rest is counted',
    bench: 'peers-max',
    pattern: row('ioheat', 6),
    text: (...cells) => cells[5] ?? '',
  },
  {
    what: 'the load of as many I/Os as go, compared with no tracing',
    bench: 'peers-turns-reads-max',
    pattern: row('ioheat', 5, 'biolatency'),
    text: (...cells) =>
      `${cells[2]} × its I/Os per second, ${cells[4]} × its p99 latency; biolatency ${cells[7]} ×, ${cells[9]} ×`,
  },
  {
    what: 'processor, no I/O, 120×40',
    bench: 'app-rates',
    pattern: coreAt(0),
    text: (core) => `${core} % of a core`,
  },
  {
    what: 'processor, 1,000 I/Os per second, 120×40',
    bench: 'app-rates',
    pattern: coreAt(1000),
    text: (core) => `${core} % of a core`,
  },
  {
    what: 'processor, 100,000 I/Os per second, 120×40',
    bench: 'app-rates',
    pattern: coreAt(100000),
    text: (core) => `${core} % of a core`,
  },
  {
    what: 'what the kernel counted, through a ring of 64 KiB',
    bench: 'kernel-losses',
    pattern: row('2 processes, ring of 64 KiB', 5),
    text: (disk, _perf, single, aggregated, lost) =>
      `${disk} I/Os = ${single} individually + ${aggregated} aggregated + ${lost} lost`,
  },
  {
    what: 'first complete frame, demo and live',
    bench: 'app-start',
    pattern: /frame, demo\s+median (\d+ ms)[^]*?frame, live\s+median (\d+ ms)/,
    text: (demo, live) => `${demo}, ${live}`,
  },
  {
    what: 'from a key to the finished frame, with a disk under load',
    bench: 'key-latency',
    pattern: /^all\s+\d+ keys: median\s+(\d+) ms, p99\s+(\d+)/m,
    text: (median, p99) => `median ${median} ms, p99 ${p99} ms`,
  },
  {
    what: 'slowest filter that was tried, over ten million I/Os',
    bench: 'filter',
    pattern: /^the worst new picture: (\d+) ms/m,
    text: (ms) => `${ms} ms`,
  },
  {
    what: 'bytes per frame, 200×50',
    bench: 'peers-screens',
    pattern: row('ioheat demo', 2),
    text: (...cells) => cells[1] ?? '',
  },
  {
    what: 'size of a recording',
    bench: 'recording',
    pattern: /^10050154 events in .*, ([\d.]+) bytes\/event/m,
    text: (bytes) => `${bytes} bytes per I/O`,
  },
];

/** Each figure with the command that measured it, which is the first line of its block. */
export function figureTable(): string {
  const page = documentText('docs/performance.md');
  const rows = FIGURES.map(({ what, bench, pattern, text }) => {
    const { block } = blockOf(page, `bench:${bench}`);
    const found = pattern.exec(block);
    if (found === null) throw new Error(`docs/performance.md: no figure "${what}" in ${bench}`);
    const command = /^`[^`]+`/.exec(block)?.[0] ?? '';
    return [what, text(...found.slice(1)), command];
  });
  return markdownTable(['Figure', 'Measured', 'Command'], rows);
}
