import { readFileSync } from 'node:fs';
import { attachTracer } from '../../src/kernel/attach/attach.ts';
import { openLiveSource, type LiveSource } from '../../src/kernel/live/live-source.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { fioReads, type FioLatency } from '../load/fio.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { BioWitness } from './support/bio-witness.ts';
import { block, say, table } from './support/output.ts';
import { must } from '../must.ts';

/**
 * Total latency as fio measures it and as ioheat shows it, on a disk that gets more I/O than it has
 * requests: by number of requests, I/O scheduler and callers, one read of 4 KiB at a time each. On a disk
 * of 5 ms, and on one in memory, where bpftrace says what fio's own share is. Needs root, fio, bpftrace.
 *
 *   npm run bench -- saturation
 */
const DISK_BYTES = 64 << 20;
const DELAY_US = 5000;
const REQUESTS = [4, 32, 256];
const JOBS = [1, 4, 16, 64];
const SECONDS = 1;
const QUEUE_UNSEEN = 'first seen after their wait for a free request';

interface Seen extends FioLatency {
  readonly unseen: number;
}

function open(dev: number): LiveSource {
  const { handover } = must(attachTracer());
  const source = must(openLiveSource(handover, new IdentityTable()));
  source.setFilter({ devs: [dev] });
  return source;
}

function totalsOf(source: LiveSource, dev: number, into: number[]): void {
  for (let rows = source.read(); rows.length > 0; rows = source.read())
    for (let row = 0; row < rows.length; row++)
      if (source.info.identities.get(rows.identity[row]!).dev === dev)
        into.push(rows.queueNs[row]! + rows.deviceNs[row]!);
}

async function measure({ path, dev }: LoopDevice, jobs: number): Promise<[FioLatency, Seen]> {
  const source = open(dev);
  const totals: number[] = [];
  const reading = setInterval(() => {
    totalsOf(source, dev, totals);
  }, 20);
  try {
    const fio = await fioReads({ path, jobs, seconds: SECONDS });
    totalsOf(source, dev, totals);
    totals.sort((a, b) => a - b);
    const mean = totals.reduce((sum, ns) => sum + ns, 0) / totals.length;
    const at = (share: number): number => totals[Math.ceil(share * totals.length) - 1] ?? NaN;
    const unseen = source.remarks()[QUEUE_UNSEEN] ?? NaN;
    return [fio, { count: totals.length, mean, p50: at(0.5), p99: at(0.99), unseen }];
  } finally {
    clearInterval(reading);
    source.dispose();
  }
}

const us = (ns: number): string => (ns / 1000).toFixed(ns < 1e6 ? 1 : 0);

function apart(seen: number, fio: number): string {
  const difference = fio - seen;
  const percent = ((difference / fio) * 100).toFixed(1);
  return `${(difference / 1000).toFixed(0)} (${percent} %)`;
}

/** False where the disk takes no such number: without a scheduler it has its own. */
function set(disk: LoopDevice, scheduler: string, requests: number): boolean {
  disk.setQueue('scheduler', scheduler);
  disk.setQueue('nomerges', '2');
  try {
    disk.setQueue('nr_requests', String(requests));
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EINVAL') return false;
    throw cause;
  }
}

async function compare(disk: LoopDevice, witness?: BioWitness): Promise<void> {
  const list = readFileSync(`/sys/block/${disk.name}/queue/scheduler`, 'utf8');
  const rows: string[][] = [];
  for (const scheduler of list.match(/[a-z-]+/g) ?? [])
    for (const requests of REQUESTS) {
      if (!set(disk, scheduler, requests)) continue;
      for (const jobs of JOBS) {
        await witness?.mean();
        const [fio, seen] = await measure(disk, jobs);
        const second = witness && us(await witness.mean());
        rows.push([
          `${scheduler}, ${requests}, ${jobs}`,
          ...[fio.mean, seen.mean].map(us),
          ...(second === undefined ? [] : [second]),
          apart(seen.mean, fio.mean),
          ...[fio.p50, seen.p50, fio.p99, seen.p99].map(us),
          String(seen.unseen),
        ]);
      }
    }
  table(
    [
      'Scheduler, requests, callers',
      'fio mean µs',
      'ioheat',
      ...(witness ? ['bpftrace'] : []),
      'fio − ioheat',
      'fio p50',
      'ioheat',
      'fio p99',
      'ioheat',
      'queuing unseen',
    ],
    rows,
  );
}

block('saturation-slow');
const program = await buildSlowFile();
const slow = await SlowDisk.start(program, DISK_BYTES);
try {
  await slow.setRules([{ start: 0, end: DISK_BYTES, delayUs: DELAY_US }]);
  await compare(slow.loop);
} finally {
  await slow.dispose();
  program.dispose();
}

block('saturation-memory');
const memory = LoopDevice.create({ bytes: DISK_BYTES });
const witness = await BioWitness.start(memory);
try {
  await compare(memory, witness);
  say('');
} finally {
  await witness.end();
  memory.dispose();
}
