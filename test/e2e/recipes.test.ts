import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pl from 'nodejs-polars';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordPattern } from '../recording/fixtures/record.ts';
import { ensureBuilt, IOHEAT } from './build.ts';

const RECIPES = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
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

describe('docs/recipes.md', () => {
  it.each(blocks)('works as typed: %s', (block) => {
    for (const line of block.trim().split('\n')) {
      const { status, stdout, stderr } = shell(line);
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' });
      const isToFile = line.includes('--output') || line.endsWith('> trace.us');
      if (!isToFile) expect(stdout).not.toBe('');
    }
  });

  it('gives Polars every I/O of the recording', () => {
    shell('ioheat export trace.ioheat --force --output trace.parquet');
    const frame = pl.readParquet(join(folder, 'trace.parquet'));
    expect(frame.height).toBe(rows);
    const groups = frame
      .groupBy('device', 'op')
      .agg(pl.col('device_ns').quantile(0.99), pl.col('bytes').sum());
    expect(groups.height).toBeGreaterThan(3);
  });
});

describe('ioheat export', () => {
  it('ends quietly and soon when its reader has seen enough', () => {
    const { status, stdout, stderr } = shell(
      'ioheat export trace.ioheat --format csv | head -1; echo "${PIPESTATUS[0]}"',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim().split('\n').at(-1)).toBe('0');
  });

  it('writes biosnoop text that it imports again: the same I/Os', () => {
    const script = `ioheat export trace.ioheat --format biosnoop > again.txt
      ioheat report again.txt --json`;
    const { stdout, stderr } = shell(script);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as { totals: { ios: number; read_bytes: number } };
    const direct = JSON.parse(shell('ioheat report trace.ioheat --json').stdout) as typeof report;
    expect(report.totals.ios).toBe(rows);
    expect(report.totals.read_bytes).toBe(direct.totals.read_bytes);
  });

  it('reads a recording from a pipe as from a file', () => {
    const piped = shell('cat trace.ioheat | ioheat export - --format csv').stdout;
    expect(piped).toBe(shell('ioheat export trace.ioheat --format csv').stdout);
    expect(piped.trim().split('\n')).toHaveLength(rows + 1);
  });

  it('takes the part between two times', () => {
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
    [
      'ioheat export trace.ioheat',
      2,
      /^ioheat: cannot export: the format is missing; choose a format with --format: csv/,
    ],
    ['ioheat export trace.ioheat --output a.doc', 2, /a\.doc has none of the extensions/],
    ['ioheat export trace.ioheat --format csv --from 99:99', 2, /--from: "99:99" is not a time/],
    ['ioheat export trace.ioheat --format csv --from +3s --to +1s', 2, /must be earlier/],
    ['ioheat export none.ioheat --format csv', 1, /cannot open none\.ioheat/],
    ['ioheat export /etc/passwd --format csv', 1, /no known format/],
    ['ioheat export trace.ioheat --output trace.ioheat --format csv', 1, /something of that name/],
    ['ioheat export trace.ioheat --format trace2heatmap --metric utilization', 2, /cannot show/],
    ['ioheat report none.ioheat', 1, /cannot open none\.ioheat/],
    ['ioheat export trace.ioheat --format csv > /dev/full', 1, /cannot write the output/],
  ])('refuses in one sentence: %s', (line, code, why) => {
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
  it('has the figures that the rows add up to', () => {
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

  it('is a page of text for people', () => {
    const { stdout } = shell('ioheat report trace.ioheat');
    for (const part of ['on fileserver', 'Disks', 'Processes', 'Slowest I/Os', 'p99', 'missing'])
      expect(stdout).toContain(part);
  });
});
