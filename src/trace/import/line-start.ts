import { parseStamp } from './log-text.ts';
import type { Stamp } from './log-text.ts';

/*
 * What perf script, trace-cmd report and ftrace's `trace` print before an event: process, CPU and time. Sources:
 * kernel/trace/trace_output.c, tools/perf/builtin-script.c and libtraceevent.
 */

/** Unit of a time: mostly seconds; for a count, the whole log has to be considered. */
export type StampKind = 'seconds' | 'since-start' | 'count';

export interface LineStart {
  readonly kind: StampKind;
  /** For a count, the number is in `seconds`. */
  readonly stamp: Stamp;
  /** Undefined when the line lacks it. */
  readonly tid: number | undefined;
  readonly tgid: number | undefined;
}

/** Maximum length of the text between the name and the event. */
const CHARACTERS = 160;

/**
 * `12.345678:`; in the latency format `18776us+:` or, verbose, `[323ab7ac] 18.804ms (+0.006ms):`; `84171:` with
 * clocks that do not count seconds. trace-cmd's `--ts-diff`, or perf's period and group, may follow.
 */
const STAMP =
  /(?:(\d+)\.(\d+)|(\d+)us ?[ +!#*@$]?|\[[0-9a-f]+\] +(\d+)\.(\d{3})ms \([-+.\d]+ms\)|(\d+)):(?: +\([-+]?\d+\))?(?: +\d+)?(?: +block:| *)$/;
/** `dd-1234 (1200) [001] d..1. `, `dd 1200/1234 [001] `, `dd-1234 0d..1. `; the CPU is optional. */
const TASK =
  /(?:-| |^)(\d+)(?:\/(\d+))? +(?:\( *(\d+|-+)\) +)?(?:\[\d+\] *)?(?:\d*[^ \d[][^ ]{3,6} +)?$/;
/** `dd   11081   0 0 00000000 00000000 `: thread, CPU, flags, preemption, line number. */
const VERBOSE_TASK = / (\d+) +\d+ [\da-f]+ [\da-f]{8} [\da-f]{8} +$/;

/** Parses the text before an event; undefined when it has no time. */
export function parseLineStart(before: string): LineStart | undefined {
  const text = before.slice(-CHARACTERS);
  const found = STAMP.exec(text);
  if (found === null) return undefined;
  const [, seconds, fraction, sinceUs, sinceMs, thousandths, count] = found;
  const who = text.slice(0, found.index);
  if (seconds !== undefined && fraction !== undefined)
    return { kind: 'seconds', stamp: parseStamp(seconds, fraction), ...taskOf(who, TASK) };
  if (count !== undefined)
    return { kind: 'count', stamp: { seconds: Number(count), ns: 0 }, ...taskOf(who, TASK) };
  if (sinceUs !== undefined)
    return { kind: 'since-start', stamp: stampOfUs(Number(sinceUs)), ...taskOf(who, TASK) };
  const us = Number(sinceMs) * 1000 + Number(thousandths);
  return { kind: 'since-start', stamp: stampOfUs(us), ...taskOf(who, VERBOSE_TASK) };
}

const US_PER_SECOND = 1e6;

function stampOfUs(us: number): Stamp {
  return { seconds: Math.floor(us / US_PER_SECOND), ns: (us % US_PER_SECOND) * 1000 };
}

function taskOf(who: string, pattern: RegExp): Pick<LineStart, 'tid' | 'tgid'> {
  const found = pattern.exec(who);
  if (found === null) return { tid: undefined, tgid: undefined };
  const [, first, second, group] = found;
  const tid = Number(second ?? first);
  if (second !== undefined) return { tid, tgid: Number(first) };
  return { tid, tgid: group === undefined || group.startsWith('-') ? undefined : Number(group) };
}
