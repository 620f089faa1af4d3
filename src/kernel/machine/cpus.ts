import { readFileSync } from 'node:fs';

/** The highest CPU number that this machine can ever have, plus one. */
export function possibleCpus(path = '/sys/devices/system/cpu/possible'): number {
  return 1 + highestCpu(readFileSync(path, 'latin1'));
}

/** The highest number in a list such as `0-3,8`. */
export function highestCpu(list: string): number {
  return Math.max(0, ...list.split(/[-,]/).map(Number));
}
