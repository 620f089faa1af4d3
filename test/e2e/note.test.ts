import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';

const START_MS = 20_000;
const NO_ACCOUNT = 54_321;

let home: string;
let recorders: ChildProcess[];

beforeAll(ensureBuilt);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ioheat-note-'));
  recorders = [];
});

afterEach(async () => {
  await Promise.all(recorders.map(ended));
  rmSync(home, { recursive: true });
});

function options() {
  const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home, LANG: 'C.UTF-8' };
  return { cwd: home, env };
}

async function startRecording(file: string): Promise<void> {
  const words = ['record', file, 'storm', '--source', 'demo', '--duration', '60s'];
  const child = spawn(process.execPath, [IOHEAT, ...words], { ...options(), stdio: 'ignore' });
  recorders.push(child);
  const own = join(home, 'ioheat/notes', `${child.pid}.recorder`);
  // Re-executing itself keeps the PID.
  await vi.waitUntil(() => existsSync(own), { timeout: START_MS });
}

/** Ends it as Ctrl-C does. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await exited;
}

function ioheat(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [IOHEAT, ...args], {
    ...options(),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function notesOf(file: string): { readonly time: string; readonly text: string }[] {
  const report = JSON.parse(ioheat('report', file, '--json').stdout) as {
    readonly notes: { readonly time: string; readonly text: string }[];
  };
  return report.notes;
}

describe('ioheat note', () => {
  it('ioheat note puts its words into every recording that runs, at the time at which it was called', async () => {
    await startRecording('a.ioheat');
    await startRecording('b.ioheat');
    const beforeMs = Date.now();
    const done = ioheat('note', 'deploy', '4.2');
    const afterMs = Date.now();
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toMatch(
      /^note taken by 2 recorders: record [ab]\.ioheat \(PID \d+\), record/,
    );
    await Promise.all(recorders.map(ended));
    for (const file of ['a.ioheat', 'b.ioheat']) {
      const [note, ...others] = notesOf(file);
      expect(others).toEqual([]);
      expect(note?.text).toBe('deploy 4.2');
      // The recorder has its clock from the start on, the file system has coarse times.
      expect(Date.parse(note!.time)).toBeGreaterThan(beforeMs - 100);
      expect(Date.parse(note!.time)).toBeLessThan(afterMs + 100);
    }
    expect(ioheat('report', 'a.ioheat').stdout).toMatch(/\nNotes\nTime +Note\n\S+ +deploy 4\.2\n/);
    expect(readdirSync(join(home, 'ioheat/notes'))).toEqual([]);
  });

  it('ioheat note says in one sentence that nothing runs, or what is wrong with its words', () => {
    const nobody = ioheat('note', 'deploy');
    expect(nobody).toMatchObject({ status: 1, stdout: '' });
    expect(nobody.stderr).toBe(
      'ioheat: cannot deliver the note: no ioheat live or record of this user is running; ' +
        'start one, for example ioheat record io.ioheat\n',
    );
    expect(ioheat('note')).toMatchObject({ status: 2 });
    expect(ioheat('note', ' ').stderr).toBe(
      'ioheat: TEXT: it is empty; write 1 to 200 characters\n',
    );
    expect(ioheat('note', 'x'.repeat(201)).stderr).toContain('it has 201 characters');
  });
});

describe('a user without an account and without HOME', needs('root'), () => {
  it.each([
    ['note', ['deploy'], 1, /^ioheat: cannot deliver the note: no ioheat .*\n$/],
    ['record', ['-', '--source', 'demo', '--duration', '100ms'], 0, /^$/],
  ])('%s works without a home directory', (command, words, status, stderr) => {
    const done = spawnSync(process.execPath, [IOHEAT, command, ...words], {
      ...{ cwd: '/', uid: NO_ACCOUNT, gid: NO_ACCOUNT, env: { LANG: 'C.UTF-8' } },
    });
    expect(String(done.stderr)).toMatch(stderr);
    expect(done.status).toBe(status);
  });
});
