import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pl from 'nodejs-polars';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordPattern } from '../trace/recording/fixtures/record.ts';
import { recordedBytes } from '../trace/replay/recording-file.ts';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { queryClickHouse } from './support/clickhouse.ts';
import { query, sqlIn } from './support/duck.ts';
import { parquetOf, STALE_CALLS } from './support/stale-calls.ts';

const RECIPES = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
const CASES = readFileSync(resolve(import.meta.dirname, '../../docs/cases.md'), 'utf8');
const blocks = [...RECIPES.matchAll(/<!-- checked -->\s+```sh\n(.*?)```/gs)].map(
  ([, text]) => text ?? '',
);

const SECONDS = 6;
let folder = '';
let rows = 0;

function shell(script: string): { status: number | null; stdout: string; stderr: string } {
  const PATH = `${folder}/bin:${process.env['PATH'] ?? ''}`;
  const env = { PATH, HOME: folder, TZ: 'UTC', LANG: 'C.UTF-8' };
  const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return spawnSync('bash', ['-e', '-c', script], options);
}

beforeAll(async () => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'recipes-'));
  spawnSync('mkdir', [join(folder, 'bin')]);
  symlinkSync(IOHEAT, join(folder, 'bin/ioheat'));
  const recorded = await recordPattern('mixed', SECONDS, { rate: 500 });
  rows = recorded.rows.length;
  writeFileSync(join(folder, 'trace.ioheat'), Buffer.concat(recorded.parts));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('docs/recipes.md', needs({ program: 'jq' }), () => {
  it.each(blocks)('the recipe in docs/recipes.md works as typed: %s', (block) => {
    for (const line of block.trim().split('\n')) {
      const { status, stdout, stderr } = shell(line);
      // The trace has no waits and no calls.
      const said = stderr.replace(/^ioheat: no rows written: .*no (?:waits|calls)\b.*\n/, '');
      expect({ line, status, said }).toEqual({ line, status: 0, said: '' });
      const isToFile = line.includes('--output') || line.endsWith('> trace.us');
      if (!isToFile) expect(stdout).not.toBe('');
    }
  });

  it('the recipe for Polars reads every I/O of the recording', () => {
    shell('ioheat export trace.ioheat --force --output trace.parquet');
    const frame = pl.readParquet(join(folder, 'trace.parquet'));
    expect(frame.height).toBe(rows);
    const groups = frame
      .groupBy('device', 'op')
      .agg(pl.col('device_ns').quantile(0.99), pl.col('bytes').sum());
    expect(groups.height).toBeGreaterThan(3);
  });
});

describe('the recipes for DuckDB and ClickHouse', () => {
  beforeAll(async () => {
    const recorded = await recordPattern('layers', SECONDS, {});
    writeFileSync(join(folder, 'layers.ioheat'), Buffer.concat(recorded.parts));
    shell('ioheat export layers.ioheat --force --output trace.parquet');
    shell('ioheat export layers.ioheat --force --layer calls --output calls.parquet');
  });

  interface Exported {
    readonly file: string | null;
    readonly call: string | null;
    readonly device: string;
    readonly op: string;
  }
  const exported = (options: string): Exported[] =>
    shell(`ioheat export layers.ioheat --format ndjson ${options}`)
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Exported);
  const groupsOf = (rows: readonly Exported[], keyOf: (row: Exported) => string): number =>
    new Set(rows.map(keyOf)).size;

  it('every recipe for DuckDB finds something', async () => {
    for (const sql of sqlIn(RECIPES, 'DuckDB')) {
      const found = await query(folder, sql);
      expect(found.length, sql).toBeGreaterThan(0);
      expect(found.every(({ p99_ms }) => Number(p99_ms) > 0)).toBe(true);
    }
  });

  it('DuckDB counts I/Os by disk and calls by file as the exported rows have them', async () => {
    const [disks = '', , files = ''] = sqlIn(RECIPES, 'DuckDB');
    const ios = exported('');
    const byDisk = await query(folder, disks);
    expect(byDisk).toHaveLength(groupsOf(ios, ({ device, op }) => `${device} ${op}`));
    expect(byDisk.reduce((sum, { ios: count }) => sum + Number(count), 0)).toBe(ios.length);
    const calls = exported('--layer calls').filter(({ file }) => file !== null);
    const byFile = await query(folder, files);
    expect(byFile).toHaveLength(groupsOf(calls, ({ file, call }) => `${file} ${call}`));
    expect(byFile.reduce((sum, { calls: count }) => sum + Number(count), 0)).toBe(calls.length);
  });

  it('DuckDB reads CSV and NDJSON with the types of Parquet, also of a column that is empty in the first 20,480 rows', async () => {
    const line = (sector: number): string => `0.1 fio 7 sda R ${sector} 4096 0.5\n`;
    const log = `TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n${line(-1).repeat(25_000)}${line(8)}`;
    writeFileSync(join(folder, 'late.log'), log);
    shell('for f in csv ndjson parquet; do ioheat export late.log --force --output late.$f; done');
    const readers = [
      `'late.parquet'`,
      `read_csv('late.csv', sample_size = -1)`,
      `read_json('late.ndjson', sample_size = -1)`,
    ];
    for (const reader of readers) {
      const sql = `select typeof(sector) as type, sum(sector) as sector from ${reader} where sector is not null group by all`;
      expect(await query(folder, sql)).toEqual([{ type: 'BIGINT', sector: '8' }]);
    }
    const time = `select min(time::timestamptz) is not null as has from 'trace.ndjson'`;
    shell('ioheat export trace.ioheat --force --output trace.ndjson');
    expect(await query(folder, time)).toEqual([{ has: true }]);
  });

  it.each([
    ['disks', 0],
    ['threads that compete', 1],
    ['files and calls', 2],
  ])(
    'ClickHouse reads the same files, and answers the same: %s',
    needs('ClickHouse'),
    async (_, index) => {
      const [ofDuck, ofClickHouse] = ['DuckDB', 'ClickHouse'].map(
        (heading) => sqlIn(RECIPES, heading)[index]!,
      );
      const rows = queryClickHouse(folder, ofClickHouse!);
      expect(rows.length).toBeGreaterThan(2);
      expect(comparable(rows)).toEqual(comparable(await query(folder, ofDuck!)));
    },
  );
});

