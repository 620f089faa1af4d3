import { readFileSync } from 'node:fs';
import { COUNTER_NAMES, COUNTERS_BYTES, type CounterName } from './layout.ts';

export type KernelCounters = Readonly<Record<CounterName, number>>;

/** Sums the CPUs' counters, each of which only its CPU writes. */
export class CounterReader {
  private readonly words: BigUint64Array;

  constructor(
    buffer: ArrayBuffer,
    private readonly cpus: number,
  ) {
    this.words = new BigUint64Array(buffer, 0, (cpus * COUNTERS_BYTES) / 8);
  }

  read(): KernelCounters {
    const entries = COUNTER_NAMES.map((name, index) => [name, this.sum(index)] as const);
    return Object.fromEntries(entries) as Record<CounterName, number>;
  }

  /** One counter without an object, for looks that happen often. */
  sum(index: number): number {
    let total = 0;
    for (let cpu = 0; cpu < this.cpus; cpu++) {
      total += Number(this.words[(cpu * COUNTERS_BYTES) / 8 + index]!);
    }
    return total;
  }
}

/** What the kernel says of a program by its descriptor; needs no privilege. */
export interface ProgramStats {
  /** Runs that the kernel skipped because the program was already running on that CPU. */
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
