import { readFileSync } from 'node:fs';
import { Counters } from '../abi/layout.ts';

type CounterName = keyof typeof Counters.offsets;
const COUNTER_NAMES = Object.keys(Counters.offsets) as CounterName[];

export type KernelCounters = Readonly<Record<CounterName, number>>;

/** Adds up the counters of all CPUs. */
export class CounterReader {
  private readonly words: BigUint64Array;

  constructor(
    buffer: ArrayBuffer,
    private readonly cpus: number,
  ) {
    this.words = new BigUint64Array(buffer, 0, (cpus * Counters.bytes) / 8);
  }

  read(): KernelCounters {
    const entries = COUNTER_NAMES.map((name) => [name, this.sum(name)] as const);
    return Object.fromEntries(entries) as Record<CounterName, number>;
  }

  /** The number of I/Os of disks and volumes, and of calls, that were counted in summaries. */
  summarised(): number {
    return this.sum('summarised') + this.sum('volumeSummarised') + this.sum('callsSummarised');
  }

  /** One counter. It is called often, so it allocates no object. */
  sum(name: CounterName): number {
    const at = Counters.offsets[name] / 8;
    let total = 0;
    for (let cpu = 0; cpu < this.cpus; cpu++) {
      total += Number(this.words[(cpu * Counters.bytes) / 8 + at]!);
    }
    return total;
  }
}

/** The figures of a program that an unprivileged process with its descriptor may read. */
export interface ProgramStats {
  /**
   * Runs that the kernel skipped because the program was already running on that CPU. 0 before Linux 6.1, because older
   * kernels do not skip programs of tracepoints: 05b24ff9b2cf "bpf: Prevent bpf program recursion for raw tracepoint probes".
   */
  readonly recursionMisses: number;
  /** These two stay 0 unless `kernel.bpf_stats_enabled` is set. */
  readonly runs: number;
  readonly runNs: number;
}

export function readProgramStats(fd: number): ProgramStats {
  const text = readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
  const value = (name: string): number =>
    Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    recursionMisses: value('recursion_misses'),
    runs: value('run_cnt'),
    runNs: value('run_time_ns'),
  };
}
