import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { block } from './support/output.ts';
import { IOHEAT } from '../e2e/build.ts';
import { runFio } from './support/fio.ts';
import { createDisks, removeDisks } from './support/loop-devices.ts';
import { MeasuredProgram } from './support/program.ts';
import type { Usage } from './support/program.ts';

/**
 * The whole program, as a person starts it: how soon it shows something, and what it costs to leave it
 * running, processor, memory and bytes on the wire. Run as root; live tracing of an idle machine.
 *
 *   npm run bench -- app
 *
 * APP_BENCH picks parts: `start`, `wire`, `cost`, `rates`, `beside`, `growth`, a minute or a few each. With
 * APP_BENCH_BEFORE=FILE, where FILE is bin/ioheat of another version, `start`, `rates` and `beside` measure that one as
 * well, in turn with this one, and print the ratio.
 */
const STARTS = 9;
const STEADY_SECONDS = 20;
const LONG_SECONDS = 60;
const WARM_UP_MS = 4000;
const MIB = 2 ** 20;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** Writes the end of a frame as soon as it can, and does nothing more. */
const LEAST = ['-e', `process.stdout.write('\\x1b[?2026l'); setInterval(() => 0, 50)`];

const BEFORE = process.env['APP_BENCH_BEFORE'];
const VERSIONS = BEFORE === undefined ? [IOHEAT] : [IOHEAT, BEFORE];

/** What `measure` gives for each version, in turn, `rounds` times: the medians. */
async function inTurn(
  rounds: number,
  measure: (program: string) => Promise<number>,
): Promise<{ readonly now: number; readonly before: number | undefined }> {
  const values = VERSIONS.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, path] of VERSIONS.entries()) values[index]!.push(await measure(path));
  const [now, before] = values.map(median);
  return { now: now!, before };
}

function ratioText({ now, before }: { now: number; before: number | undefined }): string {
  return before === undefined ? '' : `, ${(now / before).toFixed(2)} × before`;
}

async function start(): Promise<void> {
  await timeStarts('node alone', () => new MeasuredProgram(LEAST, { cols: 200, rows: 50 }));
  await timeStarts('demo', () => MeasuredProgram.ioheat(['demo']));
  await timeStarts('live', () => MeasuredProgram.ioheat([]));
  await timeStarts('live, cold', () => {
    dropPageCache();
    return MeasuredProgram.ioheat([]);
  });
  for (const [name, args] of Object.entries({ demo: ['demo'], live: [] })) {
    const firsts = await inTurn(STARTS, async (path) => {
      const program = new MeasuredProgram([path, ...args], { cols: 120, rows: 40 });
      const ms = await program.firstFrame;
      await program.end();
      return ms;
    });
    say(`first frame at 120×40, ${name}: ${firsts.now.toFixed(0)} ms${ratioText(firsts)}`);
  }
}

const RATE_SECONDS = 10;
const RATE_WARM_UP_MS = 15_000;
const RATE_ROUNDS = 3;

/** The processor time of the live monitor, by the disk's rate; 15 s after its start, over 10 s. */
async function rates(): Promise<void> {
  const [disk] = createDisks(1);
  try {
    for (const perSecond of [0, 1000, 100_000]) {
      const shares = await inTurn(RATE_ROUNDS, async (path) => {
        const program = new MeasuredProgram([path], { cols: 120, rows: 40 });
        await program.firstFrame;
        const seconds = (RATE_WARM_UP_MS + 2000) / 1000 + RATE_SECONDS;
        const load = perSecond === 0 ? undefined : runFio(disk!, { seconds, perSecond });
        await sleep(RATE_WARM_UP_MS);
        const before = program.usage().cpuMs;
        await sleep(RATE_SECONDS * 1000);
        const share = (program.usage().cpuMs - before) / 1000 / RATE_SECONDS;
        await program.end();
        await load;
        return share;
      });
      const percent = (100 * shares.now).toFixed(1);
      say(`live at 120×40, ${perSecond} I/Os a second: ${percent} % of a core${ratioText(shares)}`);
    }
  } finally {
    removeDisks([disk!]);
  }
}

