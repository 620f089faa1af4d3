import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import type { LineStart } from './line-start.ts';
import { nsBetween } from './log-text.ts';
import type { Stamp } from './log-text.ts';

/*
 * The unit of the times depends on the clock of the trace. It is derived from the times, because neither ftrace nor
 * trace-cmd nor perf prints the clock's name.
 */

/** The factor that converts a log's times to seconds. */
export interface TraceClock {
  readonly name: string | undefined;
  secondsOf(stamp: Stamp): Stamp;
}

const SECONDS: TraceClock = { name: undefined, secondsOf: (stamp) => stamp };

/** `USER_HZ`: unit of the clock `uptime`. */
const TICKS_PER_SECOND = 100;
const TICK_NS = 1e9 / TICKS_PER_SECOND;

const UPTIME: TraceClock = {
  name: 'clock uptime, in steps of 10 ms',
  secondsOf: ({ seconds: ticks }) => ({
    seconds: Math.floor(ticks / TICKS_PER_SECOND),
    ns: (ticks % TICKS_PER_SECOND) * TICK_NS,
  }),
};

export type TraceTool = 'perf' | 'trace-cmd' | 'ftrace';

/** Determines the clock from the first lines; fails when their times are unusable. */
export function clockOf(starts: readonly LineStart[], tool: TraceTool): Result<TraceClock> {
  const stamps = starts.map(({ stamp }) => stamp);
  if (starts.some(({ kind }) => kind === 'count')) return countingClock(stamps, tool);
  if (tool === 'perf' && areDifferences(stamps)) return err(DIFFERENCES);
  if (tool === 'trace-cmd' && areTinyCounts(stamps)) return err(unusable('uptime', tool));
  return ok(SECONDS);
}

/** `uptime` repeats a value for 10 ms; `counter` increases by one with each event; a TSC by much more. */
function countingClock(stamps: readonly Stamp[], tool: TraceTool): Result<TraceClock> {
  const counts = stamps.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const steps = counts.slice(1).map((count, i) => count - counts[i]!);
  if (tool === 'ftrace' && steps.includes(0)) return ok(UPTIME);
  const middle = steps.sort((a, b) => a - b)[steps.length >> 1] ?? 0;
  return err(unusable(middle <= COUNTER_STEP ? 'counter' : 'x86-tsc', tool));
}

/** Tolerance, because other events and CPUs increment the counter too. */
const COUNTER_STEP = 16;

/** perf prints events in order of time, so numbers that decrease often are not times. */
function areDifferences(stamps: readonly Stamp[]): boolean {
  const falls = stamps.filter((stamp, i) => i > 0 && nsBetween(stamps[i - 1]!, stamp) < 0).length;
  return falls * DIFFERENCE_SHARE > stamps.length && stamps.length >= FEWEST;
}

const DIFFERENCE_SHARE = 10;
const FEWEST = 3;

/** Every kernel clock that counts time exceeds this before user space runs. */
const BOOT_SECONDS = 0.1;

/** trace-cmd prints the ticks of `uptime` as if they were ns. */
function areTinyCounts(stamps: readonly Stamp[]): boolean {
  return (
    stamps.length > 0 &&
    stamps.every(({ seconds, ns }) => seconds + ns / 1e9 < BOOT_SECONDS) &&
    stamps.some((stamp, i) => i > 0 && nsBetween(stamps[i - 1]!, stamp) === 0)
  );
}

const DIFFERENCES: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'the log has no times of its events',
  why: 'it has the time since the line before (perf script --deltatime)',
  remedy: 'run perf script again without --deltatime',
};

export const NO_TIMES: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'the log has no times',
  remedy: 'print them too, as with perf script -F comm,pid,tid,cpu,time,event,trace',
};

const WHY: Readonly<Record<'counter' | 'uptime' | 'x86-tsc', string>> = {
  counter: 'the clock "counter" only numbers the events',
  uptime: 'trace-cmd prints the clock "uptime" in steps of 10 s',
  'x86-tsc': 'they are plain numbers, as from the clock "x86-tsc", whose frequency is unknown',
};

function unusable(clock: keyof typeof WHY, tool: TraceTool): IoheatError {
  const how = tool === 'trace-cmd' ? 'trace-cmd record -C mono' : 'echo mono > trace_clock';
  return {
    exitCode: ExitCode.failed,
    what: 'the times of the log are not in seconds',
    why: WHY[clock],
    remedy: `record again with another clock (${how})`,
  };
}
