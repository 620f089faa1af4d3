import { setTimeout as sleep } from 'node:timers/promises';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { openTable, say } from './support/output.ts';
import { MeasuredProgram } from './support/program.ts';

/**
 * Resident memory of the program under a steady load, after so many minutes: its own, and all of it, with program text and
 * the ring that the kernel shares. Needs root.
 *
 *   npm run bench -- memory
 *   MEMORY_MINUTES=1,10,60 npm run bench -- memory
 *
 * MEMORY_IOPS is the rate (10,000), MEMORY_HISTORY the limit of the history (16M), which what is resident includes.
 */
const MINUTES = (process.env['MEMORY_MINUTES'] ?? '1,10').split(',').map(Number);
const IOPS = Number(process.env['MEMORY_IOPS'] ?? 10_000);
const HISTORY = process.env['MEMORY_HISTORY'] ?? '16M';
const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const HEAD = ['minutes', 'own MiB', 'resident MiB', 'most resident MiB', '% of a core so far'];

const disk = LoopDevice.create({ bytes: 256 * MIB });
const load = await buildLoad();
const program = MeasuredProgram.ioheat(['--history', HISTORY, '--disk', disk.name], 120, 40);
try {
  await program.firstFrame;
  const last = Math.max(...MINUTES);
  const running = startLoad(load, {
    ...{ path: disk.path, depth: 32, batch: 8, blockBytes: 4096, spanBytes: disk.bytes },
    ...{ seed: 1, writes: 0.3, perSecond: IOPS, count: Math.ceil(IOPS * 60 * last) },
  });
  const startMs = performance.now();
  const addRow = openTable(HEAD);
  for (const minutes of MINUTES) {
    await sleep(Math.max(0, startMs + minutes * MINUTE_MS - performance.now()));
    const { ownBytes, rssBytes, peakBytes, cpuMs } = program.usage();
    const mib = [ownBytes, rssBytes, peakBytes].map((bytes) => (bytes / MIB).toFixed(1));
    const share = (100 * cpuMs) / (performance.now() - startMs);
    addRow([String(minutes), ...mib, share.toFixed(1)]);
  }
  const { reads, writes, elapsedNs } = await running.report;
  say(`the load did ${Math.round((reads + writes) / (elapsedNs / 1e9))} I/O/s`);
} finally {
  await program.end();
  disk.dispose();
  load.dispose();
}
