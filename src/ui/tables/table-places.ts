import type { ActivityReport, DiskActivity, ProcessActivity } from '../../model/activity.ts';
import { sumOfKnown } from '../../model/add-known.ts';
import { noMatchHint } from '../../filter/language/no-match-hint.ts';
import { isFailureGrave, matchText, noneOf, rateUnitOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { GROUPINGS, isOfOneProcess } from '../../model/metric.ts';
import type { Grouping } from '../../model/metric.ts';
import { matrixSort } from '../../view/table-columns.ts';
import type { Action } from '../../view/action.ts';
import type { DiskSort, Pane, ProcessSort, SelectedRow, ViewState } from '../../view/state.ts';
import { extraNameWidth } from './disk-columns.ts';
import {
  bytesPerSecond,
  completionsPerSecond,
  ifTimed,
  isUntraced,
  megabytes,
  percentFigure,
  scopeText,
} from '../text/figures.ts';
import { formatRate } from '../../base/format.ts';
import type { TreeDisk } from './disk-tree.ts';
import { fullWidth, spareWidth, withExtras } from '../text/fit-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { diskColumnsOf, processColumnsOf } from './known-columns.ts';
import type { ColumnsView } from './known-columns.ts';
import { placeOf, rowIds } from './row-ids.ts';
import { shownDisks, shownProcesses } from './selected-row.ts';
import { isAscending } from './sort-rows.ts';
import type { Line } from '../text/span.ts';
import { headingSort, tableLines, tableWindow } from './table-lines.ts';
import type { TableContent } from './table-lines.ts';

/** From this width on both tables are side by side; below it only the focused one is shown. */
const TWO_TABLES_WIDTH = 120;

/** Cells between two tables. */
export const SEPARATOR = ' │ ';
/** The process table has more columns. */
const PROCESS_SHARE = 0.58;

export type TablesView = ColumnsView &
  Pick<ViewState, 'filter' | 'focus' | 'processRow' | 'diskRow' | 'findText'>;

/** The part of a table under the pointer. */
export type TableSpot =
  { readonly row: SelectedRow } | { readonly sort: Extract<Action, { type: 'sortBy' }>['sort'] };

/** One table, at its place in the strip of tables. */
export interface PlacedTable {
  readonly pane: Pane;
  readonly x: number;
  readonly width: number;
  /** Exactly `height` lines of exactly `width` cells. */
  readonly lines: (height: number) => readonly Line[];
  /** By cells from the top left corner of the table; undefined for anything without meaning. */
  readonly spotAt: (x: number, y: number, height: number) => TableSpot | undefined;
}

/** The tables that there is room for, from the left. */
export function placeTables(
  report: ActivityReport,
  view: TablesView,
  width: number,
): readonly PlacedTable[] {
  const { focus } = view;
  const columns = columnsFor(report, view, width);
  if (width < TWO_TABLES_WIDTH) {
    const hints = [focus === 'processes' ? 'Tab: disks' : 'Tab: processes'];
    return focus === 'processes'
      ? [processTable(report, view, columns, { x: 0, width, hints })]
      : [diskTable(report, view, columns, { x: 0, width, hints })];
  }
  const left = leftWidth(columns, width);
  const x = left + SEPARATOR.length;
  return [
    processTable(report, view, columns, { x: 0, width: left, hints: [] }),
    diskTable(report, view, columns, { x, width: width - x, hints: [] }),
  ];
}

interface TableColumns {
  readonly processes: readonly Column<ProcessActivity, ProcessSort>[];
  readonly disks: readonly Column<TreeDisk, DiskSort>[];
}

/**
 * Chooses columns. Extra columns of names come last; processes get theirs first, if both tables have room for all of
 * their figures.
 */
function columnsFor(report: ActivityReport, view: TablesView, width: number): TableColumns {
  const areBoth = width >= TWO_TABLES_WIDTH;
  const room = areBoth ? width - SEPARATOR.length : width;
  const { diskSort } = view;
  const disks = diskColumnsOf(report, view);
  const plainDisks = withExtras(disks, report.disks, 0, diskSort);
  const ofProcesses = room - (areBoth ? fullWidth(plainDisks, 1) : 0);
  const processes = withExtras(
    processColumnsOf(report, view, room),
    report.processes,
    ofProcesses,
    view.processSort,
  );
  const ofDisks = room - (areBoth ? fullWidth(processes, 1) : 0);
  return { processes, disks: withExtras(disks, report.disks, ofDisks, diskSort) };
}

/** The process table at full width, if the disk table then also fits at full width. */
function leftWidth({ processes, disks }: TableColumns, width: number): number {
  const both = width - SEPARATOR.length;
  for (const gap of [2, 1]) {
    const room = both - fullWidth(disks, gap);
    if (fullWidth(processes, gap) <= room) return Math.min(spareWidth(processes, gap), room);
  }
  return Math.round(both * PROCESS_SHARE) - extraNameWidth(disks);
}

interface Place {
  readonly x: number;
  readonly width: number;
  readonly hints: readonly string[];
}

function processTable(
  report: ActivityReport,
  view: TablesView,
  columns: TableColumns,
  place: Place,
): PlacedTable {
  const sort = view.grouping === 'matrix' ? matrixSort(view.processSort) : view.processSort;
  const rows = shownProcesses(view, report);
  const content: TableContent<ProcessActivity, ProcessSort> = {
    columns:
      view.grouping === 'matrix' ? processColumnsOf(report, view, place.width) : columns.processes,
    rows,
    sort,
    isAscending: isAscending(sort),
    isFocused: view.focus === 'processes',
    selected: placeOf(view.processRow, rows, view.grouping),
    line: view.processRow?.line,
    emptyText: emptyText(report, view),
    hints: place.hints,
    findText: view.findText,
    moreText: (rows) => `${sumText(rows, view.layer)}${waitText(rows)}`,
    moreHint: (rows) => groupHint(rows, view.grouping),
    hasErrors: ({ errors = 0 }) => errors > 0 && isFailureGrave(view.layer),
    isFaint: ({ tgid, cgroup, processes, file, folder }) =>
      (tgid ?? cgroup ?? processes ?? file ?? folder) === undefined,
  };
  return placed(content, place, view.grouping, 'processes', (by) => ({ pane: 'processes', by }));
}

function diskTable(
  report: ActivityReport,
  view: TablesView,
  columns: TableColumns,
  place: Place,
): PlacedTable {
  const rows = shownDisks(view, report);
  const content: TableContent<TreeDisk, DiskSort> = {
    columns: columns.disks,
    rows,
    sort: view.diskSort,
    isAscending: isAscending(view.diskSort),
    isFocused: view.focus === 'disks',
    selected: placeOf(view.diskRow, rows, view.grouping),
    line: view.diskRow?.line,
    emptyText: emptyText(report, view),
    hints: place.hints,
    findText: view.findText,
    moreText: (rows) =>
      sumText(
        rows.filter(({ isBeside }) => isBeside !== true),
        view.layer,
      ),
    hasErrors: ({ errors = 0 }) => errors > 0 && isFailureGrave(view.layer),
    isFaint: ({ isBeside }) => isBeside === true,
  };
  return placed(content, place, view.grouping, 'disks', (by) => ({ pane: 'disks', by }));
}

function placed<Row extends ProcessActivity | TreeDisk, Sort extends string>(
  content: TableContent<Row, Sort>,
  { x: left, width }: Place,
  grouping: Grouping,
  pane: Pane,
  sortOf: (by: Sort) => Extract<Action, { type: 'sortBy' }>['sort'],
): PlacedTable {
  return {
    pane,
    x: left,
    width,
    lines: (height) => tableLines(content, width, height),
    spotAt: (x, y, height) => {
      if (y === 0) {
        const by = headingSort(content, width, x);
        return by === undefined ? undefined : { sort: sortOf(by) };
      }
      const { top, shown } = tableWindow(content, height);
      if (y > shown) return undefined;
      const line = y - 1;
      const place = top + line;
      return { row: { id: rowIds(content.rows, grouping)[place]!, place, line } };
    },
  };
}

/** `no I/O in the last 6s`, `no calls in the picture match the filter`; with a hint if the filter matches nothing. */
function emptyText(report: ActivityReport, { layer, filter, traceLatency }: TablesView): string {
  const { scope = 'recent' } = report;
  if (isUntraced(report)) return `the ${scope} was not traced`;
  const where = `${noneOf(layer)} in the ${scope === 'recent' ? scopeText(report) : scope}`;
  if (filter.kind === 'everything') return where;
  const hint = noMatchHint(filter, layer, traceLatency);
  return `${where} ${matchText(layer)} the filter${hint === undefined ? '' : `; ${hint}`}`;
}

/** Where many processes of few names have most of the waiting, rows of names show them all: `G G: by name`. */
function groupHint(rows: readonly ProcessActivity[], grouping: Grouping): string | undefined {
  // In the matrix there is no room for it.
  if (!isOfOneProcess(grouping) || grouping === 'matrix') return undefined;
  const share = rows.reduce((sum, { waitShare }) => sum + waitShare, 0);
  if (share <= 0.5) return undefined;
  const names = new Set(rows.map(({ comm }) => comm));
  if (names.size * 4 > rows.length) return undefined;
  const presses = GROUPINGS.indexOf('name') - GROUPINGS.indexOf(grouping);
  return `${Array<string>(presses).fill('G').join(' ')}: by name`;
}

/** `, 12% of waiting`; nothing if no waiting time is known. */
function waitText(rows: readonly ProcessActivity[]): string {
  const share = rows.map((row) => ifTimed(row, row.waitShare)).reduce(sumOfKnown, undefined);
  return share === undefined ? '' : `, ${percentFigure(share)}% of waiting`;
}

/** The sum of the rows that do not fit, so that the table is complete. */
function sumText(rows: readonly (ProcessActivity | DiskActivity)[], layer: Layer): string {
  const iops = rows.reduce((sum, row) => sum + completionsPerSecond(row), 0);
  const bytes = rows.map(bytesPerSecond).reduce(sumOfKnown, undefined);
  const rate = `${formatRate(iops)} ${rateUnitOf(layer)}`;
  return bytes === undefined ? rate : `${rate}, ${megabytes(bytes)} MB/s`;
}
