import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { useSessions } from '../e2e/support/sessions.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { EndedRun, RECORDERS } from './support/ended-run.ts';
import type { Recorder } from './support/ended-run.ts';
import { listeningOf } from './support/listening.ts';
import { ownCounts } from './support/own-counts.ts';
import { until } from '../until.ts';

const MIB = 1 << 20;
const DISK_BYTES = 16 * MIB;
const IOS = 3000;
const { signals } = constants;

/** A way to end it. Signals are sent one after the other. */
interface Ending {
  readonly name: string;
  readonly signals?: readonly NodeJS.Signals[];
  readonly fault?: 'hang-up' | 'deaf hang-up' | 'full' | 'deleted' | 'replaced';
  readonly keys?: string;
}

const DEADLY = [
  'SIGTERM',
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGALRM',
  'SIGUSR2',
  'SIGXCPU',
] as const satisfies readonly NodeJS.Signals[];
/** Those that change nothing, before one that ends it. */
const HARMLESS: readonly (readonly NodeJS.Signals[])[] = [
  ['SIGUSR1'],
  ['SIGPIPE'],
  ['SIGXFSZ'],
  ['SIGTSTP', 'SIGCONT'],
  ['SIGSTOP', 'SIGCONT'],
  ['SIGWINCH'],
];

const ENDINGS: readonly Ending[] = [
  ...DEADLY.map((signal) => ({ name: signal, signals: [signal] })),
  ...HARMLESS.map((some) => ({
    name: [...some, 'SIGTERM'].join(', then '),
    signals: [...some, 'SIGTERM' as const],
  })),
  { name: 'a second SIGTERM at once', signals: ['SIGTERM', 'SIGTERM'] },
  { name: 'a terminal that hangs up', fault: 'hang-up' },
  { name: 'a terminal that hangs up on a shell that ignores it', fault: 'deaf hang-up' },
  { name: 'a full disk', fault: 'full' },
  { name: 'a file that is deleted', fault: 'deleted' },
  { name: 'a file that is replaced', fault: 'replaced' },
  { name: 'q', keys: 'q' },
  { name: 'Ctrl-C', keys: '\x03' },
];

/** Sums are too small to fill a disk; a pipe has no file; keys need a screen. */
function isPossible({ isPiped, args, hasScreen }: Recorder, { fault, keys }: Ending): boolean {
  if (keys === 'q' && !hasScreen) return false;
  if (fault === 'full' && (isPiped === true || args.includes('--summary'))) return false;
  if (fault === 'deleted' || fault === 'replaced') return isPiped !== true;
  return true;
}

const ALL = ENDINGS.flatMap((ending) =>
  RECORDERS.filter((recorder) => isPossible(recorder, ending)).map(
    (recorder) => [recorder.name, ending.name, recorder, ending] as const,
  ),
);
/** So many of them in turn, each command and each ending at least once; `ENDS_ROUNDS=2`: all, twice. */
const STEP = 5;
const ROUNDS = Number(process.env['ENDS_ROUNDS'] ?? 0);
const CASES =
  ROUNDS > 0
    ? Array.from({ length: ROUNDS }, () => ALL).flat()
    : ALL.filter((_, index) => index % STEP === 0);

function expectedStatus({ hasScreen }: Recorder, ending: Ending): number {
  const { fault, keys } = ending;
  if (fault === 'hang-up' || fault === 'deaf hang-up') return 128 + signals.SIGHUP;
  if (fault !== undefined) return 1;
  if (keys !== undefined) return 0;
  const last = ending.signals!.at(-1)!;
  return last === 'SIGINT' && !hasScreen ? 0 : 128 + signals[last];
}

const { bash } = useSessions();

