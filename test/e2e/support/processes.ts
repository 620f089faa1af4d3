import { existsSync, readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';

/** The only child of a process. */
export function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const child = Number(children[0]);
  if (children.length !== 1 || child === 0)
    throw new Error(`${pid} has children ${children.join()}`);
  return child;
}

export async function isGone(pid: number): Promise<void> {
  await vi.waitFor(
    () => {
      expect(existsSync(`/proc/${pid}`)).toBe(false);
    },
    { timeout: 10_000 },
  );
}

/** Processor time of all threads so far, in ticks of 10 ms. */
export function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold anything; utime and stime are the 14th and 15th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
