import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IOHEAT } from './build.ts';

const PROJECT = dirname(dirname(IOHEAT));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-start-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('npm start in a clone that is not built says so, and installs nothing', () => {
  for (const name of ['bin', 'package.json'])
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  for (const name of ['apt-get', 'sudo']) {
    writeFileSync(join(folder, name), `#!/bin/sh\n: >'${folder}/called'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const started = spawnSync(join(folder, 'bin/start'), { env, encoding: 'utf8' });
  expect(started.stderr).toBe(
    'ioheat: not built: dist/ioheat.js is missing; run npm ci, which builds it\n',
  );
  expect(started).toMatchObject({ stdout: '', status: 1 });
  expect(existsSync(join(folder, 'called'))).toBe(false);
});
