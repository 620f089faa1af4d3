import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDiskstats } from '../../../src/kernel/machine/diskstats.ts';
import { IOHEAT } from '../../e2e/build.ts';
import { LoopDevice } from '../../load/loop-device.ts';
import { runFio } from './fio.ts';
import { table } from './output.ts';
import { Peer } from './peer.ts';
import { withTracefs } from './peer-tools.ts';

const START_MS = 4000;
const DRAIN_MS = 1500;
const BIOLATENCY = '/usr/sbin/biolatency';
const BPFTRACE = '/usr/bin/bpftrace';

function iosOf({ dev }: LoopDevice): number {
  const { reads, writes } = readDiskstats().get(dev)!;
  return reads + writes;
}

/** The counts of a histogram: `2 -> 3 : 17 |***|`. */
function sumOfHistogram(text: string): number {
  return [...text.matchAll(/-> \d+\s+: (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function round(disk: LoopDevice, processes: number, seconds: number): Promise<string[]> {
  const before = iosOf(disk);
  const count = `tracepoint:block:block_rq_complete /args->dev == ${disk.dev}/ { @ios = count(); }`;
  const ioheat = new Peer([process.execPath, IOHEAT, '--verbose', '--disk', disk.name]);
  const biolatency = existsSync(BIOLATENCY) ? new Peer([BIOLATENCY, '-d', disk.name]) : undefined;
  const bpftrace = existsSync(BPFTRACE)
    ? new Peer(withTracefs([BPFTRACE, '-e', count]))
    : undefined;
  await sleep(START_MS);
  await runFio(disk, { seconds, jobs: processes });
  await sleep(DRAIN_MS);
  await Promise.all([ioheat.end('q'), biolatency?.end(), bpftrace?.end()]);
  const said = /delivered (\d+), aggregated (\d+), lost (\d+)/.exec(ioheat.tail);
  const [delivered = NaN, inSum = NaN, lost = NaN] = said?.slice(1).map(Number) ?? [];
  const counted = Number(/@ios: (\d+)/.exec(bpftrace?.tail ?? '')?.[1]);
  const histogram = biolatency === undefined ? NaN : sumOfHistogram(biolatency.tail);
  const figures = [iosOf(disk) - before, delivered + inSum, lost, histogram, counted];
  return [
    `${processes} processes`,
    ...figures.map((figure) => (Number.isNaN(figure) ? '–' : figure.toLocaleString('en-US'))),
  ];
}

/** The same load counted by several tools at once, beside what the kernel says that it finished. */
export async function truths(rounds: number, seconds: number): Promise<void> {
  const disk = LoopDevice.create({ bytes: 64 << 20 });
  const rows: string[][] = [];
  try {
    for (const processes of [2, 50, 200])
      for (let turn = 0; turn < rounds; turn++) rows.push(await round(disk, processes, seconds));
  } finally {
    disk.dispose();
  }
  table(
    ['Load', '/proc/diskstats', 'ioheat saw', 'ioheat says lost', 'biolatency', 'bpftrace count()'],
    rows,
  );
}
