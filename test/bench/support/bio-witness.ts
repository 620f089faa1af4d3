import { setTimeout as sleep } from 'node:timers/promises';
import type { LoopDevice } from '../../load/loop-device.ts';
import { Peer } from './peer.ts';
import { withTracefs } from './peer-tools.ts';

const START_MS = 4000;
const PRINT_MS = 300;

interface Sum {
  readonly count: number;
  readonly totalNs: number;
}

/** bpftrace's own view of the same disk: from each queued bio to its completion, matched by sector. */
export class BioWitness {
  private before: Sum = { count: 0, totalNs: 0 };

  private constructor(private readonly bpftrace: Peer) {}

  static async start({ dev }: LoopDevice): Promise<BioWitness> {
    const ofDisk = `args->dev == ${dev}`;
    const program =
      `tracepoint:block:block_bio_queue /${ofDisk}/ { @queued[args->sector] = nsecs; } ` +
      `tracepoint:block:block_rq_complete /${ofDisk} && @queued[args->sector]/ ` +
      `{ @took = stats(nsecs - @queued[args->sector]); delete(@queued[args->sector]); }`;
    const env = { BPFTRACE_MAP_KEYS_MAX: '65536' };
    const size = { cols: 200, rows: 50 };
    const witness = new BioWitness(
      new Peer(withTracefs(['/usr/bin/bpftrace', '-e', program]), size, env),
    );
    await sleep(START_MS);
    return witness;
  }

  /** ns, the mean of all since it was asked last; NaN where it saw none. */
  async mean(): Promise<number> {
    this.bpftrace.signalAll('SIGUSR1');
    await sleep(PRINT_MS);
    const prints = [
      ...this.bpftrace.tail.matchAll(/@took: count (\d+), average \d+, total (\d+)/g),
    ];
    const [, count, total] = prints.at(-1) ?? [];
    const now = { count: Number(count ?? 0), totalNs: Number(total ?? 0) };
    const mean = (now.totalNs - this.before.totalNs) / (now.count - this.before.count);
    this.before = now;
    return mean;
  }

  end(): Promise<void> {
    return this.bpftrace.end();
  }
}
