import type { BoxReport } from '../../query/box/drill-down.ts';
import type { ListSize } from '../../view/facts.ts';
import { certaintyForms } from './drill-down-facts.ts';

/** The place of the lists of the drill-down. Heights include the head of a list. */
export interface DrillDownLists {
  readonly isBeside: boolean;
  /** Lines above the rows: the headings of the columns and, if there is room, a title. */
  readonly head: number;
  readonly groupsHeight: number;
  readonly singlesHeight: number;
  /** The height of what the slowest call waited for, below both lists; 0 if that is nothing or has no room. */
  readonly partsHeight: number;
}

/** From this width on the two lists stand side by side. */
const SIDE_BY_SIDE_WIDTH = 160;
/** With fewer lines, the lists have no titles. */
const TITLES_HEIGHT = 10;
/** The list of single I/Os is longer and gets the rest. */
const GROUPS_SHARE = 0.4;
const MIN_GROUP_ROWS = 1;
/** One line says what the box is, the next how much is in it. */
const FACT_LINES = 2;

/** The lists of a drill-down of `width` cells and `height` lines. */
export function drillDownLists(report: BoxReport, width: number, height: number): DrillDownLists {
  const { groups, slowest } = report;
  const partsHeight = partsHeightOf(report, height);
  const facts = FACT_LINES + (certaintyForms(report).length > 0 ? 1 : 0);
  const room = Math.max(0, height - facts - partsHeight);
  const head = room >= TITLES_HEIGHT ? 2 : 1;
  if (width >= SIDE_BY_SIDE_WIDTH)
    return { isBeside: true, head, groupsHeight: room, singlesHeight: room, partsHeight };
  const unneeded = room - 2 * head - Math.max(1, slowest.length);
  const most = Math.max(MIN_GROUP_ROWS, Math.floor(room * GROUPS_SHARE) - head, unneeded);
  const rows = Math.max(MIN_GROUP_ROWS, Math.min(most, groups.length));
  const groupsHeight = Math.min(room, head + rows);
  const singlesHeight = room - groupsHeight;
  return { isBeside: false, head, groupsHeight, singlesHeight, partsHeight };
}

/** There must be room for a title, the headings and a row. */
const LEAST_PARTS = 3;
const PARTS_SHARE = 0.4;

/** Without I/O to list, there is only the line with the sum. */
function partsHeightOf({ waitedFor }: BoxReport, height: number): number {
  if (waitedFor === undefined) return 0;
  const room = Math.floor(height * PARTS_SHARE);
  const { length } = waitedFor.parts;
  if (length === 0 || room < LEAST_PARTS) return height >= 2 * LEAST_PARTS ? 1 : 0;
  return Math.min(room, length + 2);
}

/** The number of rows of the list that scrolls furthest, and how many of them are visible. */
export function drillDownScroll(report: BoxReport, width: number, height: number): ListSize {
  const { head, groupsHeight, singlesHeight, partsHeight } = drillDownLists(report, width, height);
  const groups = sizeOf(report.groups.length, groupsHeight - head);
  const singles = sizeOf(report.slowest.length, singlesHeight - head);
  const parts = sizeOf(
    partsHeight > 0 ? (report.waitedFor?.parts.length ?? 0) : 0,
    partsHeight - 2,
  );
  return [groups, singles, parts].reduce((most, one) => (hidden(one) > hidden(most) ? one : most));
}

function sizeOf(rows: number, room: number): ListSize {
  return { rows, height: Math.max(0, room) };
}

function hidden({ rows, height }: ListSize): number {
  return rows - height;
}
