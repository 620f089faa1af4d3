import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { query, sqlIn } from './support/duck.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CASES = readFileSync(join(ROOT, 'docs/cases.md'), 'utf8');
const CASE = blockAfter('case');
const ANSWER = blockAfter('answer');
const EXPORT = blockAfter('export');
const [STALE = ''] = sqlIn(CASES);

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

describe('docs/cases.md', needs('tracing', { program: 'jq' }), () => {
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

  function staleReads(): Promise<Record<string, unknown>[]> {
    shell(EXPORT);
    return query(folder, STALE);
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
    expect(await staleReads()).toEqual([
      {
        comm: 'shipper',
        file: expect.stringMatching(/\/app\.log$/) as string,
        file_offset: '26',
        result: '0',
      },
    ]);
  });

  it('the corrected log shipper reads the other file from its beginning', async () => {
    expect(play('--corrected')).toContain('shipped 16 bytes from 0 on');
    expect(seenIn(shell(ANSWER)).at(-1)).toMatchObject({ who: 'shipper', offset: 0, result: 16 });
    expect(await staleReads()).toEqual([]);
  });
});
