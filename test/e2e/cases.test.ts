import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { queryClickHouse } from './support/clickhouse.ts';
import { query, sqlIn } from './support/duck.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CASES = readFileSync(join(ROOT, 'docs/cases.md'), 'utf8');
const CASE = blockAfter('case');
const ANSWER = blockAfter('answer');
const EXPORT = blockAfter('export');
const [STALE = ''] = sqlIn(CASES, 'A log shipper loses lines, and no call fails');
const [COMPETING = ''] = sqlIn(CASES, 'RocksDB answers late while it compacts');
/** A read that meets a compaction takes at least so many times as long as one that meets nothing; 25 were measured. */
const LATER = 3;
const STALE_BY_CLICKHOUSE = sqlIn(
  readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8'),
  'ClickHouse',
).at(-1)!;

function blockAfter(mark: string): string {
  return new RegExp(`<!-- ${mark} -->\\s+\`\`\`sh\\n(.*?)\`\`\``, 's').exec(CASES)![1]!;
}

/** A read by the shipper or a write by the program, as the document prints them. */
interface Seen {
  readonly who: string;
  readonly call: string;
  readonly generation: string;
  readonly offset: number;
  readonly result: number;
}

function seenIn(printed: string): Seen[] {
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, call]) => call !== 'unlink')
    .map(([who = '', call = '', , generation = '', offset, result]) => ({
      ...{ who, call, generation },
      ...{ offset: Number(offset), result: Number(result) },
    }));
}

describe('docs/cases.md', needs('tracing', 'ClickHouse', { program: 'jq' }), () => {
  let folder: string;
  beforeEach(() => {
    ensureBuilt();
    folder = mkdtempSync(join(tmpdir(), 'ioheat-cases-'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync(IOHEAT, join(folder, 'bin/ioheat'));
    symlinkSync(join(ROOT, 'test'), join(folder, 'test'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function shell(script: string): string {
    const PATH = `${folder}/bin:${process.env['PATH'] ?? ''}`;
    const env = { PATH, HOME: folder, TZ: 'UTC', LANG: 'C.UTF-8' };
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
      ...{ cwd: folder, env, encoding: 'utf8' as const },
    });
    expect({ status, error: status === 0 ? '' : stderr }).toEqual({ status: 0, error: '' });
    return stdout;
  }

  /** The test is root already. */
  function play(option: string): string {
    return shell(CASE.replace('sudo ', '').replace('log-shipper.mjs .', `$& ${option}`));
  }

  /** As DuckDB finds them, and ClickHouse. */
  async function staleReads(): Promise<Record<string, unknown>[]> {
    shell(EXPORT);
    const found = await query(folder, STALE);
    const numbers = (rows: readonly Record<string, unknown>[]): unknown =>
      rows.map((row) => [row['comm'], Number(row['file_offset']), Number(row['written'])]);
    expect(numbers(queryClickHouse(folder, STALE_BY_CLICKHOUSE))).toEqual(numbers(found));
    return found;
  }

  function staleRead(written: string): Record<string, unknown> {
    const file = expect.stringMatching(/\/app\.log$/) as string;
    return { comm: 'shipper', file, file_offset: '26', written, result: '0' };
  }

  it('the lost lines of a log shipper are a read past the end of another file of the same name', async () => {
    expect(play('')).toContain('shipped 0 bytes from 26 on');
    const [wrote, read, wroteAgain, readAgain] = seenIn(shell(ANSWER));
    expect(wrote).toMatchObject({ who: 'app', call: 'write', offset: 0, result: 26 });
    expect(read).toMatchObject({ who: 'shipper', call: 'pread64', offset: 0, result: 26 });
    expect(wroteAgain).toMatchObject({ who: 'app', call: 'write', offset: 0, result: 16 });
    expect(readAgain).toMatchObject({ who: 'shipper', call: 'pread64', offset: 26, result: 0 });
    expect(read!.generation).toBe(wrote!.generation);
    expect(readAgain!.generation).toBe(wroteAgain!.generation);
    expect(wroteAgain!.generation).not.toBe(wrote!.generation);
    expect(await staleReads()).toEqual([staleRead('16')]);
  });

  it.each([
    ['a truncation', '--truncate'],
    ['it is opened with O_TRUNC', '--reopen'],
  ])(
    'lines that are lost after %s are read past the end of what was written since',
    async (_, way) => {
      expect(play(way)).toContain('shipped 0 bytes from 26 on');
      const generations = new Set(seenIn(shell(ANSWER)).map(({ generation }) => generation));
      expect(generations.size).toBe(1);
      expect(await staleReads()).toEqual([staleRead('16')]);
    },
  );

  it.each([
    ['the other file', '--corrected'],
    ['the truncated file', '--truncate --corrected'],
    ['the emptied file', '--reopen --corrected'],
  ])('the corrected log shipper reads %s from its beginning', async (_, options) => {
    expect(play(options)).toContain('shipped 16 bytes from 0 on');
    expect(seenIn(shell(ANSWER)).at(-1)).toMatchObject({ who: 'shipper', offset: 0, result: 16 });
    expect(await staleReads()).toEqual([]);
  });

  it(
    'the late reads of a database on RocksDB are those that meet its compactions',
    needs({ program: 'db_bench' }),
    async () => {
      shell(blockAfter('rocksdb').replace('sudo ', ''));
      shell(blockAfter('rocksdb-picture'));
      expect(readFileSync(join(folder, 'rocksdb.png')).subarray(1, 4).toString()).toBe('PNG');
      shell(blockAfter('rocksdb-export'));
      const rows = await query(folder, COMPETING);
      const p50 = (competes: string | null): number =>
        Number(rows.find((row) => row['competes'] === competes)!['p50_ms']);
      expect(p50('rocksdb:low')).toBeGreaterThan(LATER * p50(null));
    },
  );
});
