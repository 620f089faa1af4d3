import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Key } from './pty.ts';
import type { PtySession } from './pty.ts';
import { eveningRecording } from './support/evening.ts';
import { isCounted } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat } = useSessions();
const folder = mkdtempSync(join(tmpdir(), 'ioheat-evening-'));
const recording = join(folder, 'evening.ioheat');

beforeAll(async () => {
  writeFileSync(recording, await eveningRecording());
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The replay of the evening, with all of it on the screen. */
async function evening(columns: number, rows: number): Promise<PtySession> {
  const session = ioheat(['replay', recording], { columns, rows, env: { TZ: 'UTC' } });
  await session.waitFor('END 100%');
  await session.waitUntil(() => isCounted(session), 'waiting for the whole picture');
  return session;
}

/** The first row of the table of processes: of the cursor's column, sorted by waiting. */
const FIRST_ROW = String.raw`WAIT%.*\n.*`;

/** What is on the screen after the keys, as one text. */
async function after(session: PtySession, keys: string, answer: RegExp): Promise<void> {
  session.type(keys);
  await session.waitUntil(() => answer.test(session.screen().join('\n')), `waiting for ${answer}`);
}

describe.each([
  [80, 24],
  [120, 40],
])('on a terminal of %i×%i', (columns, rows) => {
  test('one key says who causes the stall and that it comes every 45 s', async () => {
    const session = await evening(columns, rows);
    await after(session, 'N', /every 45s/);
    expect(session.screen().join('\n')).toMatch(new RegExp(`${FIRST_ROW}4711 snapshotd`));
  });

  test('the same key says that the stall is in the queue, not at the device', async () => {
    const session = await evening(columns, rows);
    await after(session, 'N', /p99 +5\d\dms = queue 4\d\d \+ device 5\d\b/);
  });

  test('a second key says which disk', async () => {
    const session = await evening(columns, rows);
    const disk = columns < 100 ? Key.tab : '';
    await after(session, `N${disk}`, /%UTIL.*\n.*\bsda\b/);
  });

  test('four keys say which container waits', async () => {
    const session = await evening(columns, rows);
    await after(session, 'GGGG', new RegExp(`${FIRST_ROW}snapshot.service`));
    await after(session, '', /docker 77aa03c9be14/);
  });

  test('going to 14:02 shows the process that began then, and the column before has none', async () => {
    const session = await evening(columns, rows);
    await after(session, 'g14:02\r', /14:02:00–14:02:0\d.*\n(.*\n)+.*9033 indexer/);
    await after(session, Key.left, /14:01:\d\d–14:02:00/);
    expect(session.screen().join('\n')).not.toMatch(/ indexer /);
  });
});
