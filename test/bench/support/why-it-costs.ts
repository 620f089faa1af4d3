import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readKernelBtf } from '../../../src/kernel/abi/btf.ts';
import { IOHEAT } from '../../e2e/build.ts';
import { LoopDevice } from '../../load/loop-device.ts';
import { attachEmpty } from '../empty-program.ts';
import { runFio } from './fio.ts';
import { median, table } from './output.ts';
import { Peer } from './peer.ts';
import { must } from '../../must.ts';

const START_MS = 2500;

/** What runs next to the load, until it is stopped. */
interface Step {
  readonly name: string;
  /** The ring is to take all of the load. */
  readonly isStopped?: true;
  readonly begin: () => Promise<{ readonly cpuMs: () => number; end: () => Promise<void> }>;
}

const EMPTY_ON = ['block_io_start', 'block_rq_issue', 'block_rq_complete'];

function emptyPrograms(): Step['begin'] {
  return () => {
    const btf = must(readKernelBtf());
    const attached = EMPTY_ON.map((tracepoint) => attachEmpty(btf, tracepoint));
    const end = (): Promise<void> => {
      for (const { dispose } of attached) dispose();
      return Promise.resolve();
    };
    return Promise.resolve({ cpuMs: () => 0, end });
  };
}

/** `stopped`: attached, with a ring that takes all of the load, and nobody who reads it. */
function tool(command: readonly string[], stopped = false): Step['begin'] {
  return async () => {
    const peer = new Peer(command, { cols: 120, rows: 40 });
    await sleep(START_MS);
    if (stopped) peer.signalAll('SIGSTOP');
    const end = async (): Promise<void> => {
      if (stopped) peer.signalAll('SIGCONT');
      await peer.end();
    };
    return { cpuMs: () => peer.cpuMs(), end };
  };
}

function stepsOf(folder: string): Step[] {
  const ioheat = (...args: string[]): string[] => [process.execPath, IOHEAT, ...args];
  const file = join(folder, 'recording');
  return [
    { name: 'three empty programs', begin: emptyPrograms() },
    { name: 'biolatency 1', begin: tool(['/usr/sbin/biolatency', '1']) },
    {
      name: 'ioheat, stopped: programs and ring alone',
      begin: tool(ioheat('--ring', '256m'), true),
      isStopped: true,
    },
    { name: 'ioheat record: and a reader', begin: tool(ioheat('record', file, '--force')) },
    { name: 'ioheat: and a screen', begin: tool(ioheat()) },
    { name: 'ioheat demo: a screen, no tracing', begin: tool(ioheat('demo')) },
  ];
}

interface WhyOrder {
  readonly folder: string;
  readonly seconds: number;
  /** Of the same load, next to what reads: it may still compile its code. */
  readonly warmUpSeconds: number;
  readonly rounds: number;
}

/** From nothing to everything, what each step takes from a load that keeps all processors busy. */
export async function whyItCosts(order: WhyOrder): Promise<void> {
  const { folder, seconds, warmUpSeconds, rounds } = order;
  const disk = LoopDevice.create({ bytes: 512 << 20 });
  const steps = stepsOf(folder);
  const figures = steps.map(() => [] as { ratio: number; p99: number; core: number }[]);
  try {
    await runFio(disk, { seconds });
    for (let round = 0; round < rounds; round++)
      for (const [index, { begin, isStopped }] of steps.entries()) {
        const before = await runFio(disk, { seconds });
        const { cpuMs, end } = await begin();
        if (warmUpSeconds > 0 && isStopped !== true) await runFio(disk, { seconds: warmUpSeconds });
        const startMs = cpuMs();
        const load = await runFio(disk, { seconds });
        const core = (cpuMs() - startMs) / seconds / 10;
        await end();
        figures[index]!.push({
          ratio: load.iops / before.iops,
          p99: load.p99Us / before.p99Us,
          core,
        });
      }
  } finally {
    disk.dispose();
  }
  table(
    ['Next to the load', 'IOPS × alone', 'least', 'most', 'p99 × alone', '% of a core'],
    steps.map(({ name }, index) => {
      const ratios = figures[index]!.map(({ ratio }) => ratio);
      return [
        name,
        median(ratios).toFixed(3),
        Math.min(...ratios).toFixed(3),
        Math.max(...ratios).toFixed(3),
        median(figures[index]!.map(({ p99 }) => p99)).toFixed(2),
        median(figures[index]!.map(({ core }) => core)).toFixed(1),
      ];
    }),
  );
}
