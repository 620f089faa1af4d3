import koffi from 'koffi';
import type { ClockBase } from '../base/time.ts';

const CLOCK_REALTIME = 0;
const clockGettime = koffi
  .load(null)
  .func('int clock_gettime(int clock, void *time)') as unknown as (
  clock: number,
  time: BigInt64Array,
) => number;

/** Both clocks at one moment: the wall clock is read between two looks at the other. */
export function readClockBase(): ClockBase {
  const time = new BigInt64Array(2);
  const before = process.hrtime.bigint();
  clockGettime(CLOCK_REALTIME, time);
  const after = process.hrtime.bigint();
  return {
    monotonicNs: (before + after) / 2n,
    wallNs: time[0]! * 1_000_000_000n + time[1]!,
  };
}
