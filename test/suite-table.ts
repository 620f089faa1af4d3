/** A part of the suite in the table of README.md: a file belongs to the first that matches it. */
export interface SuitePart {
  readonly name: string;
  readonly tries: string;
  /** Matches paths from the project's folder. */
  readonly files: RegExp;
}

export const SUITE_PARTS: readonly SuitePart[] = [
  {
    name: 'losses',
    tries:
      'overload, a reader that stops, the smallest ring, programs that the kernel does not run',
    files:
      /^test\/(faults\/losses|kernel\/(live-overload|live-audit|kernel-audit|inflight|summary-block))\./,
  },
  {
    name: 'ground truth',
    tries: 'known sizes, places, owners, delays and errors, on real disks of the kernel',
    files: /^test\/(kernel\/(live-|slow-disk|epochs|cgroups)|e2e\/(live|paint)\.)/,
  },
  {
    name: 'hostile and random input',
    tries: 'damaged and hostile recordings and logs; names, keys and sizes at random',
    files: /(^test\/(recording\/(damage|hostile)|base\/sanitize)|fuzz)\./,
  },
  {
    name: 'faults',
    tries: 'signals, terminals, closed pipes, missing rights, full disks, kills',
    files:
      /^test\/(faults\/|e2e\/(endings|resize|command-line|pty)\.|recording\/(killed|recording-writer)|terminal\/restore|kernel\/(privilege|trace-handover|doctor)|base\/create-file)/,
  },
  {
    name: 'everything else',
    tries: 'arithmetic, formats, filters, pictures, keys, screens',
    files: /^test\//,
  },
];

export interface PartFigures {
  cases: number;
  seconds: number;
  /** I/Os that were compared with perf's count, /proc/diskstats or both. */
  ios: number;
}

const HEAD = ['Part', 'What it tries', 'Cases', 'I/Os against truth', 'Seconds'];
const BEGIN = '<!-- suite -->\n';
const END = '\n<!-- /suite -->';

/** `file`: path from the project's folder. */
export function partOf(file: string): SuitePart {
  return SUITE_PARTS.find(({ files }) => files.test(file))!;
}

export function suiteTable(figures: ReadonlyMap<string, PartFigures>): string {
  const parts = SUITE_PARTS.map(({ name, tries }) => ({ name, tries, ...figures.get(name)! }));
  const total = { name: 'all', tries: '', cases: 0, seconds: 0, ios: 0 };
  for (const { cases, seconds, ios } of parts) {
    total.cases += cases;
    total.seconds += seconds;
    total.ios += ios;
  }
  const rows = [...parts, total].map(({ name, tries, cases, seconds, ios }) => [
    name,
    tries,
    count(cases),
    ios === 0 ? '–' : count(ios),
    seconds.toFixed(0),
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)].join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function withSuiteTable(readme: string, table: string): string {
  const [from, to] = [readme.indexOf(BEGIN) + BEGIN.length, readme.indexOf(END)];
  return readme.slice(0, from) + table + readme.slice(to);
}
