import { formatDuration } from '../base/format.ts';
import type { Action, ActionContext, Worst } from './action.ts';
import { mapBeyond } from './reduce-maps.ts';
import { showInMiddle } from './reduce-time.ts';
import type { MapCell, ViewState } from './view-state.ts';

/**
 * The cross-hair starts at the slowest I/O, which is what most people come for. The picture stands
 * still under it: what one reads off must not move away.
 */
export function openCursor(state: ViewState, context: ActionContext): ViewState {
  const { columns, bins, nowNs, notableCell, isCounting } = context;
  const cursor = notableCell() ?? { column: columns - 1, bin: Math.floor(bins / 2) };
  return {
    ...state,
    mode: 'cursor',
    cursor: inside(cursor, columns, bins),
    frozenAtNs: state.frozenAtNs ?? nowNs,
    heldForCursor: state.frozenAtNs === undefined,
    ...(isCounting() ? { seeks: { kind: 'notable' }, notice: MOVES_ON } : { notice: undefined }),
  };
}

const MOVES_ON = 'still counting: the cross-hair may move on when all of the picture is counted';

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
  const worst = context.worst(true);
  if (worst !== 'searching') return goTo(worst, state, context);
  return {
    ...state,
    mode: 'cursor',
    cursor: undefined,
    anchor: undefined,
    frozenAtNs: state.frozenAtNs ?? context.nowNs,
    heldForCursor: state.heldForCursor || state.frozenAtNs === undefined,
    seeks: { kind: 'worst' },
    notice: 'looking for the slowest I/O of the history…',
  };
}

function goTo(worst: Worst | undefined, state: ViewState, context: ActionContext): ViewState {
  if (worst === undefined)
    return { ...state, notice: 'no I/O in the history has a time: nothing is the worst' };
  const unzoomed = { ...state, valueRange: undefined, anchor: undefined };
  const asked: ViewState = { ...unzoomed, metric: 'total', latency: 'total' };
  const around: ViewState = { ...showInMiddle(asked, worst.atNs, context), mode: 'cursor' };
  return placeOn(worst, { ...around, cursor: undefined, heldForCursor: false }, context);
}

/** Puts the cross-hair on the slowest I/O, or leaves that for when it is counted where it stands. */
function placeOn(worst: Worst, around: ViewState, context: ActionContext): ViewState {
  const cell = context.cellOfWorst(around, worst);
  const shown: ViewState = cell === undefined ? { ...around, layout: 'single' } : around;
  const cursor = cell ?? context.cellOfWorst(shown, worst);
  const found = `the slowest I/O: ${formatDuration(worst.latencyNs)} in all`;
  if (cursor === 'counting')
    return { ...shown, seeks: { kind: 'place', worst }, notice: `${found}; counting…` };
  const notes = [
    worst.withinNs > 0 ? ' (known in sum only, so about here)' : '',
    cell === undefined ? ', which a map of two values cannot show' : '',
  ];
  return { ...shown, cursor, notice: `${found}${notes.join('')}; Enter opens it` };
}

/** Takes the cursor to what it waits for, if that is known by now. */
export function seekOn(state: ViewState, context: ActionContext): ViewState {
  const { seeks } = state;
  const settled = { ...state, seeks: undefined };
  if (seeks === undefined) return state;
  if (seeks.kind === 'notable') {
    if (context.isCounting()) return state;
    return { ...settled, cursor: context.notableCell() ?? state.cursor, notice: undefined };
  }
  if (seeks.kind === 'worst') {
    const worst = context.worst(false);
    if (worst === 'searching') return state;
    return goTo(worst, worst === undefined ? leaveCursor(settled) : settled, context);
  }
  const placed = placeOn(seeks.worst, settled, context);
  return placed.seeks !== undefined && placed.layout === state.layout ? state : placed;
}

const ON_THE_CURSOR: readonly Action['type'][] = [
  'moveCursor',
  'nextMap',
  'toggleAnchor',
  'openDetail',
  'zoomToBox',
];

/** What the cursor waits for holds until the person does something else. */
export function stopSeeking(state: ViewState, action: Action): ViewState {
  if (state.seeks === undefined || action.type === 'seekOn') return state;
  const isTooEarly = state.cursor === undefined && ON_THE_CURSOR.includes(action.type);
  return isTooEarly ? state : { ...state, seeks: undefined };
}

/** The map may have become smaller since the cell was chosen. */
function inside({ column, bin }: MapCell, columns: number, bins: number): MapCell {
  return {
    column: Math.max(0, Math.min(columns - 1, column)),
    bin: Math.max(0, Math.min(bins, bin)),
  };
}
