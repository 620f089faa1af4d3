import { formatCount, formatDuration, plural } from '../../base/format.ts';
import { problemText } from '../../export/trace/trace-info.ts';
import type { TraceProblem } from '../../trace/trace-reader.ts';
import type { Gap } from '../../trace/replay/trace-feed.ts';
import type { Transport } from '../../trace/replay/transport.ts';

/** Progress of loading up to the wanted moment. */
export function loadingText({ clock, source, endNs }: Transport): string {
  const loadedNs = source.lastNs;
  const targetNs = source.loadsAll ? endNs : clock.nowNs();
  const spanNs = targetNs === undefined ? 0 : targetNs - source.startNs;
  if (loadedNs === -Infinity) return 'loading';
  const { delivered } = source.counters();
  if (!(spanNs > 0)) return `loading ${formatCount(delivered)} ${plural(delivered, 'I/O')}`;
  const share = Math.max(0, Math.min(1, (loadedNs - source.startNs) / spanNs));
  return `loading ${Math.floor(share * 100)}%`;
}

export function gapText({ startNs, endNs }: Gap): string {
  return `nothing was recorded for ${formatDuration(endNs - startNs)}`;
}

/** Problems that are printed without --verbose. */
const PROBLEMS_AT_MOST = 3;

/** The problems of a trace, one per line: the first few, or all. */
export function problemLines(problems: readonly TraceProblem[], all: boolean): string[] {
  const shown = all ? problems : problems.slice(0, PROBLEMS_AT_MOST);
  const more = problems.length - shown.length;
  const rest = more === 0 ? [] : [`${more} more kinds of problems; --verbose lists all`];
  return [...shown.map(problemText), ...rest];
}
