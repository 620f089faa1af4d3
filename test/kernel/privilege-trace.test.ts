import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleEntry, type BundledEntry } from './fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import type { TraceReport } from './fixtures/trace-handover-entry.ts';

const NOBODY = 65534;

describe('a trace handed over by exec', needs('root'), () => {
  let entry: BundledEntry;
  let here: string;
  beforeAll(async () => {
    entry = await bundleEntry('test/kernel/fixtures/trace-handover-entry.ts');
    here = join(entry.folder, 'here');
    mkdirSync(here);
    chownSync(here, NOBODY, NOBODY);
  });
  afterAll(() => {
    entry.dispose();
  });

  it('a trace handed over by exec continues, and a program without any privilege reads what it writes itself', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [entry.path], {
      cwd: here,
      env: { PATH: process.env['PATH'], SUDO_UID: `${NOBODY}`, SUDO_GID: `${NOBODY}` },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const found = JSON.parse(stdout) as TraceReport;
    expect(found.uid).toBe(NOBODY);
    expect(found.after).toBeGreaterThan(found.before);
    expect(found.links).toBe(found.expectedLinks);
    expect(found.links).toBeGreaterThan(0);
  });
});
