import type { Clock } from '../base/time.ts';
import { KeyTable } from '../model/key-table.ts';
import type { EventSource } from '../source/event-source.ts';
import type { PatternName } from '../source/patterns.ts';
import { DEFAULT_PATTERN, findPattern } from '../source/patterns.ts';
import { createSyntheticSource } from '../source/synthetic-source.ts';
import { clockBaseBefore, realClock } from './clocks.ts';
import type { Options } from './options.ts';

/** A demonstration opens with a picture, not with an empty screen. */
const PAST_NS = 180e9;
/** As much past as can be made without delaying the first frame. */
const PAST_ROWS = 400_000;

/** The synthetic source of `ioheat demo`, which has been running for a while. */
export function openDemo(options: Options): { source: EventSource; clock: Clock } {
  const pattern = (options.pattern ?? DEFAULT_PATTERN) as PatternName;
  const perSecond = options.rate ?? findPattern(pattern)?.completionsPerSecond ?? 1;
  const pastNs = Math.min(PAST_NS, Math.floor((PAST_ROWS / perSecond) * 10) * 1e8);
  const clockBase = clockBaseBefore(options.once ? options.durationNs : pastNs);
  const clock = realClock(clockBase);
  const source = createSyntheticSource({
    pattern,
    seed: options.seed,
    clock,
    keys: new KeyTable(),
    clockBase,
    ...(options.rate !== undefined && { rate: options.rate }),
  });
  return { source, clock };
}
