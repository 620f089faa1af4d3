import { execFileSync } from 'node:child_process';
import { bundleEntry } from '../kernel/fixtures/bundle-entry.ts';
import type { StageReport, StageTimes } from '../kernel/fixtures/stage-report.ts';

/**
 * Cost of running in two stages: ms from the start of node to the script of stage 1, from there to the
 * moment when power is given up, and from there to the confirmed start of stage 2. Run as root.
 */
const RUNS = 15;

const entry = await bundleEntry('test/kernel/fixtures/handover-entry.ts');
const env = { ...process.env, SUDO_UID: '65534', SUDO_GID: '65534' };
const runs: StageTimes[] = [];
for (let i = 0; i < RUNS; i++) {
  const printed = execFileSync(process.execPath, [entry.path], { env, encoding: 'utf8' });
  runs.push((JSON.parse(printed) as StageReport).times);
}
entry.dispose();

const figures: Record<string, (times: StageTimes) => number> = {
  'node starts stage 1': (times) => times.stage1,
  'stage 1 prepares': (times) => times.handOver - times.stage1,
  'drops root, exec, node starts, confirms': (times) => times.received - times.handOver,
};
for (const [name, of] of Object.entries(figures)) {
  const sorted = runs.map(of).sort((a, b) => a - b);
  const median = sorted[RUNS >> 1]?.toFixed(1) ?? '';
  process.stdout.write(
    `${name}: median ${median} ms, worst ${sorted.at(-1)?.toFixed(1) ?? ''} ms\n`,
  );
}
