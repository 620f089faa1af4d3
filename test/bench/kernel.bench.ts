import { closeSync, readFileSync, writeFileSync } from 'node:fs';
import { attachTracer } from '../../src/kernel/attach/attach.ts';
import { readKernelBtf } from '../../src/kernel/abi/btf.ts';
import { readProgramStats } from '../../src/kernel/counts/counter-reader.ts';
import { duplicateFd } from '../../src/kernel/native/mapping.ts';
import { openLiveSource, type LiveSource } from '../../src/kernel/live/live-source.ts';
import type { ProgramHandle } from '../../src/kernel/attach/trace-handover.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { SeededRandom } from '../random.ts';
import { runUring } from '../load/uring.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { attachEmpty } from './empty-program.ts';
import { must } from '../must.ts';
import { processorUs } from '../../src/base/processor-time.ts';

/**
 * What tracing costs, on a loop device in memory: ns per event to drain and decode, ns per I/O in the
 * kernel, IOPS with and without. Needs root.
 *
 *   npm run bench -- kernel
 */
const DISK_BYTES = 512 << 20;
const STATS = '/proc/sys/kernel/bpf_stats_enabled';
const ROUNDS = 5;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Session {
  readonly source: LiveSource;
  readonly programs: readonly ProgramHandle[];
  readonly attachMs: number;
}

function openSession(): Session {
  const start = performance.now();
  const tracer = attachTracer();
  const attachMs = performance.now() - start;
  const { handover } = must(tracer);
  // Copies: the source closes what it does not read itself.
  const programs = handover.programs.map(({ name, fd }) => ({ name, fd: must(duplicateFd(fd)) }));
  const source = must(openLiveSource(handover, new IdentityTable()));
  return { source, programs, attachMs };
}

function drainAll(source: LiveSource): { events: number; cpuNs: number } {
  const beforeUs = processorUs();
  let events = 0;
  for (;;) {
    const rows = source.read();
    if (rows.length === 0) break;
    events += rows.length;
  }
  return { events, cpuNs: (processorUs() - beforeUs) * 1000 };
}

/** Fills most of the ring, so that one drain is long enough to time. */
function fillRing(disk: LoopDevice, seed: number): void {
  const random = new SeededRandom(seed);
  const fd = disk.openDirect();
  runUring({
    fd,
    depth: 64,
    batch: 16,
    count: 150_000,
    maxBytes: 4096,
    next: () => ({
      write: random.next() < 0.3,
      offset: Math.floor((random.next() * DISK_BYTES) / 4096) * 4096,
      bytes: 4096,
    }),
  });
  closeSync(fd);
}

function benchDrain(disk: LoopDevice): void {
  const { source, attachMs } = openSession();
  print(`attach ${attachMs.toFixed(0)} ms`);
  for (let round = 0; round < ROUNDS; round++) {
    fillRing(disk, round);
    const { events, cpuNs } = drainAll(source);
    print(`drain  ${events} events, ${(cpuNs / events).toFixed(0)} ns/event`);
  }
  source.dispose();
}

async function maximumLoad(disk: LoopDevice, program: BundledEntry): Promise<number> {
  const orders = [1, 2].map((seed) => ({
    path: disk.path,
    depth: 64,
    batch: 16,
    count: 500_000,
    blockBytes: 4096,
    spanBytes: DISK_BYTES,
    seed,
    writes: 0,
  }));
  const loads = orders.map((order) => startLoad(program, order));
  const reports = await Promise.all(loads.map(({ report }) => report));
  return reports.reduce((sum, { reads, elapsedNs }) => sum + (reads * 1e9) / elapsedNs, 0);
}

async function benchRate(disk: LoopDevice, program: BundledEntry): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const without = await maximumLoad(disk, program);
    const { source } = openSession();
    let events = 0;
    let cpuNs = 0;
    const reading = setInterval(() => {
      const drained = drainAll(source);
      events += drained.events;
      cpuNs += drained.cpuNs;
    }, 33);
    const traced = await maximumLoad(disk, program);
    clearInterval(reading);
    events += drainAll(source).events;
    const { summarised, lost } = (source.readSummaries(), source.counters());
    source.dispose();
    print(
      `rate   ${(without / 1e3).toFixed(0)}k IOPS alone, ${(traced / 1e3).toFixed(0)}k traced: ` +
        `${events} events at ${(cpuNs / events).toFixed(0)} ns, ${summarised} summarised, ${lost} lost`,
    );
  }
}

/** Programs of ours and empty ones in the same run, because the bookkeeping itself varies. */
async function benchKernel(disk: LoopDevice, program: BundledEntry): Promise<void> {
  const before = readFileSync(STATS, 'utf8');
  const btf = must(readKernelBtf());
  const { source, programs } = openSession();
  const empty = ['block_bio_queue', 'block_io_start', 'block_rq_issue', 'block_rq_complete'].map(
    (tracepoint) => attachEmpty(btf, tracepoint),
  );
  writeFileSync(STATS, '1');
  try {
    const reading = setInterval(() => drainAll(source), 33);
    await maximumLoad(disk, program);
    clearInterval(reading);
    const perRun = (fd: number): number => {
      const { runs, runNs } = readProgramStats(fd);
      return runs === 0 ? 0 : runNs / runs;
    };
    const nothing = empty.reduce((sum, { fd }) => sum + perRun(fd), 0) / empty.length;
    const costs = programs.map(({ name, fd }) => ({ name, ns: perRun(fd) }));
    const used = costs.filter(({ ns }) => ns > 0);
    const net = used.reduce((sum, { ns }) => sum + ns - nothing, 0);
    const list = used.map(({ name, ns }) => `${name} ${ns.toFixed(0)}`).join(', ');
    print(`kernel ${net.toFixed(0)} ns/IO net (${list}, an empty program ${nothing.toFixed(0)})`);
  } finally {
    writeFileSync(STATS, before);
    empty.forEach(({ dispose }) => {
      dispose();
    });
    source.dispose();
  }
}

const disk = LoopDevice.create({ bytes: DISK_BYTES });
const program = await buildLoad();
try {
  benchDrain(disk);
  await benchRate(disk, program);
  await benchKernel(disk, program);
} finally {
  program.dispose();
  disk.dispose();
}
