import { formatCount, plural } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { term } from '../../filter/filter.ts';
import type { Term } from '../../filter/filter.ts';
import { lanesPane, layoutLanes } from '../../raster/draw-lanes.ts';
import { truncatePath } from '../text/span.ts';
import type { Lanes } from './lanes-view.ts';
import type { PictureParts } from './picture-view.ts';

/** More are hard to tell apart, and each takes memory for its percentiles. */
const MOST_FILES = 15;
const OTHERS = 'others';
const LEAST_NAME = 15;
const MOST_NAME = 32;
/** Names take this share of the width, whatever they are: a new file must not change the number of columns. */
const NAME_SHARE = 1 / 5;

/** A lane per file with the most I/O, and the last one for everything else. */
export function fileLanes(parts: PictureParts): Lanes {
  const { monitor, view, endNs, width, height, style, shouldYield } = parts;
  const nameWidth = Math.max(LEAST_NAME, Math.min(MOST_NAME, Math.floor(width * NAME_SHARE)));
  const pane = lanesPane(width, height, style, nameWidth);
  const time = { columnNs: view.intervalNs, columns: Math.max(1, pane.map.width) };
  const most = Math.max(0, Math.min(MOST_FILES, pane.map.height - 1));
  const { texts, others } = monitor.laneFiles(time, most, endNs, shouldYield);
  const cut = texts.map((text) => truncatePath(sanitizeText(text), nameWidth));
  return {
    layout: layoutLanes(pane, texts.length + 1),
    labels: [...cut, OTHERS],
    count: (picture) => monitor.showFileLanes(picture, texts, endNs, shouldYield),
    notes: ({ counts: { aggregatedTotal: aggregated } }) => [
      ...(others > 0 ? [`${others} more ${plural(others, 'file')} in ${OTHERS}`] : []),
      ...(aggregated > 0 ? [`${formatCount(aggregated)} aggregated, in ${OTHERS}`] : []),
    ],
    where: (from, to) => whereOf(texts, from, to),
  };
}

/** The last lane is what the others are not. */
function whereOf(texts: readonly string[], from: number, to: number): readonly Term[] {
  if (to < texts.length) return [term('file', '=', ...texts.slice(from, to + 1))];
  return from === 0 ? [] : [term('file', '!=', ...texts.slice(0, from))];
}