describe(
  'however a recording ends, it is closed and its counts are right',
  needs('tracing'),
  () => {
    let program: BundledEntry;
    let counted: LoopDevice;
    let busy: LoopDevice;
    let run: EndedRun | undefined;
    let replaced = '';
    beforeAll(async () => {
      program = await buildLoad();
    });
    afterAll(() => {
      program.dispose();
    });
    beforeEach(() => {
      counted = LoopDevice.create({ bytes: DISK_BYTES });
      busy = LoopDevice.create({ bytes: DISK_BYTES });
    });
    afterEach(() => {
      run?.dispose();
      run = undefined;
      counted.dispose();
      busy.dispose();
    });

    function load(disk: LoopDevice, seed: number, perSecond?: number) {
      const order = { depth: 8, batch: 4, count: IOS, blockBytes: 4096, writes: 0.3, seed };
      const pace = perSecond === undefined ? {} : { perSecond };
      const rest = { path: disk.path, spanBytes: DISK_BYTES };
      return startLoad(program, { ...order, ...rest, ...pace }).report;
    }

    async function end({ session, pid, recorder }: EndedRun, ending: Ending): Promise<void> {
      if (ending.keys !== undefined) session.type(ending.keys);
      for (const signal of ending.signals ?? []) {
        process.kill(pid, signal);
        if (signal !== ending.signals!.at(-1)) await sleep(150);
        if (signal === 'SIGUSR1') expect(listeningOf(pid)).toEqual([]);
      }
      if (ending.fault?.endsWith('hang-up') === true) {
        session.hangUp();
        // What draws notices itself; to others the kernel or the shell tells it, unless it lives on.
        if (!recorder.hasScreen) process.kill(pid, 'SIGHUP');
      }
      if (ending.fault === 'deleted') run!.takeFileAway();
      if (ending.fault === 'replaced') replaced = run!.takeFileAway('mine');
      const isTold = ['full', 'deleted', 'replaced'].includes(ending.fault ?? '');
      if (!isTold || !recorder.hasScreen) return;
      // The screen lives on, and says why the recording does not.
      await session.waitFor(/no space left|deleted or replaced/);
      session.type('q');
    }

    test.each(CASES)(
      'a recording is closed and its counts are right: %s, ended by %s',
      { timeout: 60_000 },
      async (_recorder, _ending, recorder, ending) => {
        const { fault } = ending;
        run = await EndedRun.start(recorder, bash, {
          isFull: fault === 'full',
          isDeaf: fault === 'deaf hang-up',
        });
        const before = readDiskstats().get(counted.dev)!;
        expect((await load(counted, 1)).failures).toBe(0);
        const { reads, writes } = diskstatsSince(before, readDiskstats().get(counted.dev)!);
        const running = load(busy, 2, 3000);
        await end(run, ending);
        expect(await run.status()).toBe(expectedStatus(recorder, ending));
        expect(run.cores()).toEqual([]);
        await running;
        const isHungUp = fault?.endsWith('hang-up') === true;
        if (!isHungUp) {
          await run.session.waitFor('ended');
          expect(run.leftModes()).toEqual([]);
        }
        if (fault === 'replaced') expect(readFileSync(replaced, 'utf8')).toBe('mine');
        if (fault === 'deleted' || fault === 'replaced') return;
        if (recorder.isPiped === true) await pipeDrained(run);
        const parts = run.recordings().map(ownCounts);
        for (const { own, found, problems } of parts) {
          expect(problems).toEqual([]);
          expect(own).toMatchObject(found);
        }
        const lost = parts.reduce((sum, { own }) => sum + own.lost, 0);
        const seen = parts.reduce((sum, { byDisk }) => sum + (byDisk.get(counted.dev) ?? 0), 0);
        expect(seen).toBeLessThanOrEqual(reads + writes);
        if (fault === 'full') expect(lost).toBeGreaterThan(0);
        // Of a pattern, or of a recording that was over before the load was.
        if (recorder.args.startsWith('demo') || fault === 'full') return;
        expect(seen + lost).toBeGreaterThanOrEqual(reads + writes);
        if (lost === 0) expect(seen).toBe(reads + writes);
      },
    );

    /** What reads the pipe may end after what writes to it. */
    async function pipeDrained({ folder }: EndedRun): Promise<void> {
      const path = join(folder, 'files', 'io.ioheat');
      const isClosed = (): boolean => existsSync(path) && ownCounts(path).problems.length === 0;
      await until(isClosed, 'the end of the pipe');
    }
  },
);
