import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSettings, settingsPath } from '../../src/app/session/settings-file.ts';
import { ensureBuilt, IOHEAT } from './build.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const VERSIONS = readdirSync(FIXTURES).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
const SECTOR_BYTES = 512;

beforeAll(ensureBuilt);

/** The recording without single I/Os. */
const COUNTED = 'demo-summary';

interface Group {
  readonly total_latency: { readonly max_ns: number | null };
}

interface Report {
  readonly totals: Group & {
    readonly ios: number;
    readonly ios_by_op: Readonly<Record<string, number>>;
    readonly read_bytes: number;
    readonly written_bytes: number;
    readonly failed_ios: number;
  };
  readonly losses: { readonly lost_ios: number };
  readonly disks: readonly Group[];
  readonly processes: readonly (Group & { readonly pid: number | null })[];
}

/** What stands for the name of an unknown owner is a matter of words, which may change. */
function knownOwners(whole: Report): Report {
  return { ...whole, processes: whole.processes.filter(({ pid }) => pid !== null) };
}

/**
 * The largest total of aggregates is only known within limits, and a later version may know a tighter one, by up to the
 * width of a bin: 6.25 %. Everything else is the same.
 */
function expectSameCounts(found: Report, expected: Report): void {
  expect(withoutLargestTotals(found)).toMatchObject(withoutLargestTotals(expected));
  const [now, then] = [largestTotals(found), largestTotals(expected)];
  expect(now).toHaveLength(then.length);
  for (const [index, most] of then.entries()) {
    expect(now[index]).toBeLessThanOrEqual(most);
    expect(now[index]).toBeGreaterThanOrEqual(most * (1 - 1 / 16));
  }
}

function withoutLargestTotals({ totals, disks, processes, ...rest }: Report): object {
  const without = ({ total_latency, ...group }: Group): object => ({
    ...group,
    total_latency: { ...total_latency, max_ns: 'compared on its own' },
  });
  return {
    ...rest,
    totals: without(totals),
    disks: disks.map(without),
    processes: processes.map(without),
  };
}

function largestTotals({ totals, disks, processes }: Report): number[] {
  return [totals, ...disks, ...processes].map((group) => group.total_latency.max_ns ?? 0);
}

function run(args: readonly string[]): { readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [IOHEAT, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return { stdout, stderr };
}

function report(file: string): Report {
  return JSON.parse(run(['report', file, '--json']).stdout) as Report;
}

/** Rows of a table as objects, so that a later version may add columns. */
/** Version 0.1.0 wrote `readAhead`, while filters and documents had `readahead`. */
function spelledAsToday(flags: string): string {
  return flags.replace('readAhead', 'readahead');
}

function rowsOf(csv: string): Record<string, string>[] {
  const [head = '', ...lines] = csv.trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
    return { ...row, flags: spelledAsToday(row['flags'] ?? '') };
  });
}

/** Fields of /sys/block/NAME/stat that a load added to: its requests and bytes. */
function diskCounts(stem: string) {
  const [before, after] = ['before', 'after'].map((name) =>
    readFileSync(`${stem}.${name}`, 'utf8').trim().split(/\s+/).map(Number),
  );
  const grown = (field: number): number => after![field]! - before![field]!;
  return {
    reads: grown(0),
    readBytes: grown(2) * SECTOR_BYTES,
    writes: grown(4),
    writtenBytes: grown(6) * SECTOR_BYTES,
    flushes: grown(15),
  };
}

interface FioCounts {
  readonly read: number;
  readonly write: number;
  readonly total_err: number | null;
}

function fioCounts(stem: string): FioCounts {
  return JSON.parse(readFileSync(`${stem}.fio.json`, 'utf8')) as FioCounts;
}

describe.each(VERSIONS)('files that version %s wrote', (version) => {
  const folder = join(FIXTURES, version);
  const files = readdirSync(folder);
  const stems = (end: string): string[] =>
    files.filter((name) => name.endsWith(end)).map((name) => basename(name, end));

  it.each(stems('.report.json'))(
    `%s.ioheat of version ${version} has the same report as then`,
    (stem) => {
      const expected = JSON.parse(
        readFileSync(join(folder, `${stem}.report.json`), 'utf8'),
      ) as Report;
      const found = report(join(folder, `${stem}.ioheat`));
      const [now, then] = [knownOwners(found), knownOwners(expected)];
      if (stem === COUNTED) expectSameCounts(now, then);
      else expect(now).toMatchObject(then);
    },
  );

  it.each(stems('.csv'))(`%s.ioheat of version ${version} has the same I/Os as then`, (stem) => {
    const expected = rowsOf(readFileSync(join(folder, `${stem}.csv`), 'utf8'));
    const { stdout } = run(['export', join(folder, `${stem}.ioheat`), '--format', 'csv']);
    const rows = rowsOf(stdout);
    expect(rows).toHaveLength(expected.length);
    expect(rows).toMatchObject(expected);
  });

  it.each(stems('.before'))(
    `%s.ioheat of version ${version} has what the disk and fio counted`,
    (name) => {
      const stem = join(folder, name);
      const [disk, fio] = [diskCounts(stem), fioCounts(stem)];
      const { totals, losses } = report(`${stem}.ioheat`);
      const requests = disk.reads + disk.writes + disk.flushes;
      expect(totals.ios + losses.lost_ios).toBe(requests);
      // A loss has neither an operation nor a size.
      if (losses.lost_ios > 0) return;
      expect(totals.ios_by_op).toMatchObject({ read: fio.read });
      expect(totals).toMatchObject({
        read_bytes: disk.readBytes,
        written_bytes: disk.writtenBytes,
        failed_ios: fio.total_err ?? 0,
      });
    },
  );

  it(`a truncated recording of version ${version} is read up to there, and its report says so`, () => {
    const { stdout, stderr } = run(['export', join(folder, 'killed.ioheat'), '--format', 'csv']);
    expect(rowsOf(stdout).length).toBeGreaterThan(100);
    expect(stderr).toMatch(/^ioheat: [^\n]+\n$/);
  });

  it.each(['demo.biosnoop.txt', 'demo.trace2heatmap.txt'])(
    `%s exported by version ${version} can be imported, with every I/O that has a latency`,
    (name) => {
      const rows = rowsOf(readFileSync(join(folder, 'demo.csv'), 'utf8'));
      expect(report(join(folder, name)).totals.ios).toBe(
        rows.filter((row) => row['device_ns'] !== '').length,
      );
    },
  );

  it(`settings saved by version ${version} are all understood`, () => {
    const home = mkdtempSync(join(tmpdir(), 'ioheat-version-'));
    try {
      mkdirSync(join(home, 'ioheat'));
      cpSync(join(folder, 'settings.json'), join(home, 'ioheat/settings.json'));
      const { settings, notice } = loadSettings(settingsPath({ XDG_CONFIG_HOME: home }));
      const kept = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as object;
      expect(notice).toBeUndefined();
      expect(Object.keys(settings).sort()).toEqual(Object.keys(kept).sort());
      expect(settings).toMatchObject({ metric: 'size', layout: 'single', intervalNs: 1e9 });
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
