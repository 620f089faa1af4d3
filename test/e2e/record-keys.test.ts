import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { openRecording } from '../../src/trace/recording/reading/open-recording.ts';
import { readRows } from '../trace/recording/fixtures/record.ts';
import type { PtySession } from './pty.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';
import { must } from '../must.ts';

const { ioheat } = useSessions();
const ENTER = '\r';
const CLEAR_LINE = '\x15';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-keys-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function rowsIn(path: string): number {
  const reader = must(openRecording(path, new IdentityTable()));
  const { length } = readRows(reader);
  expect(reader.problems()).toEqual([]);
  reader.dispose();
  return length;
}

async function open(args: readonly string[] = []): Promise<PtySession> {
  const session = ioheat(['demo', ...args], { columns: 120, rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  return session;
}

test('R records until pressed again, into a file whose name can be edited', async () => {
  const session = await open();
  session.type('R');
  await session.waitFor('record to: ioheat-');
  session.type(`${CLEAR_LINE}${folder}/now.ioheat${ENTER}`);
  await session.waitFor(/REC now\.ioheat [1-9][\d.]* [kM]B/);
  session.type('R');
  await session.waitFor('recorded');
  expect(rowsIn(join(folder, 'now.ioheat'))).toBeGreaterThan(0);
  expect(statSync(join(folder, 'now.ioheat')).mode & 0o777).toBe(0o600);
});

test('R in a replay says at once what saves a part of it, and asks for no name', async () => {
  const recording = join(import.meta.dirname, '../fixtures/0.1.0/demo.ioheat');
  const session = ioheat(['replay', recording], { columns: 120, rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type('R');
  await session.waitFor('cannot record a replay; D saves a part of it');
  expect(session.shows('record to:')).toBe(false);
});

test('a file name that exists is refused next to the line, and nothing is written', async () => {
  const session = await open();
  session.type(`R${CLEAR_LINE}/etc/hostname${ENTER}`);
  await session.waitFor('file exists');
  expect(session.shows('--force')).toBe(false);
  session.type(`${CLEAR_LINE}${folder}/other.ioheat${ENTER}`);
  await session.waitFor('REC other.ioheat');
});

test('--force is for the file of --write alone, not for one that R is given later', async () => {
  const [first, other] = [join(folder, 'first.ioheat'), join(folder, 'kept')];
  writeFileSync(first, 'replaced');
  writeFileSync(other, 'kept');
  const session = await open(['--write', first, '--force']);
  await session.waitFor('REC first.ioheat');
  session.type('R');
  await session.waitFor('recorded');
  session.type(`R${CLEAR_LINE}${other}${ENTER}`);
  await session.waitFor('file exists');
  expect(readFileSync(other, 'utf8')).toBe('kept');
});

test.each([
  ['E', 'shown.foo', 'use .png', 'shown.png', 'written to'],
  ['E', 'none/shown.png', 'no such directory', 'shown.png', 'written to'],
  ['D', 'none/past.ioheat', 'no such directory', 'past.ioheat', 'saved'],
  ['D', 'file/past.ioheat', 'not a directory', 'past.ioheat', 'saved'],
])(
  '%s keeps the prompt open for a name that cannot be: %s',
  async (key, refused, why, name, written) => {
    writeFileSync(join(folder, 'file'), '');
    const session = await open();
    session.type(`${key}${CLEAR_LINE}${folder}/${refused}${ENTER}`);
    await session.waitFor(why);
    session.type(`${CLEAR_LINE}${folder}/${name}${ENTER}`);
    await session.waitFor(written);
    expect(statSync(join(folder, name)).size).toBeGreaterThan(0);
  },
);

test('D saves the history, or the box alone when there is one', async () => {
  const session = await open();
  session.type(`D${CLEAR_LINE}${folder}/all.ioheat${ENTER}`);
  await session.waitFor(/saved .* I\/Os.*all\.ioheat/);
  session.type('v');
  await session.waitFor('Esc: back');
  session.type(`vHK`);
  session.type(`D${CLEAR_LINE}${folder}/box.ioheat${ENTER}`);
  await session.waitFor(/saved .* I\/Os?.*box\.ioheat/);
  const [all, box] = [rowsIn(join(folder, 'all.ioheat')), rowsIn(join(folder, 'box.ioheat'))];
  expect(all).toBeGreaterThan(1000);
  expect(box).toBeLessThan(all / 2);
});

test('--write records from the start, and quitting prints what is in the file', async () => {
  const path = join(folder, 'start.ioheat');
  const session = await open(['--write', path]);
  await session.waitFor(/REC start\.ioheat ([1-9]\d+ kB|[\d.]+ MB)/);
  session.type('q');
  expect(await session.exit).toMatchObject({ code: 0 });
  expect(rowsIn(path)).toBeGreaterThan(1000);
});
