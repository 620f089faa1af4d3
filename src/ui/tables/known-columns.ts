import type { Activity, ActivityReport, ProcessActivity } from '../../model/activity.ts';
import { isUnknownDevice } from '../../model/device.ts';
import { hasQueue, isOfPrograms, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { ViewState } from '../../view/state.ts';
import type { DiskSort, ProcessSort } from '../../view/table-columns.ts';
import { bytesPerSecond } from '../text/figures.ts';
import { leadsSort } from '../text/fit-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { chosenDiskColumns } from './disk-columns.ts';
import type { TreeDisk } from './disk-tree.ts';
import { matrixColumns, matrixRows } from './matrix.ts';
import { chosenProcessColumns } from './process-columns.ts';
import { shownDisks } from './selected-row.ts';

/** What of a view decides which columns its tables have. */
export type ColumnsView = Pick<
  ViewState,
  | 'layer'
  | 'traceLatency'
  | 'grouping'
  | 'processColumns'
  | 'diskColumns'
  | 'processSort'
  | 'diskSort'
>;

/**
 * The columns of the process table: those chosen, without those of which no row has a value, and with one column in
 * place of two where reads and writes are not known apart.
 */
export function processColumnsOf(
  report: ActivityReport,
  view: ColumnsView,
  width: number,
): readonly Column<ProcessActivity, ProcessSort>[] {
  const { layer, grouping, processColumns, processSort } = view;
  if (grouping !== 'matrix') {
    const known = withKnownAmounts(processColumns, report.processes);
    const columns = withOtherRates(known, report.processes, layer);
    const all = chosenProcessColumns(grouping, columns, processSort);
    return inNounOf(layer, withoutUnknown(all, processSort, unknownOf(report, view)));
  }
  return matrixColumns(matrixRows(report.processes), processSort, width);
}

/** The same of the disk table. */
export function diskColumnsOf(
  report: ActivityReport,
  view: ColumnsView,
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
  { layer, traceLatency }: ColumnsView,
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
