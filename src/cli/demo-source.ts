import type { Result } from '../base/result.ts';
import { ok } from '../base/result.ts';
import { NO_CGROUP_NAMES } from '../model/cgroup-names.ts';
import { IdentityTable } from '../model/identity-table.ts';
import type { PatternName } from '../source/patterns.ts';
import { DEFAULT_PATTERN, findPattern } from '../source/patterns.ts';
import { createSyntheticSource } from '../source/synthetic-source.ts';
import { clockBaseBefore, realClock } from './clocks.ts';
import { filterFromOptions } from './filter-from-options.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';

/** A demonstration opens with a picture, not with an empty screen. */
const PAST_NS = 180e9;
/** As much past as can be made without delaying the first frame. */
const PAST_ROWS = 120_000;

/** The synthetic source of `ioheat demo`, which has been running for a while. */
export function openDemo(options: Options): Result<Opened> {
  const pattern = (options.pattern ?? DEFAULT_PATTERN) as PatternName;
  const perSecond = options.rate ?? findPattern(pattern)?.completionsPerSecond ?? 1;
  const clockBase = clockBaseBefore(pastNs(options, perSecond));
  const clock = realClock(clockBase);
  const source = createSyntheticSource({
    pattern,
    seed: options.seed,
    clock,
    keys: new IdentityTable(),
    clockBase,
    ...(options.rate !== undefined && { rate: options.rate }),
  });
  const filter = filterFromOptions(options, source.info.devices());
  if (!filter.ok) return filter;
  return ok({
    source,
    clock,
    filter: filter.value,
    recordedOnly: '',
    cgroups: NO_CGROUP_NAMES,
    notes: [source.info.title],
  });
}

function pastNs({ command, once, durationNs }: Options, perSecond: number): number {
  if (command === 'record') return 0;
  if (once) return durationNs;
  return Math.min(PAST_NS, Math.floor((PAST_ROWS / perSecond) * 10) * 1e8);
}
