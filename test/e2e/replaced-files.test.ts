import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureBuilt, IOHEAT } from './build.ts';
import { Key, startPty } from './pty.ts';
import type { PtySession } from './pty.ts';
import { isWhole } from './support/screens.ts';

const ROOT = join(IOHEAT, '../..');

let installed: string;
let session: PtySession;

/** A copy whose files can be replaced while it runs. */
beforeEach(async () => {
  ensureBuilt();
  installed = mkdtempSync(join(tmpdir(), 'ioheat-installed-'));
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(installed, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  session = startPty(process.execPath, [join(installed, 'bin/ioheat'), 'demo'], {
    ...{ columns: 120, rows: 30, cwd: installed, env: { HOME: installed } },
  });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
});

afterEach(async () => {
  await session.dispose();
  rmSync(installed, { recursive: true });
});

const AGAIN = 'its files changed; start it again';

/** The parts of another version have other names. */
function update(): void {
  rmSync(join(installed, 'dist'), { recursive: true });
}

async function quit(): Promise<void> {
  session.type(`${Key.escape}q`);
  expect((await session.exit).code).toBe(0);
}

test.each([
  ['?', `cannot load this dialog: ${AGAIN}`],
  ['t', `cannot load the charts: ${AGAIN}`],
])('after an update of the running program, %s says to start it again', async (key, text) => {
  update();
  session.type(key);
  await session.waitFor(text);
  await quit();
});

test.each([
  ['R', 'record to: '],
  ['D', 'save '],
  ['E', 'write '],
])(
  'after an update while %s asks for a name, nothing is written, and the screen stays',
  async (key, prompt) => {
    session.type(key);
    await session.waitFor(prompt);
    update();
    session.type(Key.enter);
    await session.waitFor(`cannot load more of ioheat: ${AGAIN}`);
    await quit();
  },
);
