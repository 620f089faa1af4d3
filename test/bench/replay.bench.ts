import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { END_OF_STREAM } from '../../src/trace/recording/arrow/arrow-message.ts';
import { openRecording } from '../../src/trace/recording/reading/open-recording.ts';
import { MAX_SPEED, ReplayClock } from '../../src/trace/replay/replay-clock.ts';
import { ReplaySource } from '../../src/trace/replay/replay-source.ts';
import { Transport } from '../../src/trace/replay/transport.ts';
import { bytesOf, encoderFor, pattern } from '../trace/recording/fixtures/record.ts';
import { MeasuredProgram } from './support/program.ts';
import { must } from '../must.ts';
import { processorUs } from '../../src/base/processor-time.ts';

/**
 * How fast recordings are read and replayed, by processor time, which a busy machine changes least,
 * and by the clock; how soon the first frame is there; whether memory grows with the length.
 *
 *   npm run bench -- replay
 *
 * REPLAY_BENCH_MILLIONS picks the lengths, such as `1,10,30`: about a minute for ten million.
 */
const MILLIONS = (process.env['REPLAY_BENCH_MILLIONS'] ?? '1,10').split(',').map(Number);
const SECONDS_PER_MILLION = 5;
const STARTS = 5;
const ROUNDS = 3;
const LONGEST_MS = 300_000;
const MIB = 2 ** 20;
const FRAME_EVERY_MS = 100;
/** Where the speed stood; all of it is rewritten. */
const AT_END = /END/;

const PICTURE = {
  metric: 'device',
  scale: 'log',
  outlierCut: 0.001,
  columnNs: 1e9,
  columns: 107,
  bins: 36,
} as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Written as it is made: no part of it is kept. */
async function recordStorm(path: string, seconds: number): Promise<number> {
  const fd = openSync(path, 'w');
  const { source, moveTo } = pattern('storm');
  const encoder = encoderFor(source);
  writeSync(fd, encoder.begin());
  for (let second = 1; second <= seconds; second++) {
    moveTo(second * 1e9);
    for (let rows = source.read(); rows.length > 0; rows = source.read())
      writeSync(fd, await bytesOf(encoder.append(rows)));
  }
  writeSync(fd, await bytesOf(encoder.flush(source.counters())));
  writeSync(fd, END_OF_STREAM);
  closeSync(fd);
  return source.counters().delivered;
}

/** Rows per second of processor time and of the clock, in millions. */
function rate(work: () => number): string {
  const startedMs = performance.now();
  const beforeUs = processorUs();
  const rows = work();
  const usedUs = processorUs() - beforeUs;
  const perSecond = rows / 1e3 / (performance.now() - startedMs);
  return `${(rows / usedUs).toFixed(1)} M/s of processor time (${perSecond.toFixed(1)} by the clock)`;
}

/** What reading alone costs: the part that no history and no picture has to do with. */
function readAlone(path: string): number {
  const reader = must(openRecording(path, new IdentityTable()));
  let rows = 0;
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next())
    rows += chunk.rows.length;
  reader.dispose();
  return rows;
}

/** As the program does it at maximum speed, without a screen: all there is, with ten pictures a second. */
function replay(path: string): number {
  const identities = new IdentityTable();
  const reader = must(openRecording(path, identities));
  const clock = new ReplayClock(() => performance.now() * 1e6);
  const traces = [{ name: path, reader, identities: identities }];
  const source = new ReplaySource(traces, clock, { identities, oneHost: false });
  const transport = new Transport(clock, source);
  const monitor = new Monitor({ source, historyBytes: 256 * MIB, filter: NO_FILTER });
  clock.setSpeed(MAX_SPEED);
  clock.play();
  for (let shownMs = -Infinity; !source.isEnded;) {
    monitor.pump();
    transport.step();
    if (performance.now() - shownMs < FRAME_EVERY_MS) continue;
    monitor.show(PICTURE, clock.nowNs());
    shownMs = performance.now();
  }
  const { delivered } = source.counters();
  source.dispose();
  return delivered;
}

/** The built program in a terminal, from its start to the first frame. */
async function timeFirstFrame(path: string): Promise<void> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const program = MeasuredProgram.ioheat(['replay', path]);
    wall.push(await program.firstFrame);
    cpu.push(program.usage().cpuMs);
    await program.end();
  }
  const median = [...wall].sort((a, b) => a - b)[STARTS >> 1]!;
  say(
    `  first frame: median ${median.toFixed(0)} ms, best ${Math.min(...wall).toFixed(0)}; ` +
      `processor ${Math.min(...cpu)} to ${Math.max(...cpu)} ms`,
  );
}

/** The built program in a terminal, from its first frame to the end of the recording. */
async function timeProgram(path: string, rows: number): Promise<void> {
  const program = MeasuredProgram.ioheat(['replay', '--speed', 'max', path]);
  await program.firstFrame;
  const [before, startedMs] = [program.usage(), performance.now()];
  while (!AT_END.test(program.tail)) {
    if (performance.now() - startedMs > LONGEST_MS) throw new Error('the replay does not end');
    await sleep(20);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const after = program.usage();
  await program.end();
  const cpuSeconds = (after.cpuMs - before.cpuMs) / 1000;
  const perSecond = [cpuSeconds, seconds].map((one) => (rows / 1e6 / one).toFixed(1));
  say(
    `  whole program: ${perSecond[0]!} M/s of processor time (${perSecond[1]!} by the clock), ` +
      `${after.frames - before.frames} frames, at most ${(after.peakBytes / MIB).toFixed(0)} MiB resident`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'ioheat-replay-bench-'));
try {
  for (const millions of MILLIONS) {
    const path = join(folder, `${millions}.ioheat`);
    const rows = await recordStorm(path, millions * SECONDS_PER_MILLION);
    say(`${(rows / 1e6).toFixed(1)} M I/Os, ${(statSync(path).size / MIB).toFixed(0)} MiB`);
    for (let round = 0; round < ROUNDS; round++) {
      say(`  read alone: ${rate(() => readAlone(path))}`);
      say(`  replayed:   ${rate(() => replay(path))}`);
    }
    await timeFirstFrame(path);
    await timeProgram(path, rows);
    rmSync(path);
  }
} finally {
  rmSync(folder, { recursive: true });
}
