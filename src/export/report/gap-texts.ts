import { plural } from '../../base/format.ts';
import type { Stretch, TraceHeader } from '../../trace/trace-reader.ts';
import { spanText } from '../picture/figure-texts.ts';
import { LocalTime } from '../picture/local-time.ts';

/** `1 gap in the recording: 14:02:10 to 14:05:00 (2min 50s)`; for several, the longest; none without gaps. */
export function gapTexts(
  gaps: readonly Stretch[],
  { clockBase, hasWallClock }: TraceHeader,
): string[] {
  const [longest] = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  if (longest === undefined) return [];
  const time = new LocalTime(clockBase, hasWallClock);
  const [from, to] = [time.clock(longest.startNs), time.clock(longest.endNs)];
  const which = gaps.length === 1 ? '' : 'longest ';
  const many = `${gaps.length} ${plural(gaps.length, 'gap')} in the recording`;
  return [`${many}: ${which}${from} to ${to} (${spanText(lengthOf(longest))})`];
}

function lengthOf({ startNs, endNs }: Stretch): number {
  return endNs - startNs;
}
