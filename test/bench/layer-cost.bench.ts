import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../e2e/build.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { loadsOn } from './support/layer-loads.ts';
import { compare } from './support/layer-cost.ts';
import { installed, writeScripts } from './support/layer-tools.ts';

/**
 * What the layers of waits and calls cost the programs of the machine: a call that is no storage, a read from the page
 * cache, a context switch, and direct I/O to a disk in memory; with nothing, with ioheat and more and more of its
 * layers, and with other tools that count system calls. Needs root, and Debian's fio, clang-14, strace, linux-perf and
 * bpftrace; a tool that is not installed is left out and named.
 *
 *   npm run bench -- layer-cost
 *
 * LAYER_ROUNDS is how often a median is taken over (3; a round takes 40 s), LAYER_MS how long each load runs (500).
 * LAYER_TOOLS picks from the tools of support/layer-tools.ts, by their names.
 */
const ROUNDS = Number(process.env['LAYER_ROUNDS'] ?? 3);
const MS = Number(process.env['LAYER_MS'] ?? 500);
const DISK_BYTES = 256 << 20;
const SOURCE = join(import.meta.dirname, 'support/call-load.c');

ensureBuilt();
const folder = mkdtempSync(join('/dev/shm', 'ioheat-layer-cost-'));
const disk = LoopDevice.create({ bytes: DISK_BYTES });
try {
  const program = join(folder, 'call-load');
  execFileSync('clang-14', ['-O2', '-o', program, SOURCE]);
  const file = join(folder, 'file');
  writeFileSync(file, Buffer.alloc(4096));
  writeScripts(folder);
  const loads = loadsOn({ program, file, disk: disk.path, ms: MS });
  await compare(installed(), loads, { folder, rounds: ROUNDS });
} finally {
  disk.dispose();
  rmSync(folder, { recursive: true });
}