describe('the recipes for reads at a stale offset', () => {
  const asExpected = [
    ['tail', '/srv/log/app.log', 26, 16],
    ['mail', '/srv/spool', 90, 10],
  ];
  const cellsOf = (rows: readonly Record<string, unknown>[]): unknown[][] =>
    rows
      .map((row) => [row['comm'], row['file'], Number(row['file_offset']), Number(row['written'])])
      .sort((a, b) => Number(a[2]) - Number(b[2]));
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stale-'));
    writeFileSync(join(folder, 'calls.parquet'), parquetOf(STALE_CALLS));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('DuckDB finds them after a truncation by name, and by opening, but not after one that failed', async () => {
    const [stale = ''] = sqlIn(CASES, 'A log shipper loses lines, and no call fails');
    expect(cellsOf(await query(folder, stale))).toEqual(asExpected);
  });

  it('ClickHouse finds the same', needs('ClickHouse'), () => {
    const stale = sqlIn(RECIPES, 'ClickHouse').at(-1)!;
    expect(cellsOf(queryClickHouse(folder, stale))).toEqual(asExpected);
  });
});

/** The rows of a statement, however an engine writes numbers and times, in no order. */
function comparable(rows: readonly Record<string, unknown>[]): string[] {
  const plain = (value: unknown): unknown => {
    const number = Number(value);
    return value === null || Number.isNaN(number) ? value : Number(number.toPrecision(9));
  };
  return rows
    .map((row) => Object.entries(row).filter(([name]) => name !== 'second'))
    .map((row) => JSON.stringify(row.map(([name, value]) => [name, plain(value)])))
    .sort();
}

