import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordingFolder } from '../trace/replay/recording-file.ts';
import { ensureBuilt, IOHEAT } from './build.ts';

const folder = new RecordingFolder();
let recording = '';

beforeAll(async () => {
  ensureBuilt();
  recording = await folder.add('demo.ioheat', { name: 'mixed', seconds: 2, rate: 50 });
});

afterAll(() => {
  folder.remove();
});

function exported(...args: string[]): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [IOHEAT, 'export', ...args], { encoding: 'utf8' });
}

test('export --force replaces a file, but never the trace that it reads, by whatever name', () => {
  const before = readFileSync(recording);
  const link = join(folder.path, 'link.ioheat');
  linkSync(recording, link);
  for (const output of [recording, link]) {
    const { status, stderr } = exported(recording, '--format', 'csv', '-o', output, '--force');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `ioheat: cannot replace ${output}: it is a trace that is exported; name another file\n`,
    });
    expect(readFileSync(recording).equals(before)).toBe(true);
  }
  const rows = join(folder.path, 'rows.csv');
  for (const status of [0, 0])
    expect(exported(recording, '-o', rows, '--force')).toMatchObject({ status });
  expect(readFileSync(rows, 'utf8').split('\n').length).toBeGreaterThan(50);
});
