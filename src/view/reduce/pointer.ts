import { hasLanes } from '../../model/metric.ts';
import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import { selectionOf } from '../state.ts';
import type { MapCell, PointedCell, ViewState } from '../state.ts';
import { openDrillDown } from './cursor.ts';
import { heldAt } from './held.ts';
import { markEntry, pickEntry } from './pick.ts';
import { askingOfRow, withSelection } from './selection.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';

export const POINTER_HANDLERS: Handlers<
  'pointAt' | 'dragTo' | 'focusPane' | 'pointAtRow' | 'pointAtEntry' | 'markEntry'
> = {
  pointAt,
  dragTo,
  focusPane: (state, { pane }) => ({ ...state, focus: pane }),
  pointAtRow,
  pointAtEntry,
  markEntry: (state, at) => (state.pick === undefined ? state : markEntry(state, at)),
};

/** A click moves the cross-hair there; on the selection it opens the drill-down, as Enter does. */
function pointAt(
  state: ViewState,
  { at }: Extract<Action, { type: 'pointAt' }>,
  { nowNs }: Facts,
): ViewState | Step {
  if (state.mode === 'cursor' && isSelected(state, at)) return openDrillDown(state);
  const pointed: ViewState = {
    ...heldAt(state, nowNs),
    mode: 'cursor',
    cursor: { column: at.column, bin: at.lowBin },
    anchor: undefined,
    notice: 'drag to select a box; click again for details; Esc leaves',
  };
  return asking(pointed, { type: 'findFullerBin', at });
}

function isSelected({ cursor, anchor }: ViewState, at: PointedCell): boolean {
  if (cursor === undefined) return false;
  const other = anchor ?? cursor;
  const isLeft = at.column < Math.min(cursor.column, other.column);
  if (isLeft || at.column > Math.max(cursor.column, other.column)) return false;
  return (
    at.highBin >= Math.min(cursor.bin, other.bin) && at.lowBin <= Math.max(cursor.bin, other.bin)
  );
}

/** Draws a box from where the button was pressed, in whole rows of cells, the resolution of the pointer. */
function dragTo(
  state: ViewState,
  { at }: Extract<Action, { type: 'dragTo' }>,
  { bins }: Facts,
): ViewState {
  const { cursor, mode } = state;
  if (mode !== 'cursor' || cursor === undefined) return state;
  const from = state.anchor ?? cursor;
  const perRow = at.highBin >= bins ? undefined : at.highBin - at.lowBin + 1;
  const isUp = at.highBin >= from.bin;
  const zoom = hasLanes(state.layout) ? '' : ' z zooms;';
  return {
    ...state,
    anchor: { column: from.column, bin: rowEdge(from, perRow, bins, !isUp) },
    cursor: { column: at.column, bin: isUp ? at.highBin : at.lowBin },
    notice: `Enter or a click shows the contents;${zoom} Esc clears`,
  };
}

function rowEdge({ bin }: MapCell, perRow = 1, bins: number, isHigh: boolean): number {
  if (bin >= bins) return bins;
  const low = Math.floor(bin / perRow) * perRow;
  return isHigh ? low + perRow - 1 : low;
}

/** A click on a row of a table or of I/Os in flight: selects it, and filters by the one that is selected. */
function pointAtRow(
  state: ViewState,
  { pane = state.focus, row }: Extract<Action, { type: 'pointAtRow' }>,
  facts: Facts,
): ViewState | Step {
  if (state.focus === pane && selectionOf(state)?.id === row.id)
    return askingOfRow(state, { type: 'readRow', why: 'filter' }, facts);
  const what = state.mode === 'inFlight' ? 'only its process' : 'only this';
  const notice = `click again, or Enter, to show ${what}`;
  return { ...withSelection({ ...state, focus: pane }, row), notice };
}

/** A click on an entry of a list moves the cursor there; a second one applies that entry. */
function pointAtEntry(
  state: ViewState,
  { row, line }: Extract<Action, { type: 'pointAtEntry' }>,
): ViewState | Step {
  const { pick } = state;
  if (pick === undefined) return state;
  if (pick.row === row && pick.rowBy === 'click') return pickEntry(state);
  return { ...state, pick: { ...pick, row, line, rowBy: 'click' } };
}
