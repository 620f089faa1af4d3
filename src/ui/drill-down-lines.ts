import type { ClockBase } from '../base/time.ts';
import type { BoxGroup, BoxReport, CountingBox, SingleIo } from '../query/box/drill-down.ts';
import { groupColumns, singleColumns } from './drill-down-columns.ts';
import type { GroupSort, SingleSort } from './drill-down-columns.ts';
import { boxBar, headlines } from './drill-down-headline.ts';
import { fullWidth } from './fit-columns.ts';
import { fitSegments } from './fit-segments.ts';
import { exactLine, span } from './span.ts';
import type { Line } from './span.ts';
import { tableLines } from './table-lines.ts';
import type { TableContent } from './table-lines.ts';

export interface DrillDownContent {
  readonly report: BoxReport;
  readonly clockBase: ClockBase;
  /** First visible row; both lists scroll together, each as far as it goes. */
  readonly top: number;
}

/** From here on the two lists stand side by side. */
const SIDE_BY_SIDE_WIDTH = 160;
const SEPARATOR = ' │ ';
const GROUPS_TITLE = 'By process, disk and operation';
const SINGLES_TITLE = 'The slowest one by one';
/** With fewer lines for the lists, they go without titles of their own. */
const TITLES_HEIGHT = 10;
/** The single I/Os get the rest: they are the longer list. */
const GROUPS_SHARE = 0.4;
const MIN_GROUP_ROWS = 1;

/** Where the lists go: lines for their heads and rows together. */
interface Lists {
  readonly isBeside: boolean;
  /** Lines above the rows: the headings of the columns, and a title. */
  readonly head: number;
  readonly groupsHeight: number;
  readonly singlesHeight: number;
}

/** Exactly `height` lines of exactly `width` cells. */
export function drillDownLines(content: DrillDownContent, width: number, height: number): Line[] {
  const { report, clockBase } = content;
  const head = headlines(report, clockBase, width);
  const lists = arrange(report, width, height - head.length);
  const body = lists.isBeside
    ? besideLines(content, lists, width)
    : stackedLines(content, lists, width);
  const lines = [...head, ...body];
  while (lines.length < height) lines.push([]);
  return lines.slice(0, height).map((line) => exactLine(line, width));
}

/** The same before all of the box is counted: no figure stands there that could be taken for the last. */
export function countingLines(
  { box, countedShare }: CountingBox,
  clockBase: ClockBase,
  width: number,
  height: number,
): Line[] {
  const percent = Math.floor(countedShare * 100);
  const forms = [`counting what is in this box… ${percent} %`, `counting… ${percent} %`];
  const lines = [boxBar(box, clockBase, width), indentedNote(forms, width)];
  while (lines.length < height) lines.push([]);
  return lines.slice(0, height).map((line) => exactLine(line, width));
}

function indentedNote(forms: readonly string[], width: number): Line {
  return [span(' '), ...fitSegments([{ forms, priority: 1, role: 'dim' }], width - 2)];
}

/** Rows of the list that scrolls furthest, and how many of them are visible. */
export function drillDownScroll(
  content: Pick<DrillDownContent, 'report' | 'clockBase'>,
  width: number,
  height: number,
): { listRows: number; listHeight: number } {
  const { report, clockBase } = content;
  const head = headlines(report, clockBase, width);
  const lists = arrange(report, width, height - head.length);
  const groups = sizeOf(report.groups.length, lists.groupsHeight - lists.head);
  const singles = sizeOf(report.slowest.length, lists.singlesHeight - lists.head);
  const hidden = (size: { listRows: number; listHeight: number }): number =>
    size.listRows - size.listHeight;
  return hidden(groups) > hidden(singles) ? groups : singles;
}

function sizeOf(listRows: number, room: number): { listRows: number; listHeight: number } {
  return { listRows, listHeight: Math.max(0, room) };
}

function arrange({ groups, slowest }: BoxReport, width: number, height: number): Lists {
  const room = Math.max(0, height);
  const head = room >= TITLES_HEIGHT ? 2 : 1;
  if (width >= SIDE_BY_SIDE_WIDTH)
    return { isBeside: true, head, groupsHeight: room, singlesHeight: room };
  const unneeded = room - 2 * head - Math.max(1, slowest.length);
  const most = Math.max(MIN_GROUP_ROWS, Math.floor(room * GROUPS_SHARE) - head, unneeded);
  const rows = Math.max(MIN_GROUP_ROWS, Math.min(most, groups.length));
  const groupsHeight = Math.min(room, head + rows);
  return { isBeside: false, head, groupsHeight, singlesHeight: room - groupsHeight };
}

function stackedLines(content: DrillDownContent, lists: Lists, width: number): Line[] {
  return [
    ...groupLines(content, lists.head, width, lists.groupsHeight),
    ...singleLines(content, lists.head, width, lists.singlesHeight),
  ];
}

/** Groups as wide as they need to be; the single I/Os have more to say. */
function besideLines(content: DrillDownContent, lists: Lists, width: number): Line[] {
  const wanted = fullWidth(groupColumns(content.report.groups), 1);
  const left = Math.min(wanted, Math.floor((width - SEPARATOR.length) / 2));
  const groups = groupLines(content, lists.head, left, lists.groupsHeight);
  const right = width - left - SEPARATOR.length;
  const singles = singleLines(content, lists.head, right, lists.singlesHeight);
  return groups.map((line, row) => [...line, span(SEPARATOR, 'dim'), ...singles[row]!]);
}

function groupLines(
  { report, top }: DrillDownContent,
  head: number,
  width: number,
  height: number,
): Line[] {
  const { groups } = report;
  const content: TableContent<BoxGroup, GroupSort> = {
    ...QUIET_TABLE,
    saysPosition: head === 1,
    columns: groupColumns(groups),
    rows: groups,
    sort: 'wait',
    top,
    emptyText: 'no I/O in this box',
    hasErrors: ({ errors }) => errors > 0,
    isFaint: ({ tgid }) => tgid === undefined,
  };
  const table = tableLines(content, width, height - head + 1);
  return head === 1 ? table : [titleLine(GROUPS_TITLE, content, width, height - head), ...table];
}

function singleLines(
  { report, clockBase, top }: DrillDownContent,
  head: number,
  width: number,
  height: number,
): Line[] {
  const { slowest, count } = report;
  const content: TableContent<SingleIo, SingleSort> = {
    ...QUIET_TABLE,
    saysPosition: head === 1,
    columns: singleColumns(slowest, clockBase),
    rows: slowest,
    sort: 'total',
    top,
    emptyText: count === 0 ? 'none' : 'all of it is known only in sum',
    hasErrors: ({ error }) => error !== undefined,
    isFaint: () => false,
  };
  const table = tableLines(content, width, height - head + 1);
  return head === 1 ? table : [titleLine(SINGLES_TITLE, content, width, height - head), ...table];
}

const QUIET_TABLE = { isAscending: false, isFocused: false, hints: [] } as const;

/** Which list this is, and which of its rows these are. */
function titleLine(
  title: string,
  { rows, top = 0 }: { readonly rows: readonly unknown[]; readonly top?: number },
  width: number,
  room: number,
): Line {
  const first = Math.max(0, Math.min(top, rows.length - room));
  const last = Math.min(rows.length, first + room);
  const position = last === 0 ? '' : `  ${first + 1}-${last} of ${rows.length}`;
  return exactLine([span(` ${title}`, 'accent'), span(position, 'dim')], width);
}
