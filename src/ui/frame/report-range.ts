import type { Playback } from '../../model/playback.ts';
import type { ReportRange } from '../../model/activity.ts';
import type { ViewState } from '../../view/state.ts';

/** How far tables and header look back while the picture moves, in ns. */
const RECENT_NS = 5e9;

/** Layouts whose columns are not stretches of time. */
const TIMELESS = ['size-latency', 'offset-latency'];

/**
 * The time that the tables cover, if the right edge of the picture is at `edgeNs`: the last seconds while it moves; the
 * time on the screen when it is frozen; the column of a cursor; the time of a box.
 */
export function reportRange(
  view: ViewState,
  edgeNs: number,
  columns: () => number,
  playback: Playback | undefined,
): ReportRange {
  const { drillDown, cursor, anchor, intervalNs, layout } = view;
  if (drillDown !== undefined)
    return { scope: 'box', startNs: drillDown.startNs, endNs: drillDown.endNs, edgeNs };
  const isStanding =
    view.frozenAtNs !== undefined || playback?.state === 'ended' || playback?.state === 'paused';
  if (!isStanding) return { scope: 'recent', startNs: edgeNs - RECENT_NS, endNs: edgeNs };
  const picture = pictureRange(view, edgeNs, columns());
  if (cursor === undefined || TIMELESS.includes(layout)) return picture;
  const { startNs } = picture;
  const other = anchor ?? cursor;
  const [first, last] = [
    Math.min(cursor.column, other.column),
    Math.max(cursor.column, other.column),
  ];
  return {
    scope: anchor === undefined ? 'column' : 'box',
    startNs: startNs + first * intervalNs,
    endNs: startNs + (last + 1) * intervalNs,
    edgeNs,
  };
}

/** The time on the screen, to the end of its last column. */
export function pictureRange(
  { intervalNs }: ViewState,
  edgeNs: number,
  columns: number,
): ReportRange {
  const endNs = (Math.floor(edgeNs / intervalNs) + 1) * intervalNs;
  return { scope: 'picture', startNs: endNs - columns * intervalNs, endNs, edgeNs };
}
