import { INTERVALS_NS } from '../../model/metric.ts';
import type { PatternLook, PatternRun } from '../../trace/synthetic/patterns.ts';

/** What a demo starts with, in ns. */
export interface FirstPicture {
  /** Width of a column. */
  readonly columnNs: number;
  /** How long the pattern has been running. */
  readonly pastNs: number;
}

/** A demo starts with a full picture, unless more than that takes long to generate. */
const MOST_PAST_ROWS = 1_400_000;
/** Cells of a screen left of the map. */
const AXIS_COLUMNS = 14;

/** For a screen of `screenColumns`; `chosenNs`: the width of a column that was asked for. */
export function firstPicture(
  { columnNs: leastNs, run }: PatternLook,
  perSecond: number,
  screenColumns: number,
  chosenNs?: number,
): FirstPicture {
  const columns = Math.max(1, screenColumns - AXIS_COLUMNS);
  const columnNs = chosenNs ?? widthFor(leastNs, columns, run);
  // A little more than the map, whose width depends on the height of the screen, too.
  const pictureNs = screenColumns * columnNs;
  const mostNs = Math.floor((MOST_PAST_ROWS / perSecond) * 10) * 1e8;
  const pastNs = run === undefined ? Math.min(pictureNs, mostNs) : endOfRun(run, pictureNs, mostNs);
  return { columnNs, pastNs };
}

/** Wide enough that a run is in the picture. */
function widthFor(leastNs: number, columns: number, run: PatternRun | undefined): number {
  if (run === undefined) return leastNs;
  return INTERVALS_NS.find((ns) => ns >= leastNs && ns * columns >= run.endNs) ?? leastNs;
}

/** The first end of a run with a full picture before it, or the last one that does not take too long. */
function endOfRun({ cycleNs, endNs }: PatternRun, pictureNs: number, mostNs: number): number {
  const enough = Math.ceil((pictureNs - endNs) / cycleNs);
  const most = Math.floor((mostNs - endNs) / cycleNs);
  return Math.min(mostNs, Math.max(0, Math.min(enough, most)) * cycleNs + endNs);
}