const BESIDE_RATE = 100_000;
const BESIDE_SECONDS = 10;
/** Ends of the stretches that are printed, in seconds. */
const STRETCHES = [2, 4, 6, 8, 10];
const IDLE_MS = 8000;

interface Beside {
  readonly args?: readonly string[];
  /** The load, for so many seconds. */
  readonly load: (seconds: number) => Promise<unknown>;
  /** Whether the load began before ioheat did, or after some seconds. */
  readonly isFirst: boolean;
}

/** The processor time of the live monitor in the first seconds next to a load, as shares of a core. */
async function besideLoad(path: string, { args = [], load, isFirst }: Beside): Promise<number[]> {
  const early = isFirst ? load(BESIDE_SECONDS + 6) : undefined;
  if (isFirst) await sleep(2000);
  const program = new MeasuredProgram([path, ...args], { cols: 120, rows: 40 });
  await program.firstFrame;
  if (!isFirst) await sleep(IDLE_MS);
  const late = isFirst ? undefined : load(BESIDE_SECONDS + 2);
  const startedMs = performance.now();
  const used = [program.usage().cpuMs];
  for (const second of STRETCHES) {
    await sleep(startedMs + second * 1000 - performance.now());
    used.push(program.usage().cpuMs);
  }
  await program.end();
  await Promise.all([early, late]);
  return STRETCHES.map((second, at) => {
    const seconds = second - (STRETCHES[at - 1] ?? 0);
    return (used[at + 1]! - used[at]!) / 1000 / seconds;
  });
}

/** What is in the page cache, read by one process as fast as it can. */
function readCached(file: string, seconds: number): Promise<unknown> {
  const options = ['--rw=randread', '--bs=4k', '--ioengine=psync', '--invalidate=0', '--size=64m'];
  const time = ['--time_based', `--runtime=${seconds}`];
  return promisify(execFile)('fio', ['--name=calls', `--filename=${file}`, ...options, ...time]);
}

