import { setFlagsFromString } from 'node:v8';

/**
 * Collects young garbage on one thread. Four threads would share 2 MiB of it: a third of all wakeups, for less work
 * than waking them.
 */
const GARBAGE_ALONE = '--no-parallel-scavenge';

/**
 * Amount of bytecode that runs before V8 optimizes a function; the default is 66,000. While little I/O comes, code runs
 * too rarely for an optimization on threads of V8 to pay off: half a minute after the start, at 1,000 I/Os a second, it
 * takes 1.0 % of a core, with this setting 0.3 %. With much I/O, the amount is reached within seconds. From Node 22 on,
 * V8 counts differently, and rarer optimization saves nothing.
 */
const OPTIMIZE_AFTER = '--interrupt-budget=400000';
const COUNTS_CALLS_FROM = 12;

/** Settings of V8 for a program that runs next to a load for long. */
export function spareProcessors(): void {
  setFlagsFromString(GARBAGE_ALONE);
  if (Number.parseInt(process.versions.v8) < COUNTS_CALLS_FROM) setFlagsFromString(OPTIMIZE_AFTER);
}
