import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';
import { bundleEntry } from '../kernel/fixtures/bundle-entry.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { Peer, programTimes } from './support/peer.ts';

/**
 * ioheat beside the tools that people use for the same: cost per I/O in the kernel and in the tool, what
 * it does to the load, and the bytes and the processor time of a screen. Needs root, and Debian's fio,
 * bpftool, libbpf-tools, bpftrace, blktrace, htop and btop; what is not installed is left out and named.
 * PEERS_BENCH picks parts by name, such as `PEERS_BENCH=cost,screens`.
 *
 *   npx vitest run --config test/bench/vitest.config.ts peers
 */
const STATS = '/proc/sys/kernel/bpf_stats_enabled';
const SECONDS = 5;
const SCREEN_SECONDS = 10;
const ROUNDS = Number(process.env['PEERS_ROUNDS'] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'ioheat-peers-'));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** One line per I/O, as biosnoop prints it, from tracepoints alone. */
const SNOOP = `
tracepoint:block:block_rq_issue { @start[args->dev, args->sector] = nsecs; @comm[args->dev, args->sector] = comm; @pid[args->dev, args->sector] = pid; }
tracepoint:block:block_rq_complete /@start[args->dev, args->sector]/ {
  printf("%-12u %-16s %-7d %-9u %-4s %-10u %d\\n", nsecs / 1000, @comm[args->dev, args->sector], @pid[args->dev, args->sector], args->dev, args->rwbs, args->sector, (nsecs - @start[args->dev, args->sector]) / 1000);
  delete(@start[args->dev, args->sector]); delete(@comm[args->dev, args->sector]); delete(@pid[args->dev, args->sector]);
}`;

/** I/Os, bytes and time by process and disk once a second, as biotop shows them. */
const TOP = `
tracepoint:block:block_rq_issue { @start[args->dev, args->sector] = nsecs; @who[args->dev, args->sector] = pid; }
tracepoint:block:block_rq_complete /@start[args->dev, args->sector]/ {
  $pid = @who[args->dev, args->sector];
  @ios[$pid, args->dev] = count(); @us[$pid, args->dev] = sum((nsecs - @start[args->dev, args->sector]) / 1000);
  delete(@start[args->dev, args->sector]); delete(@who[args->dev, args->sector]);
}
interval:s:1 { print(@ios); print(@us); clear(@ios); clear(@us); }`;

const snoopPath = join(folder, 'snoop.bt');
const topPath = join(folder, 'top.bt');
writeFileSync(snoopPath, SNOOP);
writeFileSync(topPath, TOP);

interface Tool {
  readonly name: string;
  readonly needs: string;
  readonly command: (disk: LoopDevice) => readonly string[];
}

const TOOLS: readonly Tool[] = [
  { name: 'ioheat', needs: IOHEAT, command: () => [process.execPath, IOHEAT] },
  {
    name: 'biolatency (libbpf-tools)',
    needs: '/usr/sbin/biolatency',
    command: () => ['/usr/sbin/biolatency', '1'],
  },
  {
    name: 'biotop by bpftrace',
    needs: '/usr/bin/bpftrace',
    command: () => ['/usr/bin/bpftrace', topPath],
  },
  {
    name: 'biosnoop by bpftrace',
    needs: '/usr/bin/bpftrace',
    command: () => ['/usr/bin/bpftrace', snoopPath],
  },
];

interface LoadFigures {
  readonly iops: number;
  readonly p99Us: number;
}

/** Random reads of 4 KiB for some seconds; undefined for as many as go. */
function runFio(disk: LoopDevice, perSecond?: number): Promise<LoadFigures> {
  const many = perSecond === undefined || perSecond > 50_000;
  const jobs = many ? 2 : 1;
  const args = [
    '--name=load',
    `--filename=${disk.path}`,
    '--direct=1',
    '--rw=randread',
    '--bs=4k',
    '--ioengine=libaio',
    `--iodepth=${many ? 32 : 8}`,
    `--numjobs=${jobs}`,
    '--time_based',
    `--runtime=${SECONDS}`,
    '--group_reporting',
    '--output-format=json',
    ...(perSecond === undefined ? [] : [`--rate_iops=${Math.floor(perSecond / jobs)}`]),
  ];
  return new Promise((resolve, reject) => {
    execFile('fio', args, { maxBuffer: 1 << 24 }, (error, stdout) => {
      if (error === null) resolve(figuresOf(stdout));
      else reject(new Error(`fio: ${error.message}`));
    });
  });
}

function figuresOf(json: string): LoadFigures {
  const { jobs } = JSON.parse(json.slice(json.indexOf('{'))) as {
    jobs: { read: { iops: number; clat_ns: { percentile: Record<string, number> } } }[];
  };
  const { iops, clat_ns } = jobs[0]!.read;
  return { iops, p99Us: (clat_ns.percentile['99.000000'] ?? NaN) / 1000 };
}

interface Cost {
  readonly load: LoadFigures;
  readonly kernelNs: number;
  readonly toolNs: number;
  readonly corePercent: number;
}