async function beside(): Promise<void> {
  const [disk] = createDisks(1);
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-bench-'));
  const cached = join(folder, 'cached');
  writeFileSync(cached, Buffer.alloc(64 * MIB, 1));
  const ios = (seconds: number): Promise<unknown> =>
    runFio(disk!, { seconds, perSecond: BESIDE_RATE });
  const calls = (seconds: number): Promise<unknown> => readCached(cached, seconds);
  const cases: Readonly<Record<string, Beside>> = {
    'start next to a load': { load: ios, isFirst: true },
    'a load that begins later': { load: ios, isFirst: false },
    'calls that begin later': { args: ['--calls'], load: calls, isFirst: false },
  };
  say(
    `% of a core in seconds ${STRETCHES.map((s, i) => `${STRETCHES[i - 1] ?? 0}-${s}`).join(', ')}`,
  );
  try {
    for (const [name, one] of Object.entries(cases)) {
      const found = VERSIONS.map((): number[][] => []);
      for (let round = 0; round < RATE_ROUNDS; round++)
        for (const [index, path] of VERSIONS.entries())
          found[index]!.push(await besideLoad(path, one));
      const shares = found.map((rounds) =>
        STRETCHES.map((_, at) => (100 * median(rounds.map((all) => all[at]!))).toFixed(1)),
      );
      const [now, before] = shares.map((texts) => texts.join(' '));
      say(`${name}: ${now!}${before === undefined ? '' : `; before: ${before}`}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
    removeDisks([disk!]);
  }
}

/** All but what is mapped by somebody: Node itself stays, as this runs on it. */
function dropPageCache(): void {
  execFileSync('sync');
  writeFileSync('/proc/sys/vm/drop_caches', '3');
}

async function timeStarts(name: string, begin: () => MeasuredProgram): Promise<void> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const program = begin();
    wall.push(await program.firstFrame);
    cpu.push(program.usage().cpuMs);
    await program.end();
  }
  const [best, worst] = [Math.min(...wall), Math.max(...wall)].map((ms) => ms.toFixed(0));
  say(
    `${`first frame, ${name}`.padEnd(24)} median ${median(wall).toFixed(0)} ms, ` +
      `${best!} to ${worst!}; processor median ${median(cpu)} ms, least ${Math.min(...cpu)}`,
  );
}

interface Run {
  readonly seconds: number;
  readonly before: Usage;
  readonly after: Usage;
}

async function steady(program: MeasuredProgram, seconds: number): Promise<Run> {
  await program.firstFrame;
  await sleep(WARM_UP_MS);
  const before = program.usage();
  const startedMs = performance.now();
  await sleep(seconds * 1000);
  const after = program.usage();
  await program.end();
  return { seconds: (performance.now() - startedMs) / 1000, before, after };
}

/** With columns as short as frames, every frame scrolls by one. */
async function wire(): Promise<void> {
  for (const [cols, rows] of [
    [200, 50],
    [80, 24],
  ] as const) {
    for (const interval of ['100ms', '1s']) {
      const args = ['demo', '--interval', interval];
      const { seconds, before, after } = await steady(
        MeasuredProgram.ioheat(args, cols, rows),
        STEADY_SECONDS / 2,
      );
      const bytes = after.bytes - before.bytes;
      const frames = after.frames - before.frames;
      const cpuMs = after.cpuMs - before.cpuMs;
      say(
        `wire, ${cols}×${rows}, columns of ${interval.padEnd(5)} ` +
          `${(bytes / frames).toFixed(0).padStart(5)} B per frame, ` +
          `${(bytes / seconds / 1000).toFixed(2)} kB/s at ${(frames / seconds).toFixed(1)} Hz, ` +
          `${(cpuMs / frames).toFixed(2)} ms processor per frame`,
      );
    }
  }
}

function memory({ ownBytes, rssBytes }: Usage): string {
  return `${(rssBytes / MIB).toFixed(0)} MiB resident (${(ownBytes / MIB).toFixed(0)} of its own)`;
}

async function cost(): Promise<void> {
  const floor = new MeasuredProgram(LEAST, { cols: 200, rows: 50 });
  await sleep(1000);
  const floorBefore = floor.usage();
  await sleep(5000);
  const floorAfter = floor.usage();
  await floor.end();
  const floorShare = (floorAfter.cpuMs - floorBefore.cpuMs) / 5000;
  say(
    `floor, node -e setInterval 50 ms: ${(floorShare * 100).toFixed(1)} % of a core, ` +
      memory(floorAfter),
  );
  const cases = { 'demo mixed': ['demo'], 'live, idle': [], 'demo storm': ['demo', 'storm'] };
  for (const [name, args] of Object.entries(cases)) {
    const { seconds, before, after } = await steady(MeasuredProgram.ioheat(args), STEADY_SECONDS);
    const share = (after.cpuMs - before.cpuMs) / 1000 / seconds;
    say(
      `${`cost at 200×50, ${name}`.padEnd(28)} ${(share * 100).toFixed(1)} % of a core, ` +
        `${memory(after)}, ${(after.rssBytes / floorAfter.rssBytes).toFixed(1)} × the floor`,
    );
  }
}

/** Many I/Os in little time stand for few in a long time: what grows, grows here. */
async function growth(): Promise<void> {
  const program = MeasuredProgram.ioheat(['demo', '--rate', '200000', '--history', '64M']);
  await program.firstFrame;
  const started = program.usage();
  const rss: string[] = [];
  for (let second = 0; second < LONG_SECONDS; second += 5) {
    await sleep(5000);
    rss.push((program.usage().ownBytes / MIB).toFixed(0));
  }
  const share = (program.usage().cpuMs - started.cpuMs) / 1000 / LONG_SECONDS;
  await program.end();
  say(`growth, 200k I/O/s, history of 64 MiB: own MiB every 5 s ${rss.join(' ')}`);
  say(`  ${(share * 100).toFixed(0)} % of a core`);
}

const PARTS = { start, wire, cost, rates, beside, growth };
const chosen = process.env['APP_BENCH']?.split(',') ?? Object.keys(PARTS);
for (const [name, part] of Object.entries(PARTS)) {
  if (!chosen.includes(name)) continue;
  block(`app-${name}`);
  await part();
}
