import { readFileSync } from 'node:fs';

/** One more than the highest number a CPU can ever have on this machine. */
export function possibleCpus(path = '/sys/devices/system/cpu/possible'): number {
  return 1 + highestCpu(readFileSync(path, 'latin1'));
}

/** Of a list like `0-3,8`. */
export function highestCpu(list: string): number {
  return Math.max(0, ...list.split(/[-,]/).map(Number));
}
