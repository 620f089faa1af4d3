import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import type { History } from '../../history/history.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import { singleIo } from './single-io.ts';
import type { SingleIo } from './single-io.ts';
import type { RowPlace } from './slowest.ts';

/** More I/Os than anyone scrolls through. */
const MOST_LISTED = 1000;
/** Rows to search at most if the filter matches little: a few milliseconds. */
const MOST_SEARCHED = 1 << 20;

/** The last single I/Os before a time, or the places of their rows. */
interface Latest<T> {
  /** In order of completion. */
  readonly ios: readonly T[];
  /** Whether there are no earlier ones. */
  readonly isAll: boolean;
}

export interface LatestIos extends Latest<SingleIo> {
  /** All completed before this trace time, in ns. */
  readonly endNs: number;
}

/** The I/Os that match the filter and completed before `endNs`. */
export function latestIos(
  history: Pick<History, 'query'>,
  endNs: number,
  filter: CompiledFilter,
  info: ActivityInfo,
): LatestIos {
  const { ios, isAll } = latestPlaces(history, endNs, filter);
  return { endNs, ios: ios.map((place) => singleIo(place, info)), isAll };
}

/** As `latestIos`, but the places of the rows. They are valid until the history forgets the rows. */
export function latestPlaces(
  history: Pick<History, 'query'>,
  endNs: number,
  filter: CompiledFilter,
): Latest<RowPlace> {
  const { chunks, slices } = history.query(-Infinity, endNs);
  const blocks = [...chunks].reverse().flatMap(blocksOf);
  const found: RowPlace[] = [];
  let searched = 0;
  let isAll = [...slices].length === 0;
  for (const block of blocks) {
    if (found.length >= MOST_LISTED || searched >= MOST_SEARCHED) {
      isAll = false;
      break;
    }
    searched += block.to - block.from;
    found.push(...matching(block, endNs, filter));
  }
  found.sort((a, b) => endOf(a) - endOf(b));
  if (found.length > MOST_LISTED) isAll = false;
  return { ios: found.slice(-MOST_LISTED), isAll };
}

/** Blocks of the chunk, the last one first. */
function blocksOf({ rows, from, to }: RowChunk): RowChunk[] {
  const starts = Array.from(
    { length: Math.ceil((to - from) / JUDGED_ROWS) },
    (_, i) => from + i * JUDGED_ROWS,
  );
  return starts
    .reverse()
    .map((start) => ({ rows, from: start, to: Math.min(to, start + JUDGED_ROWS) }));
}

function matching({ rows, from, to }: RowChunk, endNs: number, filter: CompiledFilter): RowPlace[] {
  const verdicts = filter.judgeRows(rows, from, to);
  const found: RowPlace[] = [];
  for (let row = from; row < to; row++)
    if (verdicts[row - from] === Verdict.yes && rows.completeNs[row]! < endNs)
      found.push({ rows, row });
  return found;
}

function endOf({ rows, row }: RowPlace): number {
  return rows.completeNs[row]!;
}
