import { processorUs } from '../../../src/base/processor-time.ts';

/** The least processor time of `rounds` runs, in ms: what the machine does beside is in none of it. */
export function bestMs(rounds: number, work: () => void): number {
  return Math.min(...Array.from({ length: rounds }, () => cpuMs(work)));
}

/** Processor time of one run, in ms: of all threads, so with what the garbage collector does. */
export function cpuMs(work: () => void): number {
  const startUs = processorUs();
  work();
  return (processorUs() - startUs) / 1e3;
}
