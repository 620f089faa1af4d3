import { NS_PER_US } from '../../base/time.ts';
import type { PressureSample } from '../../model/pressure.ts';
import { readText } from './read-text.ts';

const IO_PRESSURE = '/proc/pressure/io';

/**
 * The totals of `/proc/pressure/io`, which the kernel updates for each reader. Undefined where it has none: built
 * without CONFIG_PSI, or started with psi=0.
 */
export function readIoPressure(path = IO_PRESSURE): Omit<PressureSample, 'atNs'> | undefined {
  const read = readText(path);
  return 'lacks' in read ? undefined : parsePressure(read.text);
}

/** Lines as `some avg10=0.00 avg60=0.02 avg300=0.42 total=2019218415`, in µs. */
export function parsePressure(text: string): Omit<PressureSample, 'atNs'> | undefined {
  const [some, full] = ['some', 'full'].map((name) => {
    const total = new RegExp(`^${name} .*\\btotal=(\\d+)`, 'm').exec(text)?.[1];
    return total === undefined ? undefined : Number(total) * NS_PER_US;
  });
  return some === undefined || full === undefined ? undefined : { someNs: some, fullNs: full };
}
