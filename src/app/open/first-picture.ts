import { INTERVALS_NS } from '../../model/metric.ts';
import type { PatternLook, PatternRun } from '../../trace/synthetic/patterns.ts';

/** The first picture of a demo, in ns. */
export interface FirstPicture {
  /** Width of a column. */
  readonly columnNs: number;
  /** How long the pattern has been running. */
  readonly pastNs: number;
}

/** Rows of the past of a demo: more take too long to generate. Below this, a demo starts with a full picture. */
const MOST_PAST_ROWS = 1_400_000;
/** Cells of a screen to the left of the map. */
const AXIS_COLUMNS = 14;

/** The first picture on a screen of `screenColumns`; `chosenNs` is the requested width of a column. */
export function firstPicture(
  { columnNs: leastNs, run }: PatternLook,
  perSecond: number,
  screenColumns: number,
  chosenNs?: number,
): FirstPicture {
  const columns = Math.max(1, screenColumns - AXIS_COLUMNS);
  const columnNs = chosenNs ?? widthFor(leastNs, columns, run);
  // A little wider than the map, whose width also depends on the height of the screen.
  const pictureNs = screenColumns * columnNs;
  const mostNs = Math.floor((MOST_PAST_ROWS / perSecond) * 10) * 1e8;
  const pastNs = run === undefined ? Math.min(pictureNs, mostNs) : endOfRun(run, pictureNs, mostNs);
  return { columnNs, pastNs };
}

/** A column width with which a run of the pattern is in the picture. */
function widthFor(leastNs: number, columns: number, run: PatternRun | undefined): number {
  if (run === undefined) return leastNs;
  return INTERVALS_NS.find((ns) => ns >= leastNs && ns * columns >= run.endNs) ?? leastNs;
}

/** The end of the first run that has a full picture before it, or the last one that does not take too long. */
function endOfRun({ cycleNs, endNs }: PatternRun, pictureNs: number, mostNs: number): number {
  const enough = Math.ceil((pictureNs - endNs) / cycleNs);
  const most = Math.floor((mostNs - endNs) / cycleNs);
  return Math.min(mostNs, Math.max(0, Math.min(enough, most)) * cycleNs + endNs);
}
