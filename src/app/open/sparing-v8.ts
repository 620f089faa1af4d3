import { setFlagsFromString } from 'node:v8';

/** Four threads would share garbage of 2 MiB: a third of all wakeups, for less work than they take. */
const GARBAGE_ALONE = '--no-parallel-scavenge';

/**
 * In bytes of bytecode; the default is 66,000. While little I/O comes, code runs too rarely to repay its optimization on
 * threads of V8: 1.0 % of a core a half minute after the start, at 1,000 I/Os a second, and with this 0.3. With much I/O
 * it gets there within seconds. From Node 22 on V8 counts otherwise, and a rarer optimization spares nothing.
 */
const OPTIMIZE_AFTER = '--interrupt-budget=400000';
const COUNTS_CALLS_FROM = 12;

/** For a program that runs next to a load for long. */
export function spareProcessors(): void {
  setFlagsFromString(GARBAGE_ALONE);
  if (Number.parseInt(process.versions.v8) < COUNTS_CALLS_FROM) setFlagsFromString(OPTIMIZE_AFTER);
}
