import { execFileSync } from 'node:child_process';
import type { LoopDevice } from '../../load/loop-device.ts';
import { CANNOT, PaintedTrace } from './painted-trace.ts';

const ATTEMPTS = 4;

export interface ReadPainting<T> {
  /** What `read` found; undefined where the painter called no painting readable. */
  readonly read: T | undefined;
  /** What the painter said of its last painting. */
  readonly told: string;
}

/**
 * Paints until the painter itself finds the painting readable, and then reads it. Each further attempt
 * follows the painter's advice to a busy machine: a longer interval, in ns.
 */
export async function paintReadable<T>(
  disk: LoopDevice,
  { word, metric, intervalNs }: { word: string; metric: string; intervalNs: number },
  read: (trace: PaintedTrace) => T,
): Promise<ReadPainting<T>> {
  let told = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // A painting needs so many I/Os per column that the disk must not be busy with what others wrote before.
    execFileSync('sync');
    const trace = new PaintedTrace(disk, intervalNs * 1.5 ** attempt);
    try {
      told = await trace.paint(word, metric);
      if (![CANNOT, 'hardly readable'].some((words) => told.includes(words)))
        return { read: read(trace), told };
    } finally {
      trace.dispose();
    }
  }
  return { read: undefined, told };
}
