import { formatDuration } from '../base/format.ts';
import type { ActionContext } from './action.ts';
import { mapBeyond } from './reduce-maps.ts';
import { showInMiddle } from './reduce-time.ts';
import type { MapCell, ViewState } from './view-state.ts';

/**
 * The cross-hair starts at the slowest I/O, which is what most people come for. The picture stands
 * still under it: what one reads off must not move away.
 */
export function openCursor(state: ViewState, context: ActionContext): ViewState {
  const { columns, bins, nowNs, notableCell } = context;
  const cursor = notableCell() ?? { column: columns - 1, bin: Math.floor(bins / 2) };
  return {
    ...state,
    mode: 'cursor',
    cursor: inside(cursor, columns, bins),
    frozenAtNs: state.frozenAtNs ?? nowNs,
    heldForCursor: state.frozenAtNs === undefined,
    notice: undefined,
  };
}

/** What was held for the cursor alone goes on. */
export function leaveCursor(state: ViewState): ViewState {
  const { frozenAtNs, heldForCursor } = state;
  return {
    ...state,
    mode: 'main',
    cursor: undefined,
    frozenAtNs: heldForCursor ? undefined : frozenAtNs,
    heldForCursor: false,
  };
}

export function moveCursor(
  state: ViewState,
  columns: number,
  bins: number,
  context: ActionContext,
): ViewState {
  if (state.cursor === undefined) return state;
  const { column, bin } = inside(state.cursor, context.columns, context.bins);
  const beyond = stepOverEdge(bin, bins, context.bins);
  const entered = beyond && mapBeyond(state, beyond, context);
  if (entered !== undefined) return entered;
  const cursor = inside(
    { column: column + columns, bin: bin + bins },
    context.columns,
    context.bins,
  );
  return { ...state, cursor, notice: undefined };
}

/** Only from the edge itself, so that a long step does not leave a map unawares. */
function stepOverEdge(bin: number, step: number, top: number): 1 | -1 | undefined {
  if (step > 0 && bin === top) return -1;
  return step < 0 && bin === 0 ? 1 : undefined;
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

/** Begins a box at the cursor, or drops it. */
export function toggleAnchor(state: ViewState): ViewState {
  if (state.anchor !== undefined) return { ...state, anchor: undefined, notice: 'no box' };
  return {
    ...state,
    anchor: state.cursor,
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
    notice: undefined,
  };
}

/** Fits the y axis to the box. */
export function zoomToBox(state: ViewState, context: ActionContext): ViewState {
  if (state.cursor === undefined) return state;
  if (state.layout === 'disks')
    return { ...state, notice: 'lanes have no axis to zoom; Enter shows what is in the box' };
  const { low, high } = context.boxOf(state.anchor ?? state.cursor, state.cursor);
  if (!Number.isFinite(high))
    return { ...state, notice: 'the outlier lane has no upper end; press x to move the axis' };
  return {
    ...leaveCursor(state),
    anchor: undefined,
    valueRange: { low, high },
    notice: 'y axis zoomed; Z fits it again',
  };
}

/**
 * To the slowest I/O of the whole history, the cross-hair on it. Slow is who waited long in all, so
 * the picture is that of the total latency; where it has no place in a layout, in one heat map.
 */
export function goToWorst(state: ViewState, context: ActionContext): ViewState {
  const worst = context.worst();
  if (worst === undefined)
    return { ...state, notice: 'no I/O in the history has a time: nothing is the worst' };
  const unzoomed = { ...state, valueRange: undefined, anchor: undefined };
  const asked: ViewState = { ...unzoomed, metric: 'total', latency: 'total' };
  const around: ViewState = { ...showInMiddle(asked, worst.atNs, context), mode: 'cursor' };
  const cell = context.cellOfWorst(around, worst);
  const shown: ViewState = cell === undefined ? { ...around, layout: 'single' } : around;
  const notes = [
    worst.withinNs > 0 ? ' (known in sum only, so about here)' : '',
    cell === undefined ? ', which a map of two values cannot show' : '',
  ];
  return {
    ...shown,
    cursor: cell ?? context.cellOfWorst(shown, worst),
    heldForCursor: false,
    notice: `the slowest I/O: ${formatDuration(worst.latencyNs)} in all${notes.join('')}; Enter opens it`,
  };
}

/** The map may have become smaller since the cell was chosen. */
function inside({ column, bin }: MapCell, columns: number, bins: number): MapCell {
  return {
    column: Math.max(0, Math.min(columns - 1, column)),
    bin: Math.max(0, Math.min(bins, bin)),
  };
}
