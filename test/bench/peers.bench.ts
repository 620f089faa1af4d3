import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../e2e/build.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { block, say } from './support/output.ts';
import { cost, installed } from './support/peer-cost.ts';
import { refusals } from './support/peer-refusals.ts';
import { screens } from './support/peer-screens.ts';
import type { LoadKind } from './support/fio.ts';
import { turns } from './support/peer-turns.ts';
import { truths } from './support/peer-truth.ts';
import { writeScripts } from './support/peer-tools.ts';
import { whyItCosts } from './support/why-it-costs.ts';

/**
 * ioheat beside the tools that people use for the same: cost per I/O in the kernel and in the tool, what
 * it does to the load, and the bytes and the processor time of a screen. Needs root, and Debian's fio,
 * bpftool, libbpf-tools, bpftrace, linux-perf, sysstat, htop and btop; what is not installed is left out
 * and named, what this kernel refuses is in a table of its own.
 *
 *   npm run bench -- peers
 *
 * PEERS_BENCH picks parts: `cost` (2 min a rate, 8 at the maximum), `truth` (2 min), `why` (6 min),
 * `screens` (2 min), `refusals` (2 min), `turns` (2 min for each of nine loads with three tools: several rounds, in turns).
 * PEERS_RATES picks from `1000,10000,100000,max`, PEERS_TOOLS from the tools of peer-tools.ts;
 * PEERS_ROUNDS is how often a median is taken over (1; 3 at the maximum), PEERS_SECONDS how long each load is, PEERS_WARM_UP
 * for how many seconds `cost`, `turns` and `why` run the same load before (0).
 */
const SECONDS = Number(process.env['PEERS_SECONDS'] ?? 4);
const WARM_UP_SECONDS = Number(process.env['PEERS_WARM_UP'] ?? 0);
const RATES = (process.env['PEERS_RATES'] ?? '1000,10000,100000,max').split(',');
const folder = mkdtempSync(join('/dev/shm', 'ioheat-peers-'));
const LOAD = { folder, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };

function roundsOr(usual: number): number {
  return Number(process.env['PEERS_ROUNDS'] ?? usual);
}

async function costs(): Promise<void> {
  writeScripts(folder);
  const tools = installed();
  for (const rate of RATES) {
    const isMost = rate === 'max';
    block(`peers-${rate}`);
    say(isMost ? 'As many I/Os as go, two processes:' : `${rate} I/Os a second:`);
    const perSecond = isMost ? undefined : Number(rate);
    const rounds = roundsOr(isMost ? 3 : 1);
    await cost(tools, { ...LOAD, rounds, perSecond });
  }
}

/** Writeback has no rate of its own: the page cache takes what comes. */
async function inTurns(): Promise<void> {
  const loads: readonly (readonly [LoadKind, readonly string[]])[] = [
    ['reads', RATES],
    ['mixed', RATES],
    ['writeback', ['max']],
  ];
  const tools = installed();
  for (const [kind, rates] of loads) {
    for (const rate of rates) {
      block(`peers-turns-${kind}-${rate}`);
      say(`${kind}, ${rate === 'max' ? 'as many I/Os as go' : `${rate} I/Os a second`}:`);
      const perSecond = rate === 'max' ? undefined : Number(rate);
      const rounds = roundsOr(5);
      await turns(tools, { ...LOAD, rounds, perSecond, kind });
    }
  }
}

async function why(): Promise<void> {
  block('peers-why');
  await whyItCosts({ ...LOAD, rounds: roundsOr(5) });
}

async function refused(): Promise<void> {
  block('peers-refusals');
  const disk = LoopDevice.create({ bytes: 64 << 20 });
  try {
    await refusals(disk);
  } finally {
    disk.dispose();
  }
}

async function truth(): Promise<void> {
  block('peers-truth');
  await truths(roundsOr(2), SECONDS);
}

async function screen(): Promise<void> {
  block('peers-screens');
  await screens(folder, roundsOr(1), 2 * SECONDS);
}

ensureBuilt();
const PARTS = { truth, cost: costs, why, screens: screen, refusals: refused, turns: inTurns };
const chosen = process.env['PEERS_BENCH']?.split(',') ?? Object.keys(PARTS);
try {
  for (const [name, part] of Object.entries(PARTS)) if (chosen.includes(name)) await part();
} finally {
  rmSync(folder, { recursive: true });
}
