import { hasLanes } from '../../model/metric.ts';
import type { Action, MapSize } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { MapCell, ViewState } from '../state.ts';
import { heldAt, leaveCursor } from './held.ts';
import { withHighlightOf } from './highlight.ts';
import { mapBeyond } from './maps.ts';
import { placeAtOnce } from './seeking.ts';
import { asking } from './step.ts';
import { isOverTime } from './time.ts';
import type { Handlers, Step } from './step.ts';

const STILL_COUNTING = 'still counting; the cross-hair may move';

export const CURSOR_HANDLERS: Handlers<
  | 'openCursor'
  | 'moveCursor'
  | 'edgeCursor'
  | 'toggleAnchor'
  | 'openDrillDown'
  | 'zoomToBox'
  | 'notableCell'
  | 'boxRead'
  | 'binFound'
  | 'resized'
> = {
  openCursor,
  moveCursor,
  edgeCursor,
  toggleAnchor,
  openDrillDown: (state) => openDrillDown(state),
  zoomToBox,
  notableCell,
  boxRead,
  binFound: (state, { bin }) =>
    state.cursor === undefined ? state : { ...state, cursor: { ...state.cursor, bin } },
  resized,
};

/**
 * The cross-hair starts at the slowest I/O, which most people look for. The picture is frozen under it,
 * so that it can be read.
 */
function openCursor(state: ViewState, _: unknown, { nowNs }: Facts): Step {
  const opened: ViewState = {
    ...heldAt(state, nowNs),
    mode: 'cursor',
    cursor: undefined,
    beforeSlowest: undefined,
    seeks: { kind: 'notable' },
    notice: undefined,
  };
  return asking(opened, { type: 'findNotableCell' });
}

/** While the picture is only partly counted, the cursor is at the best cell so far. */
function notableCell(
  state: ViewState,
  { cell, isPartial }: Extract<Action, { type: 'notableCell' }>,
  facts: Facts,
): ViewState {
  if (state.seeks?.kind !== 'notable' || (isPartial && state.cursor !== undefined)) return state;
  const cursor = inside(cell ?? state.cursor ?? placeAtOnce(facts), state, facts);
  if (isPartial) return { ...state, cursor, notice: STILL_COUNTING };
  return { ...state, cursor, seeks: undefined, notice: undefined };
}

function moveCursor(
  state: ViewState,
  { columns, bins }: Extract<Action, { type: 'moveCursor' }>,
  facts: Facts,
): ViewState | Step {
  if (state.cursor === undefined) return state;
  const { column, bin } = inside(state.cursor, state, facts);
  const beyond = stepOverEdge(bin, bins, facts.bins);
  const entered = beyond && mapBeyond(state, beyond, facts);
  if (entered !== undefined) return entered;
  const cursor = inside({ column: column + columns, bin: bin + bins }, state, facts);
  return { ...state, cursor, notice: undefined };
}

/** A step leaves the map only from the edge itself, so that a long step does not leave it by accident. */
function stepOverEdge(bin: number, step: number, top: number): 1 | -1 | undefined {
  if (step > 0 && bin === top) return -1;
  return step < 0 && bin === 0 ? 1 : undefined;
}

function edgeCursor(
  state: ViewState,
  { to }: Extract<Action, { type: 'edgeCursor' }>,
  facts: Facts,
): ViewState {
  const bin = state.cursor?.bin ?? 0;
  const column = to === 'left' ? 0 : facts.columns - 1;
  return { ...state, cursor: inside({ column, bin }, state, facts), notice: undefined };
}

/** Starts a box at the cursor, or clears it. */
function toggleAnchor(state: ViewState): ViewState {
  if (state.anchor !== undefined) return { ...state, anchor: undefined, notice: 'box cleared' };
  const zoom = hasLanes(state.layout) ? '' : '; z zooms to it';
  const notice = `arrows resize the box; Enter shows its contents${zoom}`;
  return { ...state, anchor: state.cursor, notice };
}

export function openDrillDown(state: ViewState): ViewState | Step {
  const { cursor, anchor } = state;
  if (cursor === undefined) return state;
  return asking(state, { type: 'readBox', a: anchor ?? cursor, b: cursor, why: 'drill-down' });
}

/** Fits the y axis to the box. */
function zoomToBox(state: ViewState): ViewState | Step {
  const { cursor, anchor, layout } = state;
  if (cursor === undefined) return state;
  if (hasLanes(layout))
    return { ...state, notice: 'lanes have no axis to zoom; Enter shows the contents' };
  return asking(state, { type: 'readBox', a: anchor ?? cursor, b: cursor, why: 'zoom' });
}

function boxRead(state: ViewState, { box, why }: Extract<Action, { type: 'boxRead' }>): ViewState {
  if (why === 'drill-down')
    return { ...state, mode: 'drillDown', drillDown: box, drillDownTop: 0, notice: undefined };
  if (why === 'highlight') return withHighlightOf(state, box);
  const { low, high, disks } = box;
  if (!Number.isFinite(high))
    return { ...state, notice: 'the outlier row has no upper end; x moves the axis' };
  return {
    ...leaveCursor(state),
    anchor: undefined,
    valueRange: { low, high, ...(disks && { isShare: true }) },
    notice: 'y axis zoomed; Z resets it',
  };
}

/** The cross-hair and its box stay at their time and value. */
function resized(
  state: ViewState,
  { before }: Extract<Action, { type: 'resized' }>,
  { columns, bins }: Facts,
): ViewState {
  const { cursor, anchor } = state;
  if (cursor === undefined) return state;
  const isOverTimes = isOverTime(state);
  const place = (cell: MapCell): MapCell => {
    // On the time axis, cells keep their distance to the right edge; positions on other axes are scaled.
    const column = isOverTimes
      ? cell.column + columns - before.columns
      : stretched(cell.column, before.columns, columns);
    const isOutlier = cell.bin === before.bins;
    const bin = isOutlier ? bins : stretched(cell.bin, before.bins, bins);
    return inside({ column, bin }, state, { columns, bins });
  };
  return { ...state, cursor: place(cursor), anchor: anchor && place(anchor) };
}

/**
 * The part that contains the middle of the given one, when the same range is divided into `after` instead of `before`
 * parts.
 */
function stretched(part: number, before: number, after: number): number {
  return Math.floor(((part + 0.5) * after) / before);
}

/** The nearest cell inside the map, which may have become smaller since the cell was chosen. */
function inside(
  { column, bin }: MapCell,
  { layout }: Pick<ViewState, 'layout'>,
  { columns, bins }: MapSize,
): MapCell {
  // Lanes have no outlier row.
  const top = hasLanes(layout) ? bins - 1 : bins;
  return {
    column: Math.max(0, Math.min(columns - 1, column)),
    bin: Math.max(0, Math.min(top, bin)),
  };
}
