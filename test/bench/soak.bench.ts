import { setTimeout as sleep } from 'node:timers/promises';
import { block } from './support/output.ts';
import { MeasuredProgram } from './support/program.ts';
import type { Usage } from './support/program.ts';

/**
 * Memory over time at ten frames a second: a demo with its history full, which a small one soon is. A line a minute, then
 * how much the last quarter of the time needed more than the second one. `memory.bench.ts` measures live tracing.
 *
 *   SOAK_MINUTES=60 npm run bench -- soak
 */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 2);
const SAMPLE_MS = 2000;
const MIB = 2 ** 20;
const VIEW = ['--history', '16M', '--interval', '100ms'];
const DEMO_IOPS = 50_000;

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

block('soak-demo');
const args = ['demo', '--rate', String(DEMO_IOPS), ...VIEW];
await soak(`demo, ${DEMO_IOPS} I/O/s`, MeasuredProgram.ioheat(args));
