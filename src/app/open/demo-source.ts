import type { Result } from '../../base/result.ts';
import { ok } from '../../base/result.ts';
import { NO_FILTER } from '../../filter/filter.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { PatternName } from '../../trace/synthetic/patterns.ts';
import { DEFAULT_PATTERN, findPattern, PATTERN_NAMES } from '../../trace/synthetic/patterns.ts';
import { createSyntheticSource } from '../../trace/synthetic/synthetic-source.ts';
import { clockBaseBefore, realClock } from './clocks.ts';
import { firstPicture } from './first-picture.ts';
import { filterFromOptions } from './filter-from-options.ts';
import type { OpenedSource } from './opened-source.ts';
import type { Options } from '../options/options.ts';

const DEFAULT_COLUMNS = 120;

/** The synthetic source of `ioheat demo`, which has been running for a while. */
export function openDemo(options: Options, isTour = false): Result<OpenedSource> {
  const pattern = (options.pattern ?? DEFAULT_PATTERN) as PatternName;
  const { look, completionsPerSecond, whatToSee } = findPattern(pattern)!;
  const perSecond = options.rate ?? completionsPerSecond;
  const chosenNs = options.view.intervalNs;
  const first = firstPicture(look, perSecond, screenColumns(), chosenNs);
  const clockBase = clockBaseBefore(pastOf(options) ?? first.pastNs);
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
      settings: {
        ...look.view,
        intervalNs: first.columnNs,
      },
      // The default is for newcomers, who need the hints more.
      notice: pattern === DEFAULT_PATTERN && !isTour ? undefined : `${pattern}: ${whatToSee}`,
    },
    next: (step) => openDemo(neighbour(options, pattern, step), true),
  });
}

/** The options for the next or previous pattern, in a circle, without those that were meant for one pattern. */
function neighbour(options: Options, pattern: PatternName, step: 1 | -1): Options {
  const at = PATTERN_NAMES.indexOf(pattern) + step;
  const next = PATTERN_NAMES.at(at % PATTERN_NAMES.length);
  return { ...options, pattern: next, view: {}, disks: [], pids: [], ops: [], filter: NO_FILTER };
}

/** How much past the demo starts with; undefined for a full picture. */
function pastOf({ command, once, durationNs }: Options): number | undefined {
  if (command === 'record') return 0;
  return once ? durationNs : undefined;
}

/** The present width of the screen, in cells. */
function screenColumns(): number {
  return process.stdout.isTTY ? process.stdout.columns : DEFAULT_COLUMNS;
}
