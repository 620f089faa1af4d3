import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readKernelBtf } from '../../../src/kernel/abi/btf.ts';
import { readProgramStats } from '../../../src/kernel/counts/counter-reader.ts';
import { readDiskstats } from '../../../src/kernel/machine/diskstats.ts';
import { LoopDevice } from '../../load/loop-device.ts';
import { attachEmpty } from '../empty-program.ts';
import { runFio, type LoadFigures, type LoadKind } from './fio.ts';
import { median, say, table } from './output.ts';
import { Peer, programTimes } from './peer.ts';
import { TOOLS, withTracefs, type Tool } from './peer-tools.ts';
import { must } from '../../must.ts';

export const STATS = '/proc/sys/kernel/bpf_stats_enabled';
const START_MS = 2500;
/** For what waits in its buffers when the load is over. */
const DRAIN_MS = 1200;

export interface CostOrder {
  readonly folder: string;
  readonly seconds: number;
  /** Of the same load, before what is measured: a tool that has just started may still compile its code. */
  readonly warmUpSeconds?: number;
  readonly rounds: number;
  /** In all; undefined for as many as go. */
  readonly perSecond: number | undefined;
  readonly kind?: LoadKind;
}

export interface Cost {
  readonly load: LoadFigures;
  readonly corePercent: number;
  readonly mib: number;
  /** Share of the disk's I/Os that it told of one by one. */
  readonly told: number | undefined;
  /** Both only while the kernel measures its programs. */
  readonly kernelNs: number;
  readonly runs: number;
}

interface Pair {
  readonly alone: LoadFigures;
  readonly beside: Cost;
}

function iosOf({ dev }: LoopDevice): number {
  const { reads, writes } = readDiskstats().get(dev)!;
  return reads + writes;
}

/** Leaves the kernel's clock on its programs as it is. */
export async function runBeside(tool: Tool, disk: LoopDevice, order: CostOrder): Promise<Cost> {
  const { folder, seconds, warmUpSeconds = 0 } = order;
  for (const file of readdirSync(folder)) if (!file.endsWith('.bt')) rmSync(join(folder, file));
  const others = programTimes();
  const iosBefore = iosOf(disk);
  const peer = new Peer(withTracefs(tool.command(folder, disk)), { cols: 120, rows: 40 });
  await sleep(START_MS);
  if (warmUpSeconds > 0) await runFio(disk, { ...order, seconds: warmUpSeconds });
  const before = programTimes();
  const cpuBefore = peer.cpuMs();
  const load = await runFio(disk, order);
  const cpuMs = peer.cpuMs() - cpuBefore;
  const after = programTimes();
  const mib = peer.residentMib();
  await sleep(DRAIN_MS);
  await peer.end(tool.endKey);
  const seen = tool.seen?.({ tail: peer.tail, disk, folder });
  const sums = { ns: 0, runs: 0 };
  for (const [id, { ns, runs }] of after) {
    if (others.has(id)) continue;
    sums.ns += ns - (before.get(id)?.ns ?? 0);
    sums.runs += runs - (before.get(id)?.runs ?? 0);
  }
  return {
    load,
    corePercent: cpuMs / seconds / 10,
    mib,
    told: seen === undefined ? undefined : seen / (iosOf(disk) - iosBefore),
    kernelNs: sums.ns / load.ios,
    runs: sums.runs / load.ios,
  };
}

/** Those that are there, as PEERS_TOOLS chooses; the others are named. */
export function installed(): Tool[] {
  for (const { name, needs } of TOOLS)
    if (!existsSync(needs)) say(`left out: ${name}: ${needs} is not installed`);
  const chosen = process.env['PEERS_TOOLS']?.split(',');
  return TOOLS.filter(({ name, needs }) => {
    return existsSync(needs) && (chosen === undefined || chosen.includes(name));
  });
}

/**
 * One tool after the other, each beside the load alone just before it. The kernel's clock on its programs
 * costs itself: at the highest rate, where that would show, it runs in a round of its own.
 */
