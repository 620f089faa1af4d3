import { formatCount, plural } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { FieldName } from '../../filter/fields.ts';
import { term } from '../../filter/filter.ts';
import type { Term, TermValue } from '../../filter/filter.ts';
import { LANE_KINDS } from '../../model/metric.ts';
import type { LaneLayout } from '../../model/metric.ts';
import { lanesPane, layoutLanes } from '../../raster/draw-lanes.ts';
import { truncate, truncatePath } from '../text/span.ts';
import type { Lanes } from './lanes-view.ts';
import type { PictureParts } from './picture-view.ts';

/**
 * Maximum number of lanes, including that of the others: more are hard to tell apart, and each takes memory for its
 * percentiles.
 */
const MOST_LANES = 16;
/**
 * Fewer lanes than the maximum, down to this many, are used if they fill the height better: a large part of the picture
 * would be empty otherwise.
 */
const FEWEST_OF_MANY = 11;
const FILLED = 0.9;
const OTHERS = 'others';
/** As in the tables. */
const UNKNOWN_ONES = '(unknown)';
const MOST_NAME = 32;
/** The share of the width for names. It is fixed, because a new name must not change the number of columns. */
const NAME_SHARE = 1 / 5;

export type RankedLayout = Exclude<LaneLayout, 'disks'>;

interface RankedKind {
  readonly field: FieldName;
  readonly leastName: number;
  readonly cut: (name: string, width: number) => string;
}

const KINDS: Readonly<Record<RankedLayout, RankedKind>> = {
  files: { field: 'file', leastName: 15, cut: truncatePath },
  processes: { field: 'pid', leastName: 15, cut: truncate },
  cgroups: { field: 'cgroup', leastName: 'docker 0123456789ab'.length, cut: truncatePath },
};

/** A lane for each of those with the most I/O, and the last one for everything else, if there is anything else. */
export function rankedLanes(parts: PictureParts, layout: RankedLayout): Lanes {
  const { monitor, view, endNs, width, height, style, shouldYield } = parts;
  const { field, leastName, cut } = KINDS[layout];
  const kind = LANE_KINDS[layout];
  const nameWidth = Math.max(leastName, Math.min(MOST_NAME, Math.floor(width * NAME_SHARE)));
  const pane = lanesPane(width, height, style, nameWidth);
  const time = { columnNs: view.intervalNs, columns: Math.max(1, pane.map.width) };
  const most = Math.max(0, mostLanes(pane.map.height) - 1);
  const ranked = monitor.rankLanes(time, kind, most, endNs, shouldYield);
  const { lanes, others, hasMoreOthers, hasRest, restIsUnknown } = ranked;
  const keys = lanes.map(({ key }) => key);
  const names = lanes.map(({ name }) => cut(sanitizeText(name), nameWidth));
  const labels = hasRest ? [...names, restIsUnknown ? UNKNOWN_ONES : OTHERS] : names;
  return {
    layout: layoutLanes(pane, labels.length),
    labels,
    count: (picture) => monitor.showLanes(picture, kind, keys, endNs, shouldYield),
    notes: ({ counts: { laneUnknownTotal: aggregated } }) => {
      const parts = [
        ...(others > 0
          ? [`${others}${hasMoreOthers ? '+' : ''} more ${plural(others, kind, layout)}`]
          : []),
        ...(aggregated > 0 ? [`${formatCount(aggregated)} aggregated`] : []),
      ];
      return parts.length === 0 ? [] : [`${parts.join(' and ')} in ${OTHERS}`];
    },
    where: (from, to) => whereOf(field, keys, from, to),
  };
}

/** The number of lanes that fill the height. */
function mostLanes(height: number): number {
  const most = Math.min(height, MOST_LANES);
  for (let lanes = most; lanes >= FEWEST_OF_MANY; lanes--)
    if (lanes * Math.floor(height / lanes) >= FILLED * height) return lanes;
  return most;
}

/** The filter terms of lanes; the last lane is everything that the others are not. */
function whereOf(
  field: FieldName,
  keys: readonly TermValue[],
  from: number,
  to: number,
): readonly Term[] {
  if (to < keys.length) return [term(field, '=', ...keys.slice(from, to + 1))];
  return from === 0 ? [] : [term(field, '!=', ...keys.slice(0, from))];
}
