import { setTimeout as sleep } from 'node:timers/promises';
import type { PtySession } from '../e2e/pty.ts';
import { startIoheat } from '../e2e/pty.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { SeededRandom } from '../random.ts';

/**
 * How soon a key is answered: from the key to the end of the frame that shows what it did, terminal
 * emulator included, while a loop device is under load. As root.
 *
 *   npm run bench -- key-latency
 *
 * KEY_IOPS and KEY_WARM_UP (seconds of load before the first key) change the load and the history.
 */
const IOPS = Number(process.env['KEY_IOPS'] ?? 100_000);
const WARM_UP_SECONDS = Number(process.env['KEY_WARM_UP'] ?? 40);
const ROUNDS = Number(process.env['KEY_ROUNDS'] ?? 12);
const MIB = 2 ** 20;
/** Longer than the keys take also on a busy machine; the load is ended after the last of them. */
const SECONDS = WARM_UP_SECONDS + ROUNDS * 40;

const LEFT = '\x1b[D';
const PAGE_UP = '\x1b[5~';
const END = '\x1b[F';
const ESCAPE = '\x1b';

/** Keys that leave the view as it was after each round. */
const KEYS: readonly (readonly [kind: string, keys: readonly string[]])[] = [
  ['metric', ['2', '3', '4', '5', '1']],
  ['scale', ['y', 'y']],
  ['outliers', ['x', 'x', 'x', 'x', 'x']],
  ['weight', ['w', 'w', 'w']],
  ['interval', ['-', '+']],
  ['scroll', [LEFT, PAGE_UP, END]],
  ['menu of filters', ['o']],
  ['filter', ['r', 'r', 'w', 'w', 's', 's']],
  ['menu closed', [ESCAPE]],
  ['cross-hair', ['v']],
  ['cursor', [LEFT, LEFT]],
  ['cross-hair closed', [ESCAPE]],
  ['charts', ['t']],
  ['charts closed', [ESCAPE]],
  ['help', ['?', ESCAPE]],
];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What a key changes of the screen, and nothing else does: title without the clock, notice. */
function titleAndNotice(session: PtySession): string {
  const screen = session.screen();
  const title = screen[0]?.replace(/\d\d:\d\d:\d\d/, '');
  const notice = screen.at(-1)?.replace(/^ budget: .*? {2}| +in picture .*/g, '');
  return `${title}\n${notice}`;
}

/** Keys that say nothing, but move what stands still otherwise: the picture, its axes, the read-out. */
const MOVING: readonly string[] = [`scroll ${PAGE_UP}`, `cursor ${LEFT}`];

function picture(session: PtySession): string {
  return session.screen().slice(2, 35).join('\n');
}

function isFrameWhole({ output }: PtySession): boolean {
  return output.lastIndexOf('\x1b[?2026l') > output.lastIndexOf('\x1b[?2026h');
}

async function answerMs(session: PtySession, kind: string, key: string): Promise<number> {
  const look = MOVING.includes(`${kind} ${key}`) ? picture : titleAndNotice;
  const before = look(session);
  const startedMs = performance.now();
  session.type(key);
  const what = `waiting for the answer to ${JSON.stringify(key)} (${kind})`;
  await session.waitUntil(() => look(session) !== before && isFrameWhole(session), what, 3000);
  return performance.now() - startedMs;
}

function row(name: string, times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0).padStart(4);
  return `${name.padEnd(18)} ${String(times.length).padStart(4)} keys: median ${at(0.5)} ms, p99 ${at(0.99)}, max ${at(1)}`;
}

async function press(session: PtySession): Promise<void> {
  const random = new SeededRandom(1);
  const all: number[] = [];
  const byKind = new Map<string, number[]>(KEYS.map(([kind]) => [kind, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, keys] of KEYS) {
      for (const key of keys) {
        await sleep(50 + random.next() * 100);
        const ms = await answerMs(session, kind, key);
        byKind.get(kind)?.push(ms);
        all.push(ms);
      }
    }
  }
  for (const [kind, times] of byKind) say(row(kind, times));
  say(row('all', all));
}

async function bench(disk: LoopDevice): Promise<void> {
  const load = await buildLoad();
  const session = startIoheat(['--disk', disk.name], { columns: 200, rows: 50 });
  try {
    await session.waitFor(/ LIVE /);
    const running = startLoad(load, {
      path: disk.path,
      depth: 64,
      batch: 16,
      count: IOPS * SECONDS,
      blockBytes: 4096,
      spanBytes: disk.bytes,
      seed: 1,
      writes: 0.3,
      perSecond: IOPS,
    });
    await sleep(WARM_UP_SECONDS * 1000);
    say(session.screen().slice(0, 2).join('\n'));
    await press(session);
    process.kill(running.pid);
    // Its report is that it was ended.
    await Promise.allSettled([running.report]);
  } finally {
    await session.dispose();
    load.dispose();
  }
}

const disk = LoopDevice.create({ bytes: 256 * MIB });
try {
  await bench(disk);
} finally {
  disk.dispose();
}
