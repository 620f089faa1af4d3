import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { isWhole } from './support/screens.ts';
import { IN_FLIGHT_COLOR } from '../../src/ui/picture/mark-pixels.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat } = useSessions();

const MIB = 1 << 20;

let program: BundledEntry;
let disk: SlowDisk;
let reader: ChildProcess | undefined;

beforeEach(async () => {
  program = await buildSlowFile();
  disk = await SlowDisk.start(program, MIB);
});

afterEach(async () => {
  disk.resume();
  reader?.kill('SIGKILL');
  await disk.dispose();
  program.dispose();
});

/** One read of the last 4 KiB. */
function readEnd(path: string): ChildProcess {
  const args = [`if=${path}`, 'of=/dev/null', 'iflag=direct', 'bs=4096', 'count=1', 'skip=255'];
  return spawn('dd', args, { stdio: 'ignore' });
}

test(
  'a read that hangs is listed with its age and owner until the disk answers',
  needs('tracing'),
  async () => {
    const session = ioheat(['--disk', disk.loop.name], { columns: 120, rows: 40 });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    disk.hang();
    reader = readEnd(disk.loop.path);
    await session.waitUntil(
      () => [session.cells().fg, session.cells().bg].some((all) => all.includes(IN_FLIGHT_COLOR)),
      'waiting for a pixel of what is in flight',
    );
    session.type('I');
    await session.waitFor('1 I/O in flight');
    const line = session.screen().find((each) => each.includes('at the device'));
    expect(line).toMatch(
      new RegExp(
        `at the device +${disk.loop.name} +${reader.pid!} +dd +\\(device\\) +read +4K +2040 ?│`,
      ),
    );
    await session.waitUntil(
      () => session.screen().some((each) => /│! +\d\S*s +at the device/.test(each)),
      'waiting for the age to grow',
    );
    disk.resume();
    await session.waitFor('nothing is in flight now');
    session.type('q');
    await session.waitFor('dd');
  },
);
