import { readFileSync } from 'node:fs';
import koffi from 'koffi';
import { isSystemError } from '../../base/system-error.ts';
import type { ClockBase } from '../../base/time.ts';

const CLOCK_REALTIME = 0;
const clockGettime = koffi
  .load(null)
  .func('int clock_gettime(int clock, void *time)') as unknown as (
  clock: number,
  time: BigInt64Array,
) => number;

/**
 * The clock with which the kernel programs stamp I/O, in ns: CLOCK_MONOTONIC of the machine. Inside a time
 * namespace, this process sees another one.
 */
export function kernelNowNs(): bigint {
  offsetNs ??= timeNamespaceOffset(readOffsets());
  return process.hrtime.bigint() - offsetNs;
}

let offsetNs: bigint | undefined;

/** How far the monotonic clock of the time namespace is ahead, in ns, from `/proc/PID/timens_offsets`. */
export function timeNamespaceOffset(offsets: string): bigint {
  const found = /^monotonic\s+(-?\d+)\s+(\d+)$/m.exec(offsets);
  return found === null ? 0n : BigInt(found[1]!) * 1_000_000_000n + BigInt(found[2]!);
}

/** Empty before Linux 5.6 and without CONFIG_TIME_NS. */
function readOffsets(): string {
  try {
    return readFileSync('/proc/self/timens_offsets', 'latin1');
  } catch (cause) {
    if (isSystemError(cause)) return '';
    throw cause;
  }
}

/** Reads both clocks at one moment: the wall clock is read between two readings of the other. */
export function readClockBase(): ClockBase {
  const time = new BigInt64Array(2);
  const before = kernelNowNs();
  clockGettime(CLOCK_REALTIME, time);
  const after = kernelNowNs();
  return {
    monotonicNs: (before + after) / 2n,
    wallNs: time[0]! * 1_000_000_000n + time[1]!,
  };
}
