import { attachTracer } from '../../src/kernel/attach/attach.ts';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { openLiveSource, type LiveSource } from '../../src/kernel/live/live-source.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { PerfCounter } from '../load/perf-counter.ts';
import { createDisks, removeDisks } from './support/loop-devices.ts';
import { block, median, table } from './support/output.ts';
import { must } from '../must.ts';
import { cpuMs } from './support/best-ms.ts';

/**
 * What is lost, and what finding out costs. Events counted against truth: what was seen one by one, in
 * sum, and in each counter of losses, beside `/proc/diskstats` and perf's count of the same disk; and the
 * time of the look at `/proc/diskstats` once a second, by the number of disks. Needs root.
 *
 *   npm run bench -- kernel-truth
 *
 * KERNEL_BENCH picks parts: `losses` (half a minute) and `audit` (half a minute). KERNEL_MILLIONS is the
 * number of I/Os of each load of `losses`.
 */
const MILLIONS = Number(process.env['KERNEL_MILLIONS'] ?? 1);
const MIB = 1 << 20;
const DISK_BYTES = 256 * MIB;
const READ_EVERY_MS = 33;
const AUDIT_EVERY_MS = 1000;

function open(ringBytes?: number): LiveSource {
  const { handover } = must(attachTracer(ringBytes === undefined ? {} : { ringBytes }));
  return must(openLiveSource(handover, new IdentityTable()));
}

/** Everything that waits; between attaching and the filter, other disks are seen, too. */
function rowsOf(source: LiveSource, { dev }: LoopDevice): number {
  let count = 0;
  for (let rows = source.read(); rows.length > 0; rows = source.read())
    for (let row = 0; row < rows.length; row++)
      if (source.info.identities.get(rows.identity[row]!).dev === dev) count++;
  return count;
}

interface Load {
  readonly name: string;
  readonly processes: number;
  readonly ringBytes?: number;
  /** Nobody reads until it is over. */
  readonly unread?: boolean;
}

const LOADS: readonly Load[] = [
  { name: '2 processes', processes: 2 },
  { name: '50 processes', processes: 50 },
  { name: '2 processes, ring of 64 KiB', processes: 2, ringBytes: 1 << 16 },
  { name: '2 processes, ring of 1 MiB, nobody reads', processes: 2, ringBytes: MIB, unread: true },
];

const COUNTERS = ['overwritten', 'vanished', 'skipped', 'unsummarised', 'unseen'] as const;

async function runLoad(program: BundledEntry, disk: LoopDevice, processes: number): Promise<void> {
  const shape = { path: disk.path, depth: 32, batch: 8, blockBytes: 4096, writes: 0.3 };
  const count = Math.ceil((MILLIONS * 1e6) / processes);
  const reports = Array.from({ length: processes }, (_, seed) =>
    startLoad(program, { ...shape, spanBytes: disk.bytes, count, seed: seed + 1 }),
  );
  for (const { report } of reports) if ((await report).failures > 0) throw new Error('I/O failed');
}

async function lossesOf(load: Load, program: BundledEntry): Promise<string[]> {
  const disk = LoopDevice.create({ bytes: DISK_BYTES });
  const perf = PerfCounter.open(disk.dev);
  const source = open(load.ringBytes);
  try {
    source.setFilter({ devs: [disk.dev] });
    const lostBefore = source.counters().losses;
    const before = readDiskstats().get(disk.dev)!;
    const seen = { rows: 0, inSum: 0 };
    const drain = (): void => {
      seen.rows += rowsOf(source, disk);
      for (const { identity: key, count } of source.readSummaries())
        if (source.info.identities.get(key).dev === disk.dev) seen.inSum += count;
    };
    const reading = setInterval(drain, READ_EVERY_MS);
    const auditing = setInterval(() => {
      source.audit();
    }, AUDIT_EVERY_MS);
    if (load.unread === true) clearInterval(reading);
    await runLoad(program, disk, load.processes);
    clearInterval(reading);
    clearInterval(auditing);
    drain();
    source.audit();
    drain();
    const { losses } = source.counters();
    const skipped = source.remarks()['skipped by the kernel'] ?? 0;
    const { reads, writes } = diskstatsSince(before, readDiskstats().get(disk.dev)!);
    const lost = COUNTERS.map((name) => (losses[name] ?? 0) - (lostBefore[name] ?? 0));
    const sum = lost.reduce((one, other) => one + other, seen.rows + seen.inSum);
    const figures = [reads + writes, perf.read(), seen.rows, seen.inSum, ...lost];
    const difference = sum - reads - writes;
    return [
      load.name,
      ...figures.map((figure) => figure.toLocaleString('en-US')),
      String(difference),
      skipped.toLocaleString('en-US'),
    ];
  } finally {
    source.dispose();
    perf.dispose();
    disk.dispose();
  }
}

async function losses(): Promise<void> {
  block('kernel-losses');
  const program = await buildLoad();
  const rows: string[][] = [];
  for (const load of LOADS) rows.push(await lossesOf(load, program));
  program.dispose();
  const head = [
    'Load',
    'diskstats',
    'perf',
    'individual',
    'aggregated',
    ...COUNTERS,
    'unaccounted',
    'skipped runs',
  ];
  table(head, rows);
}

const LOOKS = 200;

/** µs of processor time, the median of many. */
function timed(work: () => void): number {
  return median(Array.from({ length: LOOKS }, () => cpuMs(work) * 1000));
}

function audit(): Promise<void> {
  block('kernel-audit');
  const rows: string[][] = [];
  const disks: LoopDevice[] = [];
  const source = open();
  try {
    for (const wanted of [0, 16, 64, 200]) {
      disks.push(...createDisks(wanted - disks.length, MIB));
      source.refreshDevices();
      const look = (): void => {
        source.audit();
        source.read();
      };
      look();
      const auditUs = timed(look);
      const readUs = timed(() => source.read());
      const refreshUs = timed(() => {
        source.refreshDevices();
      });
      const lines = readDiskstats().size;
      const share = ((auditUs - readUs) / 1e6) * 100;
      rows.push([
        String(lines),
        (auditUs - readUs).toFixed(0),
        share.toFixed(3),
        refreshUs.toFixed(0),
        ((refreshUs / 1e6) * 100).toFixed(3),
      ]);
    }
  } finally {
    source.dispose();
    removeDisks(disks);
  }
  const head = [
    'Lines of /proc/diskstats',
    'µs a look',
    '% of a core',
    'µs to list the disks',
    '% of a core',
  ];
  table(head, rows);
  return Promise.resolve();
}

const PARTS = { losses, audit };
const chosen = process.env['KERNEL_BENCH']?.split(',') ?? Object.keys(PARTS);
for (const [name, part] of Object.entries(PARTS)) if (chosen.includes(name)) await part();
