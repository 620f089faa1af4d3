import type {
  Activity,
  ActivityReport,
  DiskActivity,
  ProcessActivity,
} from '../../model/activity.ts';
import { sumOfKnown } from '../../model/add-known.ts';
import { isUnknownDevice } from '../../model/device.ts';
import { noMatchHint } from '../../filter/language/no-match-hint.ts';
import {
  hasQueue,
  isFailureGrave,
  isOfPrograms,
  matchText,
  noneOf,
  nounOf,
  rateUnitOf,
} from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { matrixSort } from '../../view/table-columns.ts';
import type { Action } from '../../view/action.ts';
import type { DiskSort, Pane, ProcessSort, SelectedRow, ViewState } from '../../view/state.ts';
import { chosenDiskColumns, extraNameWidth } from './disk-columns.ts';
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
import { fullWidth, leadsSort, spareWidth, withExtras } from '../text/fit-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { matrixColumns } from './matrix.ts';
import type { MatrixRow } from './matrix.ts';
import { chosenProcessColumns } from './process-columns.ts';
import { placeOf, rowIds } from './row-ids.ts';
import { shownDisks, shownProcesses } from './selected-row.ts';
import type { Line } from '../text/span.ts';
import { headingSort, tableLines, tableWindow } from './table-lines.ts';
import type { TableContent } from './table-lines.ts';

/** From this width on both tables are side by side; below it only the focused one is shown. */
const TWO_TABLES_WIDTH = 120;

/** Cells between two tables. */
export const SEPARATOR = ' │ ';
/** The process table has more columns. */
const PROCESS_SHARE = 0.58;

export type TablesView = Pick<
  ViewState,
  | 'layer'
  | 'traceLatency'
  | 'filter'
  | 'focus'
  | 'processSort'
  | 'diskSort'
  | 'processRow'
  | 'diskRow'
  | 'grouping'
  | 'processColumns'
  | 'diskColumns'
  | 'findText'
>;

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

function processColumnsOf(
  report: ActivityReport,
  view: TablesView,
  width: number,
): readonly Column<ProcessActivity, ProcessSort>[] {
  const { layer, grouping, processColumns, processSort } = view;
  if (grouping !== 'matrix') {
    const known = withKnownAmounts(processColumns, report.processes);
    const columns = withOtherRates(known, report.processes, layer);
    const all = chosenProcessColumns(grouping, columns, processSort);
    return inNounOf(layer, withoutUnknown(all, processSort, unknownOf(report, view)));
  }
  return matrixColumns(shownProcesses(view, report) as readonly MatrixRow[], processSort, width);
}

function diskColumnsOf(
  report: ActivityReport,
  view: TablesView,
): readonly Column<TreeDisk, DiskSort>[] {
  const { layer, traceLatency, diskColumns, diskSort } = view;
  const known = withKnownAmounts(diskColumns, report.disks);
  const columns = withOtherRates(known, report.disks, layer);
  const all = chosenDiskColumns(columns, diskSort, shownDisks(view, report));
  const hasQueues = !isOfPrograms(layer) && traceLatency !== 'total';
  return inNounOf(layer, withoutUnknown(all, diskSort, hasQueues ? [] : ['queue']));
}

/**
 * Removes columns without any known value, which would take the room of others: calls have no queue, and many no disk.
 */
function withoutUnknown<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  sort: Sort,
  unknown: readonly Sort[],
): readonly Column<Row, Sort>[] {
  return columns.filter((column) => {
    const own = column.sorts?.[0];
    return own === undefined || leadsSort(column, sort) || !unknown.includes(own);
  });
}

/** Titles in the noun of the layer: `CALL/s` in place of `IOPS`. */
function inNounOf<Row, Sort extends string>(
  layer: Layer,
  columns: readonly Column<Row, Sort>[],
): readonly Column<Row, Sort>[] {
  if (!isOfPrograms(layer)) return columns;
  const title = `${nounOf(layer).toUpperCase()}/s`;
  return columns.map((column) =>
    column.sorts?.[0] === 'iops' ? { ...column, title, width: title.length } : column,
  );
}

