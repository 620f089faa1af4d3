import type { CompiledFilter } from '../../filter/match/match.ts';
import type { History } from '../../history/history.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import { latestPlaces } from '../slowest/latest-ios.ts';
import { singleIo } from '../slowest/single-io.ts';
import type { SingleIo } from '../slowest/single-io.ts';
import { waitParts } from './wait-parts.ts';
import type { WaitParts } from './wait-parts.ts';

/** One I/O, wait or call, and where its time went. */
export interface ExplainedIo {
  readonly io: SingleIo;
  /** Undefined for I/O, and for waits and calls without a known time. */
  readonly waitedFor: WaitParts | undefined;
}

/** `back` is its row in the list of `latestIos`, counted back from the last one; undefined if there is no such row. */
export function explainedIo(
  history: Pick<History, 'query'>,
  { endNs, back }: { readonly endNs: number; readonly back: number },
  filter: CompiledFilter,
  info: ActivityInfo,
): ExplainedIo | undefined {
  const place = latestPlaces(history, endNs, filter).ios.at(-1 - back);
  return place && { io: singleIo(place, info), waitedFor: waitParts(history, place, info) };
}
