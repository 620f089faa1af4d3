import { formatCount, formatDuration, plural } from '../../base/format.ts';
import type { TraceProblem } from '../../source/trace-reader.ts';
import type { Gap } from '../../replay/trace-feed.ts';
import type { Transport } from '../../replay/transport.ts';

/** How far loading has come, towards where it is to go. */
export function loadingText({ clock, source, endNs }: Transport): string {
  const loadedNs = source.lastNs;
  const targetNs = source.loadsAll ? endNs : clock.nowNs();
  const spanNs = targetNs === undefined ? 0 : targetNs - source.startNs;
  if (loadedNs === -Infinity) return 'loading';
  const { delivered } = source.counters();
  if (!(spanNs > 0)) return `loading: ${formatCount(delivered)} ${plural(delivered, 'I/O')}`;
  const share = Math.max(0, Math.min(1, (loadedNs - source.startNs) / spanNs));
  return `loading: ${Math.floor(share * 100)}%`;
}

export function gapText({ startNs, endNs }: Gap): string {
  return `nothing was recorded for ${formatDuration(endNs - startNs)}`;
}

/** One line; what is quoted is still raw. */
export function problemText({ what, where, count, quote }: TraceProblem): string {
  const times = count > 1 ? `, ${formatCount(count)} times` : '';
  const text = quote === undefined ? '' : `: "${quote}"`;
  return `${what} (${where}${times})${text}`;
}

/** Told without being asked for. */
const PROBLEMS_AT_MOST = 3;

/** What could not be read, one a line: the first few, or all. */
export function problemLines(problems: readonly TraceProblem[], all: boolean): string[] {
  const shown = all ? problems : problems.slice(0, PROBLEMS_AT_MOST);
  const more = problems.length - shown.length;
  const rest = more === 0 ? [] : [`${more} more kinds of problems; --verbose tells all`];
  return [...shown.map(problemText), ...rest];
}