function unknownOf(
  { processes }: ActivityReport,
  { layer, traceLatency }: TablesView,
): ('queue' | 'disk')[] {
  if (hasQueue(layer, traceLatency)) return [];
  if (!isOfPrograms(layer)) return ['queue'];
  const hasDisks = processes.some(({ dev }) => dev === undefined || !isUnknownDevice(dev));
  return hasDisks ? ['queue'] : ['queue', 'disk'];
}

/**
 * Adds the rate of all I/O together where it says more than reads and writes: instead of them if there are none, as for
 * flushes alone, and in layers of programs, because many calls do neither; next to them if some rows have no operations.
 */
function withOtherRates<Id extends string>(
  chosen: readonly Id[],
  rows: readonly Activity[],
  layer: Layer,
): readonly (Id | 'iops')[] {
  const isOther = rows.some(({ othersPerSecond }) => othersPerSecond > 0);
  const isOnly = rows.every((row) => (row.readsPerSecond ?? 0) + (row.writesPerSecond ?? 0) === 0);
  const undivided = rows.filter(({ readsPerSecond }) => readsPerSecond === undefined).length;
  if (undivided > 0 && undivided === rows.length) return withId(chosen, 'iops', DIVIDED_RATES, []);
  if (chosen.some((id) => id === 'iops')) return chosen;
  const isInstead = isOfPrograms(layer) || (isOther && isOnly);
  if (isInstead) return withId(chosen, 'iops', DIVIDED_RATES, []);
  return undivided > 0 ? withId(chosen, 'iops', DIVIDED_RATES) : chosen;
}

const DIVIDED_RATES = ['reads', 'writes'];
const DIVIDED_BYTES = ['rbytes', 'wbytes'];

/** One column of throughput where the operation of some is unknown; none where no row has sizes, nor of errors. */
function withKnownAmounts<Id extends string>(
  chosen: readonly Id[],
  rows: readonly Activity[],
): readonly (Id | 'bytes')[] {
  const isKnown = (id: string): boolean => {
    if (id === 'errors') return rows.some(({ errors }) => errors !== undefined);
    return !['bytes', ...DIVIDED_BYTES].includes(id) || rows.some(hasBytes);
  };
  const known = rows.length === 0 ? chosen : chosen.filter(isKnown);
  const isUndivided = rows.some((row) => row.undividedBytesPerSecond !== undefined);
  return isUndivided ? withId(known, 'bytes', DIVIDED_BYTES, []) : known;
}

function hasBytes(row: Activity): boolean {
  return bytesPerSecond(row) !== undefined;
}

/** With `id` in front of the first of `parts`, of which only those in `kept` stay. Unchanged if it has none of them. */
function withId<Id extends string, Added extends string>(
  chosen: readonly Id[],
  id: Added,
  parts: readonly string[],
  kept = parts,
): readonly (Id | Added)[] {
  const isChosen = chosen.some((one) => one === (id as string));
  return chosen.flatMap((one, at): (Id | Added)[] => {
    if (!parts.includes(one)) return [one];
    const isFirst = !isChosen && chosen.findIndex((part) => parts.includes(part)) === at;
    return [...(isFirst ? [id] : []), ...(kept.includes(one) ? [one] : [])];
  });
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
    isAscending: ['pid', 'comm', 'user', 'via', 'cgroup', 'disk', 'command'].includes(sort),
    isFocused: view.focus === 'processes',
    selected: placeOf(view.processRow, rows),
    line: view.processRow?.line,
    emptyText: emptyText(report, view),
    hints: place.hints,
    findText: view.findText,
    moreText: (rows) => `${sumText(rows, view.layer)}${waitText(rows)}`,
    hasErrors: ({ errors = 0 }) => errors > 0 && isFailureGrave(view.layer),
    isFaint: ({ tgid, cgroup, processes, file }) =>
      (tgid ?? cgroup ?? processes ?? file) === undefined,
  };
  return placed(content, place, 'processes', (by) => ({ pane: 'processes', by }));
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
    isAscending: ['name', 'mount', 'stack'].includes(view.diskSort),
    isFocused: view.focus === 'disks',
    selected: placeOf(view.diskRow, rows),
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
  return placed(content, place, 'disks', (by) => ({ pane: 'disks', by }));
}

function placed<Row extends ProcessActivity | TreeDisk, Sort extends string>(
  content: TableContent<Row, Sort>,
  { x: left, width }: Place,
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
      return { row: { id: rowIds(content.rows)[place]!, place, line } };
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
