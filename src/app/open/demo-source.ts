import type { Result } from '../../base/result.ts';
import { ok } from '../../base/result.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { PatternName } from '../../trace/synthetic/patterns.ts';
import { DEFAULT_PATTERN, findPattern } from '../../trace/synthetic/patterns.ts';
import { createSyntheticSource } from '../../trace/synthetic/synthetic-source.ts';
import { clockBaseBefore, realClock } from './clocks.ts';
import { filterFromOptions } from './filter-from-options.ts';
import type { OpenedSource } from './opened-source.ts';
import type { Options } from '../options/options.ts';

/** A demo starts with a full picture, unless more than that takes long to generate. */
const MOST_PAST_ROWS = 1_000_000;
const DEFAULT_COLUMNS = 120;

/** The synthetic source of `ioheat demo`, which has been running for a while. */
export function openDemo(options: Options): Result<OpenedSource> {
  const pattern = (options.pattern ?? DEFAULT_PATTERN) as PatternName;
  const { look, completionsPerSecond, whatToSee } = findPattern(pattern)!;
  const { columnNs, ...best } = look;
  const perSecond = options.rate ?? completionsPerSecond;
  const clockBase = clockBaseBefore(pastNs(options, columnNs, perSecond));
  const clock = realClock(clockBase);
  const source = createSyntheticSource({
    pattern,
    seed: options.seed,
    clock,
    identities: new IdentityTable(),
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
    notes: [source.info.title],
    bestView: {
      settings: { ...best, intervalNs: columnNs },
      // The default is for newcomers, who need the hints more.
      notice: pattern === DEFAULT_PATTERN ? undefined : `${pattern}: ${whatToSee}`,
    },
  });
}

function pastNs(
  { command, once, durationNs, view }: Options,
  columnNs: number,
  perSecond: number,
): number {
  if (command === 'record') return 0;
  if (once) return durationNs;
  const columns = process.stdout.isTTY ? process.stdout.columns : DEFAULT_COLUMNS;
  const pictureNs = columns * (view.intervalNs ?? columnNs);
  return Math.min(pictureNs, Math.floor((MOST_PAST_ROWS / perSecond) * 10) * 1e8);
}
