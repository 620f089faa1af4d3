import type { ActionContext } from './action.ts';
import { openDetail } from './reduce-cursor.ts';
import { filterByRow, submitPick } from './reduce-filter.ts';
import type { MapCell, Pane, ViewState } from './view-state.ts';

/** A row of cells of the map under the pointer: its column, and the bins that it shows. */
export interface PointedCell {
  readonly column: number;
  readonly lowBin: number;
  readonly highBin: number;
}

/** A click: the cross-hair goes there; on what is selected it opens it, as Enter does. */
export function pointAt(state: ViewState, at: PointedCell, context: ActionContext): ViewState {
  if (state.mode === 'cursor' && isSelected(state, at)) return openDetail(state, context);
  const bin = context.fullerBin(at);
  return {
    ...state,
    mode: 'cursor',
    cursor: { column: at.column, bin },
    anchor: undefined,
    frozenAtNs: state.frozenAtNs ?? context.nowNs,
    heldForCursor: state.heldForCursor || state.frozenAtNs === undefined,
    notice: 'drag for a box; click again for what is there; Esc leaves',
  };
}

function isSelected({ cursor, anchor }: ViewState, at: PointedCell): boolean {
  if (cursor === undefined) return false;
  const other = anchor ?? cursor;
  const isBeside = at.column < Math.min(cursor.column, other.column);
  if (isBeside || at.column > Math.max(cursor.column, other.column)) return false;
  return (
    at.highBin >= Math.min(cursor.bin, other.bin) && at.lowBin <= Math.max(cursor.bin, other.bin)
  );
}

/** The box from where the button went down; whole rows of cells, as the pointer knows no less. */
export function dragTo(state: ViewState, at: PointedCell, { bins }: ActionContext): ViewState {
  const { cursor, mode } = state;
  if (mode !== 'cursor' || cursor === undefined) return state;
  const from = state.anchor ?? cursor;
  const perRow = at.highBin >= bins ? undefined : at.highBin - at.lowBin + 1;
  const isUp = at.highBin >= from.bin;
  return {
    ...state,
    anchor: { column: from.column, bin: rowEdge(from, perRow, bins, !isUp) },
    cursor: { column: at.column, bin: isUp ? at.highBin : at.lowBin },
    notice: 'Enter, or a click into it: what is in the box; z zooms to it; Esc drops it',
  };
}

function rowEdge({ bin }: MapCell, perRow = 1, bins: number, isHigh: boolean): number {
  if (bin >= bins) return bins;
  const low = Math.floor(bin / perRow) * perRow;
  return isHigh ? low + perRow - 1 : low;
}

/** A click on a row of a table: selects it, and filters by the one that is selected. */
export function pointAtRow(
  state: ViewState,
  pane: Pane,
  row: number,
  context: ActionContext,
): ViewState {
  const field = pane === 'processes' ? 'processRow' : 'diskRow';
  if (state.focus === pane && state[field] === row) return filterByRow(state, context);
  const notice = 'click again, or Enter, to show only this';
  return { ...state, focus: pane, [field]: row, notice };
}

/** A click on an entry of a list: moves there, and takes the one under the cursor. */
export function pointAtEntry(state: ViewState, row: number, context: ActionContext): ViewState {
  if (state.pick === undefined) return state;
  if (state.pick.row === row) return submitPick(state, context);
  return { ...state, pick: { ...state.pick, row } };
}
