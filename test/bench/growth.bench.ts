import { setTimeout as sleep } from 'node:timers/promises';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';
import type { LoopDevice } from '../load/loop-device.ts';
import { runFio } from './support/fio.ts';
import { createDisks, removeDisks } from './support/loop-devices.ts';
import { block, table } from './support/output.ts';
import { Peer } from './support/peer.ts';

/**
 * What the whole program costs as the rate, the disks, the processes and the terminal grow. Needs root
 * and fio.
 *
 *   npm run bench -- growth
 *
 * GROWTH_BENCH picks parts: `rates`, `disks`, `processes`, `sizes`, about a minute each.
 * GROWTH_SECONDS is how long each load is.
 */
const SECONDS = Number(process.env['GROWTH_SECONDS'] ?? 6);
const START_MS = 3000;
const DRAIN_MS = 1000;
const RATE = 10_000;

interface Order {
  readonly disks: number;
  readonly processes?: number;
  readonly perSecond?: number | undefined;
}

interface Figures {
  readonly iops: number;
  readonly corePercent: number;
  readonly mib: number;
  readonly told: string;
}

function iosOf(disks: readonly LoopDevice[]): number {
  const stats = readDiskstats();
  return disks.reduce((sum, { dev }) => {
    const { reads, writes } = stats.get(dev)!;
    return sum + reads + writes;
  }, 0);
}

async function traced({ disks: count, processes, perSecond }: Order): Promise<Figures> {
  const disks = createDisks(count);
  try {
    const filter = disks.flatMap(({ name }) => ['--disk', name]);
    const before = iosOf(disks);
    const peer = new Peer([process.execPath, IOHEAT, '--verbose', ...filter]);
    await sleep(START_MS);
    const cpuBefore = peer.cpuMs();
    const path = disks.map((disk) => disk.path).join(':');
    const jobs = processes === undefined ? {} : { jobs: processes };
    const { iops } = await runFio({ path }, { seconds: SECONDS, perSecond, ...jobs });
    const corePercent = (peer.cpuMs() - cpuBefore) / SECONDS / 10;
    const mib = peer.residentMib();
    await sleep(DRAIN_MS);
    await peer.end('q');
    return { iops, corePercent, mib, told: toldOf(peer.tail, iosOf(disks) - before) };
  } finally {
    removeDisks(disks);
  }
}

/** What the program says at its end, beside the kernel's own count. */
function toldOf(tail: string, truth: number): string {
  const said = /delivered (\d+), aggregated (\d+), lost (\d+)/.exec(tail);
  const [delivered = NaN, summarised = NaN, lost = NaN] = said?.slice(1).map(Number) ?? [];
  return `${delivered} + ${summarised} + ${lost} of ${truth}`;
}

const HEAD = ['k IOPS', '% of a core', 'MiB', 'individual + aggregated + lost'];

function rowOf(name: string, { iops, corePercent, mib, told }: Figures): string[] {
  return [name, (iops / 1000).toFixed(1), corePercent.toFixed(1), mib.toFixed(0), told];
}

async function rates(): Promise<void> {
  block('growth-rates');
  const rows: string[][] = [];
  for (const perSecond of [100, 1000, 10_000, 50_000, 100_000, undefined])
    rows.push(
      rowOf(
        perSecond === undefined ? 'as many as go' : `${perSecond}/s`,
        await traced({ disks: 1, perSecond }),
      ),
    );
  table(['Load', ...HEAD], rows);
}

async function disks(): Promise<void> {
  block('growth-disks');
  const rows: string[][] = [];
  for (const count of [1, 4, 16, 64])
    rows.push(rowOf(String(count), await traced({ disks: count, perSecond: RATE })));
  table(['Disks', ...HEAD], rows);
}

async function processes(): Promise<void> {
  block('growth-processes');
  const rows: string[][] = [];
  for (const count of [1, 10, 100, 400])
    rows.push(rowOf(String(count), await traced({ disks: 1, processes: count, perSecond: RATE })));
  table(['Processes', ...HEAD], rows);
}

async function sizes(): Promise<void> {
  block('growth-sizes');
  const rows: string[][] = [];
  for (const [cols, lines] of [
    [80, 24],
    [120, 40],
    [200, 50],
    [300, 100],
    [500, 200],
  ] as const) {
    const command = [process.execPath, IOHEAT, 'demo', '--interval', '100ms'];
    const peer = new Peer(command, { cols, rows: lines });
    await sleep(START_MS);
    const [cpuBefore, bytesBefore, framesBefore] = [peer.cpuMs(), peer.bytes, peer.frames];
    await sleep(SECONDS * 1000);
    const frames = peer.frames - framesBefore;
    rows.push([
      `${cols}×${lines}`,
      ((peer.bytes - bytesBefore) / frames).toFixed(0),
      ((peer.cpuMs() - cpuBefore) / frames).toFixed(1),
      (frames / SECONDS).toFixed(1),
      peer.residentMib().toFixed(0),
    ]);
    await peer.end('q');
  }
  table(['Terminal', 'B per frame', 'ms processor per frame', 'frames/s', 'MiB'], rows);
}

ensureBuilt();
const PARTS = { rates, disks, processes, sizes };
const chosen = process.env['GROWTH_BENCH']?.split(',') ?? Object.keys(PARTS);
for (const [name, part] of Object.entries(PARTS)) if (chosen.includes(name)) await part();
