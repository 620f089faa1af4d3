import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isWhole } from '../e2e/support/screens.ts';
import { useSessions } from '../e2e/support/sessions.ts';
import { Account, expectWhole } from '../kernel/fixtures/account.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { TraceSession } from '../kernel/fixtures/trace-session.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { LoopDevice } from '../load/loop-device.ts';

const MIB = 1 << 20;
const DISK_BYTES = 64 * MIB;
const SMALLEST_RING = 1 << 16;
const COUNT = 60_000;

const { ioheat } = useSessions();

describe('seen plus counted losses equal the true count', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: LoopDevice;
  let account: Account;
  const burners: ChildProcess[] = [];
  beforeEach(async () => {
    program = await buildLoad();
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    account = new Account(disk);
  });
  afterEach(() => {
    for (const burner of burners.splice(0)) burner.kill('SIGKILL');
    account.dispose();
    disk.dispose();
    program.dispose();
  });

  async function load(seed: number): Promise<void> {
    const order = { depth: 32, batch: 8, count: COUNT, blockBytes: 4096, writes: 0.3 };
    const running = startLoad(program, { ...order, path: disk.path, spanBytes: DISK_BYTES, seed });
    expect((await running.report).failures).toBe(0);
  }

  /** Reads now and then until the load is over, so rarely that the smallest ring is full meanwhile. */
  async function readWhile(sessions: readonly TraceSession[], work: Promise<void>) {
    const seen = sessions.map(() => ({ rows: 0, summarised: 0 }));
    const look = (): void => {
      sessions.forEach((session, index) => {
        seen[index]!.rows += session.count(disk.dev);
        for (const { count } of session.takeSummaries(disk.dev)) seen[index]!.summarised += count;
      });
    };
    const timer = setInterval(look, 250);
    await work;
    clearInterval(timer);
    look();
    return seen;
  }

  function burnEveryProcessor(): void {
    for (let i = 0; i < 4; i++)
      burners.push(spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
  }

  test('seen plus lost I/O is the true count with the smallest ring and every processor busy', async () => {
    const session = TraceSession.open({ ringBytes: SMALLEST_RING });
    try {
      session.focus(disk.dev);
      burnEveryProcessor();
      const [seen] = await readWhile([session], load(1));
      expect(seen!.summarised).toBeGreaterThan(0);
      expectWhole(session, disk, account, seen!);
    } finally {
      session.dispose();
    }
  });

  test('seen plus lost I/O is the true count in two traces at once, one with the smallest ring', async () => {
    const sessions = [TraceSession.open({ ringBytes: SMALLEST_RING }), TraceSession.open()];
    try {
      for (const session of sessions) session.focus(disk.dev);
      const seen = await readWhile(sessions, load(2));
      sessions.forEach((session, index) => {
        expectWhole(session, disk, account, seen[index]!);
      });
    } finally {
      for (const session of sessions) session.dispose();
    }
  });

  test('seen plus lost I/O, as --verbose prints it, is the true count for ioheat stopped under load', async () => {
    const args = ['--disk', disk.name, '--ring', '64k', '--verbose'];
    const session = ioheat(args, { columns: 100, rows: 30 });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    session.kill('SIGSTOP');
    await load(3);
    session.kill('SIGCONT');
    await session.waitFor(/pic .* det (?!100%)|in picture .* in detail (?!100%)/);
    session.type('q');
    await session.exit;
    const said = /delivered (\d+), aggregated (\d+), lost (\d+)/.exec(session.output);
    const [delivered, summarised, lost] = said!.slice(1).map(Number);
    expect(summarised).toBeGreaterThan(COUNT / 2);
    const { reads, writes } = account.stats();
    const told = session.output.slice(said!.index);
    expect({ sum: delivered! + summarised! + lost!, told }).toEqual({ sum: reads + writes, told });
    expect(account.completed()).toBe(reads + writes);
    for (const name of ['overwritten', 'vanished', 'skipped', 'unsummarised', 'unseen'])
      expect(session.output).toMatch(new RegExp(`\\n +${name} \\d+`));
    expect(session.output).toMatch(/\nwith unknown owner \d+/);
  });
});