describe('ioheat export', () => {
  it('export ends with 0 and no message when its reader closes the pipe', () => {
    const { status, stdout, stderr } = shell(
      'ioheat export trace.ioheat --format csv | head -1; echo "${PIPESTATUS[0]}"',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim().split('\n').at(-1)).toBe('0');
  });

  it('export stops reading when its reader closes the pipe: of a log that never ends, too', () => {
    const log = `echo '0.0 fio 7 sda R 8 4096 0.5'; yes '0.1 fio 7 sda R 8 4096 0.5'`;
    const head = 'TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)';
    const { stdout, stderr } = shell(
      `{ echo '${head}'; ${log}; } | timeout 60 ioheat export - --format csv | head -2; echo "\${PIPESTATUS[1]}"`,
    );
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n').slice(1)).toEqual([expect.stringContaining('sda'), '0']);
  });

  it('export to a reader that reads nothing does not say that the trace has no I/O', () => {
    const { status, stderr } = shell('ioheat export trace.ioheat --format csv | true');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('export writes biosnoop text that ioheat imports with the same I/Os', () => {
    const script = `ioheat export trace.ioheat --format biosnoop > again.txt
      ioheat report again.txt --json`;
    const { stdout, stderr } = shell(script);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as { totals: { ios: number; read_bytes: number } };
    const direct = JSON.parse(shell('ioheat report trace.ioheat --json').stdout) as typeof report;
    expect(report.totals.ios).toBe(rows);
    expect(report.totals.read_bytes).toBe(direct.totals.read_bytes);
  });

  it('export reads a recording from a pipe as from a file', () => {
    const piped = shell('cat trace.ioheat | ioheat export - --format csv').stdout;
    expect(piped).toBe(shell('ioheat export trace.ioheat --format csv').stdout);
    expect(piped.trim().split('\n')).toHaveLength(rows + 1);
  });

  it('export --from and --to write the part between two times', () => {
    const script = 'ioheat export trace.ioheat --from +1s --to +3s --format ndjson';
    const times = shell(script)
      .stdout.trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { trace_ns: number }).trace_ns);
    expect(times.length).toBeGreaterThan(100);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(1e9);
    expect(Math.max(...times)).toBeLessThan(3.1e9);
  });

  it.each([
    ['--from +1h --to +2h', /no rows written: all I\/O of the trace is from .*; change --from or/],
    ['--filter disk=none', /no I\/O matches disk=none; ioheat report shows what/],
    ['--layer calls', /the trace has no calls; record with --calls/],
  ])('export says why it writes only the heading: %s', (words, why) => {
    const { status, stdout, stderr } = shell(`ioheat export trace.ioheat --format csv ${words}`);
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(why);
  });

  it.each([
    [
      '--from +1h --to +2h',
      /the picture is empty: all I\/O of the trace is from .*; change --from or/,
    ],
    [
      '--filter disk=none',
      /the picture is empty: no I\/O matches disk=none; ioheat report shows what/,
    ],
    ['--layer calls', /the picture is empty: the trace has no calls; record with --calls/],
  ])('export says why a picture is empty, also to a script: %s', (words, why) => {
    const { status, stderr } = shell(`ioheat export trace.ioheat --format svg ${words}`);
    expect(status).toBe(0);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(why)]);
  });

  it.each([
    [
      'ioheat export trace.ioheat',
      2,
      /^ioheat: cannot export: no format given; choose a format with --format: csv/,
    ],
    ['ioheat export trace.ioheat --output a.doc', 2, /a\.doc has no known extension/],
    ['ioheat export trace.ioheat --format csv --from 99:99', 2, /--from: "99:99" is not a time/],
    ['ioheat export trace.ioheat --format csv --from +3s --to +1s', 2, /must be earlier/],
    ['ioheat export none.ioheat --format csv', 1, /cannot open none\.ioheat/],
    ['ioheat export /etc/passwd --format csv', 1, /not in a recognized format/],
    ['ioheat export trace.ioheat --output trace.ioheat --format csv', 1, /file exists/],
    [
      'ioheat export trace.ioheat --format trace2heatmap --metric utilization',
      2,
      /cannot show utilization: .*; use --metric device, /,
    ],
    ['ioheat report none.ioheat', 1, /cannot open none\.ioheat/],
    ['ioheat export trace.ioheat --format csv > /dev/full', 1, /cannot write the output/],
  ])('export refuses in one sentence: %s', (line, code, why) => {
    const { status, stdout, stderr } = shell(line);
    expect({ status, stdout }).toEqual({ status: code, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(why);
  });
});

interface Io {
  readonly op: string;
  readonly device: string;
  readonly bytes: number;
  readonly total_ns: number;
}

describe('ioheat report', () => {
  it('a report has the figures that the rows add up to', () => {
    const report = JSON.parse(shell('ioheat report trace.ioheat --json').stdout) as {
      totals: { ios: number; written_bytes: number; total_latency: { max_ns: number } };
      disks: { disk: string; ios: number; failed_ios: number }[];
      processes: { ios: number }[];
      worst: { total_ns: number }[];
    };
    const all = shell('ioheat export trace.ioheat --format ndjson')
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Io);
    const sum = (of: readonly { ios: number }[]): number => of.reduce((n, { ios }) => n + ios, 0);
    expect([report.totals.ios, sum(report.disks), sum(report.processes)]).toEqual([
      rows,
      rows,
      rows,
    ]);
    const written = all.filter(({ op }) => op === 'write').reduce((n, { bytes }) => n + bytes, 0);
    expect(report.totals.written_bytes).toBe(written);
    for (const { disk, ios } of report.disks)
      expect(ios).toBe(all.filter(({ device }) => device === disk).length);
    const slowest = all.map(({ total_ns }) => total_ns).sort((a, b) => b - a);
    expect(report.worst.map(({ total_ns }) => Math.round(total_ns / 1e3))).toEqual(
      slowest.slice(0, report.worst.length).map((ns) => Math.round(ns / 1e3)),
    );
  });

  it('a report is a page of text for people', () => {
    const { stdout } = shell('ioheat report trace.ioheat');
    for (const part of ['on fileserver', 'Disks', 'Processes', 'Slowest I/Os', 'p99', 'missing'])
      expect(stdout).toContain(part);
  });
});

