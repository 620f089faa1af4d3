import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isWhole } from '../e2e/support/screens.ts';
import { useSessions } from '../e2e/support/sessions.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';

const MIB = 1 << 20;

const { ioheat } = useSessions();

describe('a disk that does not answer', needs('tracing'), () => {
  let programs: BundledEntry[];
  let disk: SlowDisk;
  beforeEach(async () => {
    programs = [await buildSlowFile(), await buildLoad()];
    disk = await SlowDisk.start(programs[0]!, 4 * MIB);
  });
  afterEach(async () => {
    disk.resume();
    await disk.dispose();
    for (const program of programs) program.dispose();
  });

  test('the screen names a disk that does not answer while it hangs, and no longer when it answers', async () => {
    const { name, path } = disk.loop;
    const session = ioheat(['--disk', name], { columns: 120, rows: 30 });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    disk.hang();
    const order = { depth: 1, batch: 1, count: 1, blockBytes: 4096, spanBytes: MIB, seed: 1 };
    const load = startLoad(programs[1]!, { ...order, path, writes: 0 });
    const told = (): boolean => session.screen().some((line) => line.includes(`hangs on ${name}`));
    await session.waitUntil(told, 'waiting for the hanging request');
    disk.resume();
    expect((await load.report).failures).toBe(0);
    await session.waitUntil(() => !told(), 'waiting for the end of the hanging request');
    session.type('q');
    await session.exit;
  });
});