export async function cost(tools: readonly Tool[], order: CostOrder): Promise<void> {
  const statsBefore = readFileSync(STATS, 'utf8');
  const disk = LoopDevice.create({ bytes: 512 << 20 });
  try {
    const emptyNs = await nsOfEmpty(disk, order);
    const clocked = new Map<Tool, Pair>();
    for (const tool of tools) clocked.set(tool, await pair(tool, disk, order));
    const tracing = tools.filter((tool) => isTracing(tool, clocked.get(tool)!));
    const isMost = order.perSecond === undefined;
    if (isMost) writeFileSync(STATS, '0');
    const pairs = new Map(tracing.map((tool) => [tool, isMost ? [] : [clocked.get(tool)!]]));
    for (let round = isMost ? 0 : 1; round < order.rounds; round++)
      for (const tool of tracing) pairs.get(tool)!.push(await pair(tool, disk, order));
    table(
      HEAD,
      tools.map((tool) => rowOf(tool, clocked.get(tool)!.beside, pairs.get(tool), emptyNs)),
    );
    say(`An empty program takes ${emptyNs.toFixed(0)} ns by the same clock; net is without that.`);
  } finally {
    disk.dispose();
    writeFileSync(STATS, statsBefore);
  }
}

async function pair(tool: Tool, disk: LoopDevice, order: CostOrder): Promise<Pair> {
  const alone = await runFio(disk, order);
  return { alone, beside: await runBeside(tool, disk, order) };
}

/** Leaves the kernel's clock on. */
async function nsOfEmpty(disk: LoopDevice, order: CostOrder): Promise<number> {
  const btf = must(readKernelBtf());
  const empty = attachEmpty(btf, 'block_rq_complete');
  try {
    writeFileSync(STATS, '1');
    await runFio(disk, order);
    const { runs, runNs } = readProgramStats(empty.fd);
    return runNs / runs;
  } finally {
    empty.dispose();
  }
}

function isTracing(tool: Tool, { beside }: Pair): boolean {
  return !tool.isBpf || beside.kernelNs > 0;
}

const HEAD = [
  'Tool',
  'shows',
  'kernel ns/IO',
  'net',
  'tool % of a core',
  'MiB',
  'seen',
  'k IOPS',
  '× alone',
  'p99 µs',
  '× alone',
];

function rowOf(
  { name, tells, isBpf, seen }: Tool,
  clocked: Cost,
  pairs: readonly Pair[] | undefined,
  emptyNs: number,
): string[] {
  if (pairs === undefined) return [name, 'did not trace here', ...HEAD.slice(2).map(() => '–')];
  const of = (pick: (pair: Pair) => number): number => median(pairs.map(pick));
  return [
    name,
    tells,
    isBpf ? clocked.kernelNs.toFixed(0) : '–',
    isBpf ? (clocked.kernelNs - clocked.runs * emptyNs).toFixed(0) : '–',
    of(({ beside }) => beside.corePercent).toFixed(1),
    of(({ beside }) => beside.mib).toFixed(0),
    seen === undefined ? '–' : percent(of(({ beside }) => beside.told ?? NaN)),
    of(({ beside }) => beside.load.iops / 1000).toFixed(1),
    of(({ beside, alone }) => beside.load.iops / alone.iops).toFixed(3),
    of(({ beside }) => beside.load.p99Us).toFixed(0),
    of(({ beside, alone }) => beside.load.p99Us / alone.p99Us).toFixed(2),
  ];
}

/** Only all is 100 %: no rounding makes it so. */
function percent(share: number): string {
  if (Number.isNaN(share)) return '?';
  const decimals = share !== 1 && share >= 0.9995 ? 5 : 1;
  const unit = 10 ** decimals;
  return `${(Math.floor(share * 100 * unit) / unit).toFixed(share === 1 ? 0 : decimals)} %`;
}