describe('several files', () => {
  interface Report {
    readonly files: string[];
    readonly totals: { readonly ios: number };
    readonly disks: readonly { readonly disk: string }[];
    readonly last_completion: string;
    readonly gaps: readonly unknown[];
    readonly trace: { readonly host: string };
  }
  const reportOf = (files: string): Report =>
    JSON.parse(shell(`ioheat report ${files} --json`).stdout) as Report;

  /** A recording that starts at another time, or on another machine. Returns how many I/Os it has. */
  async function add(name: string, wallS: number, host = 'web1'): Promise<number> {
    const wallNs = 1_700_000_000_000_000_000n + BigInt(wallS) * 10n ** 9n;
    const header = { clockBase: { monotonicNs: 0n, wallNs }, host };
    const bytes = await recordedBytes({ name: 'icy-lake', seconds: 2, header });
    writeFileSync(join(folder, name), bytes);
    return reportOf(name).totals.ios;
  }

  it('files written by --rotate are one trace in order of time, without a gap', () => {
    shell('ioheat record r.ioheat --source demo --duration 4s --rotate 1s');
    const files = shell('ls r-*.ioheat').stdout.trim().split('\n');
    expect(files.length).toBeGreaterThan(2);
    const single = files.map((file) => reportOf(file).totals.ios);
    const all = reportOf('$(ls -r r-*.ioheat)');
    expect([all.totals.ios, all.gaps]).toEqual([single.reduce((a, b) => a + b), []]);
    const lines = shell('ioheat export $(ls -r r-*.ioheat) --format ndjson').stdout.trim();
    const times = lines
      .split('\n')
      .map((line) => (JSON.parse(line) as { trace_ns: number }).trace_ns);
    expect(times).toHaveLength(all.totals.ios);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('the gap between several files is in the report and next to an export', async () => {
    const ios = (await add('early.ioheat', 0)) + (await add('late.ioheat', 600));
    expect(reportOf('late.ioheat early.ioheat')).toMatchObject({
      files: ['late.ioheat', 'early.ioheat'],
      totals: { ios },
      gaps: [{ from: reportOf('early.ioheat').last_completion }],
    });
    const gap = /1 gap in the recording: 22:13:21 to 22:23:20 \(9min 58s\)\n/;
    expect(shell('ioheat report early.ioheat late.ioheat').stdout).toMatch(gap);
    const exported = shell('ioheat export early.ioheat late.ioheat --format csv');
    expect([exported.status, exported.stdout.trim().split('\n').length]).toEqual([0, ios + 1]);
    expect(exported.stderr).toMatch(gap);
    const picture = shell('ioheat export early.ioheat late.ioheat --format text');
    expect(picture.stderr).toMatch(gap);
  });

  it('files of several hosts keep their disks apart, unless --merge is given', async () => {
    await add('web.ioheat', 0);
    await add('db.ioheat', 0, 'db');
    const disksOf = ({ disks }: Report): string[] => disks.map(({ disk }) => disk).toSorted();
    const own = disksOf(reportOf('web.ioheat'));
    const both = reportOf('web.ioheat db.ioheat');
    expect(both.trace.host).toBe('web1, db');
    const named = own.flatMap((disk) => [`${disk}@db`, `${disk}@web1`]);
    expect(disksOf(both)).toEqual(named);
    expect(disksOf(reportOf('web.ioheat db.ioheat --merge'))).toEqual(own);
  });

  it.each([
    ['ioheat report trace.ioheat -', 2, /^ioheat: standard input \(-\) cannot be combined/],
    ['ioheat report trace.ioheat nosuch', 1, /^ioheat: cannot open nosuch: no such file/],
    [
      'ioheat export trace.ioheat --format biosnoop > undated.txt; ioheat report trace.ioheat undated.txt',
      1,
      /^ioheat: cannot combine trace\.ioheat and undated\.txt: only one of them has dates; read them/,
    ],
  ])('files that cannot be one trace are refused: %s', (script, exitCode, message) => {
    const { status, stderr } = shell(script);
    expect(status).toBe(exitCode);
    expect(stderr).toMatch(message);
  });
});
