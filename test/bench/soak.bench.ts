import { setTimeout as sleep } from 'node:timers/promises';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { block } from './support/output.ts';
import { MeasuredProgram } from './support/program.ts';
import type { Usage } from './support/program.ts';

/**
 * Memory over time: the program in a terminal at ten frames a second with its history full, which a
 * small one soon is. A line a minute, then how much the last quarter of the time needed more than the
 * second one.
 *
 *   SOAK=demo SOAK_MINUTES=60 npm run bench -- soak
 *
 * SOAK picks `demo`, `live` (as root, with a load on a loop device) or, without it, one after the other.
 */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 2);
const SAMPLE_MS = 2000;
const MIB = 2 ** 20;
const VIEW = ['--history', '16M', '--interval', '100ms'];
const DEMO_IOPS = 50_000;
const LIVE_IOPS = Number(process.env['SOAK_IOPS'] ?? 20_000);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function meanMib(samples: readonly Usage[], field: 'ownBytes' | 'rssBytes'): number {
  return samples.reduce((sum, usage) => sum + usage[field], 0) / samples.length / MIB;
}

async function soak(name: string, program: MeasuredProgram): Promise<void> {
  await program.firstFrame;
  const samples: Usage[] = [];
  let told = program.usage();
  let toldMs = performance.now();
  const endMs = toldMs + MINUTES * 60_000;
  while (performance.now() < endMs) {
    await sleep(SAMPLE_MS);
    samples.push(program.usage());
    if (performance.now() - toldMs < 60_000) continue;
    told = tellMinute(name, samples, told, performance.now() - toldMs);
    toldMs = performance.now();
  }
  await program.end();
  const quarter = samples.length >> 2;
  const second = meanMib(samples.slice(quarter, 2 * quarter), 'ownBytes');
  const last = meanMib(samples.slice(-quarter), 'ownBytes');
  const most = Math.max(...samples.map(({ rssBytes }) => rssBytes)) / MIB;
  say(
    `${name}, ${MINUTES} min: own memory ${second.toFixed(1)} MiB in the second quarter, ` +
      `${last.toFixed(1)} in the last (${(last - second).toFixed(1)} more); most resident ${most.toFixed(0)}`,
  );
}

function tellMinute(name: string, samples: readonly Usage[], before: Usage, ms: number): Usage {
  const now = samples.at(-1) ?? before;
  const minute = samples.slice(-Math.round(60_000 / SAMPLE_MS));
  const hertz = ((now.frames - before.frames) / ms) * 1000;
  say(
    `${name}: resident ${meanMib(minute, 'rssBytes').toFixed(1)} MiB, ` +
      `own ${meanMib(minute, 'ownBytes').toFixed(1)}, ` +
      `${(((now.cpuMs - before.cpuMs) / ms) * 100).toFixed(1)} % of a core, ${hertz.toFixed(1)} Hz`,
  );
  return now;
}

async function soakDemo(): Promise<void> {
  const args = ['demo', '--rate', String(DEMO_IOPS), ...VIEW];
  await soak(`demo, ${DEMO_IOPS} I/O/s`, MeasuredProgram.ioheat(args));
}

/** The load has as much to do as the time needs, at its rate. */
async function soakLive(): Promise<void> {
  const disk = LoopDevice.create({ bytes: 256 * MIB });
  const load = await buildLoad();
  try {
    await soakOver(disk, load);
  } finally {
    disk.dispose();
    load.dispose();
  }
}

async function soakOver(disk: LoopDevice, load: BundledEntry): Promise<void> {
  const program = MeasuredProgram.ioheat([...VIEW, '--disk', disk.name]);
  await program.firstFrame;
  const running = startLoad(load, {
    path: disk.path,
    depth: 32,
    batch: 8,
    count: Math.ceil(LIVE_IOPS * 60 * MINUTES),
    blockBytes: 4096,
    spanBytes: disk.bytes,
    seed: 1,
    writes: 0.3,
    perSecond: LIVE_IOPS,
  });
  await soak(`live, ${LIVE_IOPS} I/O/s`, program);
  const { elapsedNs, reads, writes } = await running.report;
  say(`  the load did ${Math.round((reads + writes) / (elapsedNs / 1e9))} I/O/s`);
}

const PARTS = { demo: soakDemo, live: soakLive };
const chosen = process.env['SOAK']?.split(',') ?? Object.keys(PARTS);
for (const [name, part] of Object.entries(PARTS)) {
  if (!chosen.includes(name)) continue;
  block(`soak-${name}`);
  await part();
}