async function measure(
  tool: Tool,
  disk: LoopDevice,
  perSecond: number | undefined,
): Promise<Cost | undefined> {
  const others = programTimes();
  const peer = new Peer(tool.command(disk), { cols: 120, rows: 40 });
  await sleep(3000);
  const before = programTimes();
  const cpuBefore = peer.cpuMs();
  const load = await runFio(disk, perSecond);
  const cpuMs = peer.cpuMs() - cpuBefore;
  const after = programTimes();
  await peer.end();
  let kernelNs = 0;
  for (const [id, { ns }] of after) if (!others.has(id)) kernelNs += ns - (before.get(id)?.ns ?? 0);
  if (kernelNs === 0) return undefined;
  const ios = load.iops * SECONDS;
  return {
    load,
    kernelNs: kernelNs / ios,
    toolNs: (cpuMs * 1e6) / ios,
    corePercent: cpuMs / SECONDS / 10,
  };
}

async function cost(): Promise<void> {
  const tools = TOOLS.filter(({ needs }) => existsSync(needs));
  for (const { name, needs } of TOOLS)
    if (!existsSync(needs)) say(`left out: ${name}: ${needs} is not installed`);
  const statsBefore = readFileSync(STATS, 'utf8');
  writeFileSync(STATS, '1');
  const disk = LoopDevice.create({ bytes: 512 << 20 });
  try {
    for (const rate of [1000, 10_000, 100_000, undefined]) await costAt(tools, disk, rate);
  } finally {
    disk.dispose();
    writeFileSync(STATS, statsBefore);
  }
}

async function costAt(
  tools: readonly Tool[],
  disk: LoopDevice,
  rate: number | undefined,
): Promise<void> {
  const label = rate === undefined ? 'maximum' : `${rate / 1000}k`;
  const rounds = rate === undefined ? ROUNDS : 1;
  for (const tool of tools) {
    const alone: LoadFigures[] = [];
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round++) {
      alone.push(await runFio(disk, rate));
      const cost = await measure(tool, disk, rate);
      if (cost !== undefined) costs.push(cost);
    }
    if (costs.length < rounds) {
      say(`cost at ${label.padEnd(7)} IOPS  ${tool.name.padEnd(26)} did not trace here`);
      continue;
    }
    const of = (pick: (cost: Cost) => number): number => median(costs.map(pick));
    const ratio = median(costs.map(({ load }, index) => load.iops / alone[index]!.iops));
    const p99 = median(costs.map(({ load }, index) => load.p99Us / alone[index]!.p99Us));
    say(
      `cost at ${label.padEnd(7)} IOPS  ${tool.name.padEnd(26)} ` +
        `kernel ${of(({ kernelNs }) => kernelNs)
          .toFixed(0)
          .padStart(5)} ns/IO, ` +
        `tool ${of(({ toolNs }) => toolNs)
          .toFixed(0)
          .padStart(6)} ns/IO = ` +
        `${of(({ corePercent }) => corePercent)
          .toFixed(1)
          .padStart(5)} % of a core; ` +
        `load ${(of(({ load }) => load.iops) / 1e3).toFixed(1)}k IOPS, ` +
        `${ratio.toFixed(3)} × alone, p99 ${p99.toFixed(2)} × alone`,
    );
  }
}

/** Each at 200×50, as often a second as it can be told to, up to ten. */
async function screens(): Promise<void> {
  const ink = await bundleEntry('test/bench/support/plain-ink.tsx', [
    'ink',
    'react',
    'react/jsx-runtime',
  ]);
  const btopConfig = join(folder, 'btop');
  execFileSync('mkdir', ['-p', join(btopConfig, 'btop')]);
  writeFileSync(join(btopConfig, 'btop/btop.conf'), 'update_ms = 100\n');
  const cases: { name: string; command: string[]; env?: Record<string, string> }[] = [
    {
      name: 'ioheat demo',

      command: [process.execPath, IOHEAT, 'demo', '--interval', '100ms'],
    },
    {
      name: 'plain Ink, same picture',

      command: [process.execPath, ink.path],
      env: { NODE_ENV: 'production', FORCE_COLOR: '2' },
    },
    { name: 'htop -d 1', command: ['/usr/bin/htop', '-d', '1'] },
    {
      name: 'btop, update_ms 100',

      command: ['/usr/bin/btop'],
      env: { XDG_CONFIG_HOME: btopConfig },
    },
  ];
  for (const { name, command, env } of cases) {
    if (!existsSync(command[0]!)) {
      say(`left out: ${name}: ${command[0]!} is not installed`);
      continue;
    }
    const peer = new Peer(command, { cols: 200, rows: 50 }, env);
    await sleep(4000);
    const [cpuBefore, bytesBefore, framesBefore] = [peer.cpuMs(), peer.bytes, peer.frames];
    await sleep(SCREEN_SECONDS * 1000);
    const cpuMs = peer.cpuMs() - cpuBefore;
    const bytes = peer.bytes - bytesBefore;
    const drawn = peer.frames - framesBefore;
    await peer.end();
    // Who does not mark its frames is taken at its word.
    const frames = drawn === 0 ? SCREEN_SECONDS * 10 : drawn;
    say(
      `screen 200×50  ${name.padEnd(26)} ${(bytes / frames).toFixed(0).padStart(7)} B per frame, ` +
        `${(cpuMs / frames).toFixed(1).padStart(6)} ms processor per frame, ` +
        `${(frames / SCREEN_SECONDS).toFixed(1)} frames a second`,
    );
  }
  ink.dispose();
}

ensureBuilt();
const PARTS = { cost, screens };
const chosen = process.env['PEERS_BENCH']?.split(',') ?? Object.keys(PARTS);
try {
  for (const [name, part] of Object.entries(PARTS)) if (chosen.includes(name)) await part();
} finally {
  rmSync(folder, { recursive: true });
}
