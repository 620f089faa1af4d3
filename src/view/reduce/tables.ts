import { assertUnreachable } from '../../base/assert.ts';
import { hasQueue } from '../../model/layer.ts';
import { GROUPINGS } from '../../model/metric.ts';
import type { Action, ScrollBy, TableSort } from '../action.ts';
import { describeGrouping, describeSort } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { selectionOf } from '../state.ts';
import type { Mode, ViewState } from '../state.ts';
import { MATRIX_SORTS, matrixSort, ordersOf } from '../table-columns.ts';
import type { DiskSort, ProcessSort } from '../table-columns.ts';
import { neighbour, withNotice } from './cycle.ts';
import { withNoRows, withSelection } from './selection.ts';
import type { Handlers } from './step.ts';

export const TABLE_HANDLERS: Handlers<
  'cycleSort' | 'shiftSort' | 'sortBy' | 'cycleGrouping' | 'switchFocus' | 'moveRow' | 'scroll'
> = {
  cycleSort: (state, { step }) =>
    sortWithin(state, usualFirst(state.processColumns), usualFirst(state.diskColumns), step),
  shiftSort: (state, { step }) => sortWithin(state, state.processColumns, state.diskColumns, step),
  sortBy: (state, { sort }) => sortBy(state, sort),
  // Where there is room for one table only, it must be the one that changes.
  cycleGrouping: (state) =>
    withNotice(state, describeGrouping, {
      focus: 'processes',
      grouping: neighbour(GROUPINGS, state.grouping, 1),
      processRow: undefined,
    }),
  switchFocus,
  moveRow,
  scroll: scrollText,
};

export function switchFocus(state: ViewState): ViewState {
  const focus = state.focus === 'processes' ? 'disks' : 'processes';
  return { ...state, focus, notice: undefined };
}

/** The orders that people want most often; the others follow in the order of the screen. */
const USUAL_ORDERS: readonly string[] = ['wait', 'util', 'bytes', 'iops', 'p99', 'max', 'queue'];

/** The chosen columns, those that are wanted most often first. */
function usualFirst<Id extends string>(chosen: readonly Id[]): readonly Id[] {
  const rank = (id: Id): number => {
    const at = USUAL_ORDERS.indexOf(id);
    return at < 0 ? USUAL_ORDERS.length : at;
  };
  return chosen.toSorted((a, b) => rank(a) - rank(b));
}

/** These orders without the one by queue where no queue is known and so no row has a figure in it. */
function inLayer<Id extends string>(
  orders: readonly Id[],
  { layer, traceLatency }: ViewState,
): readonly Id[] {
  const hasFigures = (id: Id): boolean => id !== 'queue' || hasQueue(layer, traceLatency);
  return orders.some(hasFigures) ? orders.filter(hasFigures) : orders;
}

/** Changes to the next of these orders. */
function sortWithin(
  state: ViewState,
  processes: readonly ProcessSort[],
  disks: readonly DiskSort[],
  step: 1 | -1,
): ViewState {
  if (state.focus === 'disks') {
    const by = neighbour(inLayer(disks, state), state.diskSort, step);
    return sortBy(state, { pane: 'disks', by });
  }
  const by =
    state.grouping === 'matrix'
      ? neighbour(MATRIX_SORTS, matrixSort(state.processSort), step)
      : neighbour(inLayer(ordersOf(state.grouping, processes), state), state.processSort, step);
  return sortBy(state, { pane: 'processes', by });
}

function sortBy(state: ViewState, sort: TableSort): ViewState {
  return sort.pane === 'processes'
    ? withNotice(state, describeSort, {
        focus: sort.pane,
        processSort: sort.by,
        processRow: undefined,
      })
    : withNotice(state, describeSort, { focus: sort.pane, diskSort: sort.by, diskRow: undefined });
}

/** Moves the selected row of the open list or the focused table; the first key selects the first row, and End the last. */
function moveRow(
  state: ViewState,
  { by }: Extract<Action, { type: 'moveRow' }>,
  { list, table }: Facts,
): ViewState {
  if (table.length === 0) return withNoRows(state);
  const { place, line } = selectionOf(state) ?? {};
  const from = table.selected ?? place;
  const isFirst = from === undefined && by !== 'end';
  const next = isFirst ? 0 : steppedRow(by, from ?? 0, list.height, table.length - 1);
  return { ...withSelection(state, { ...table.rowAt(next), line }), notice: undefined };
}

/** The property that scrolls in a mode; the help is handled separately. */
const SCROLLED: Partial<Record<Mode, 'drillDownTop'>> = {
  drillDown: 'drillDownTop',
  explain: 'drillDownTop',
};

/** Scrolls the text that covers the screen. */
function scrollText(
  state: ViewState,
  { by }: Extract<Action, { type: 'scroll' }>,
  { list }: Facts,
): ViewState {
  const field = SCROLLED[state.mode] ?? 'helpTop';
  const last = Math.max(0, list.rows - list.height);
  const top = steppedRow(by, Math.min(state[field], last), list.height, last);
  return { ...state, [field]: top, notice: undefined };
}

/** The row after a step, from 0 to `last`. */
export function steppedRow(by: ScrollBy, row: number, height: number, last: number): number {
  return Math.min(last, Math.max(0, target(by, row, height, last)));
}

function target(by: ScrollBy, row: number, height: number, last: number): number {
  switch (by) {
    case 'row':
      return row + 1;
    case 'rowBack':
      return row - 1;
    case 'page':
      return row + Math.max(1, height - 1);
    case 'pageBack':
      return row - Math.max(1, height - 1);
    case 'start':
      return 0;
    case 'end':
      return last;
    default:
      return assertUnreachable(by);
  }
}
