import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTraces } from '../../../src/app/open/open-traces.ts';
import { formatError } from '../../../src/base/result.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';

const LOG = `TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)
0.000000    dd             892    vda       R 2048       4096      0.25
`;

describe('the files of a trace', () => {
  let folder = '';
  const at = (name: string): string => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ioheat-'));
    writeFileSync(at('a.log'), LOG);
    writeFileSync(at('b.log'), LOG);
    linkSync(at('a.log'), at('hard.log'));
    symlinkSync(at('a.log'), at('soft.log'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function answer(...names: readonly string[]): Promise<string> {
    const opened = await openTraces(names.map(at), new IdentityTable());
    if (!opened.ok) return `${opened.error.exitCode} ${formatError(opened.error)}`;
    for (const { reader } of opened.value) reader.dispose();
    return opened.value.map(({ name }) => name).join(' ');
  }

  it('may hold the same, but each is read once', async () => {
    expect(await answer('a.log', 'b.log')).toBe('a.log b.log');
    expect(await answer('a.log', 'b.log', 'a.log')).toBe(
      `2 cannot read ${at('a.log')} twice: its I/O would be counted twice; give each file once`,
    );
  });

  it('are refused if two names are of one file', async () => {
    for (const other of ['hard.log', 'soft.log'])
      expect(await answer('a.log', other)).toBe(
        `2 cannot combine ${at('a.log')} and ${at(other)}: they are the same file; give each file once`,
      );
  });

  it('that are missing are an error of their own', async () => {
    expect(await answer('none.log', 'none.log')).toContain('no such file');
  });
});
