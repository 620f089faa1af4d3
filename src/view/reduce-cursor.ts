import type { ActionContext } from './action.ts';
import type { MapCell, ViewState } from './view-state.ts';

/** The cross-hair starts at the slowest I/O, which is what most people come for. */
export function openCursor(state: ViewState, context: ActionContext): ViewState {
  const { columns, bins, notableCell } = context;
  const cursor = notableCell() ?? { column: columns - 1, bin: Math.floor(bins / 2) };
  return { ...state, mode: 'cursor', cursor: inside(cursor, columns, bins), notice: undefined };
}

export function moveCursor(
  state: ViewState,
  columns: number,
  bins: number,
  context: ActionContext,
): ViewState {
  if (state.cursor === undefined) return state;
  const { column, bin } = inside(state.cursor, context.columns, context.bins);
  const cursor = inside(
    { column: column + columns, bin: bin + bins },
    context.columns,
    context.bins,
  );
  return { ...state, cursor, notice: undefined };
}

export function edgeCursor(
  state: ViewState,
  to: 'left' | 'right',
  { columns, bins }: ActionContext,
): ViewState {
  const bin = state.cursor?.bin ?? 0;
  const column = to === 'left' ? 0 : columns - 1;
  return { ...state, cursor: inside({ column, bin }, columns, bins), notice: undefined };
}

/** Begins a box at the cursor, or drops it. A box holds still, so the picture is frozen with it. */
export function toggleAnchor(state: ViewState, { nowNs }: ActionContext): ViewState {
  if (state.anchor !== undefined) return { ...state, anchor: undefined, notice: 'no box' };
  return {
    ...state,
    anchor: state.cursor,
    frozenAtNs: state.frozenAtNs ?? nowNs,
    notice: 'arrows stretch the box; Enter shows what is in it; z zooms to it',
  };
}

export function openDetail(state: ViewState, context: ActionContext): ViewState {
  if (state.cursor === undefined) return state;
  return {
    ...state,
    mode: 'detail',
    detail: context.boxOf(state.anchor ?? state.cursor, state.cursor),
    detailTop: 0,
    frozenAtNs: state.frozenAtNs ?? context.nowNs,
    notice: undefined,
  };
}

/** Fits the y axis to the box. */
export function zoomToBox(state: ViewState, context: ActionContext): ViewState {
  if (state.cursor === undefined) return state;
  const { low, high } = context.boxOf(state.anchor ?? state.cursor, state.cursor);
  if (!Number.isFinite(high))
    return { ...state, notice: 'the outlier lane has no upper end; press x to move the axis' };
  return {
    ...state,
    mode: 'main',
    cursor: undefined,
    anchor: undefined,
    valueRange: { low, high },
    notice: 'y axis zoomed; Z fits it again',
  };
}

/** The map may have become smaller since the cell was chosen. */
function inside({ column, bin }: MapCell, columns: number, bins: number): MapCell {
  return {
    column: Math.max(0, Math.min(columns - 1, column)),
    bin: Math.max(0, Math.min(bins, bin)),
  };
}
