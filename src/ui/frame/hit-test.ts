import type { MouseEvent } from '../../terminal/input-event.ts';
import type { PersonAction } from '../../view/action.ts';
import { matchingActions } from '../../view/keys/action-list.ts';
import { findBinding } from '../../view/keys/find-binding.ts';
import type { PointedCell, PointedSingle, SelectedRow, ViewState } from '../../view/state.ts';
import { detailRect, overlayRect } from '../layout-screen.ts';
import type { Rect, ScreenLayout } from '../layout-screen.ts';
import { actionEntryAt, columnEntryAt, isOnMark, pickEntryAt } from '../dialogs/list-window.ts';
import type { PointedMap } from '../picture/picture-view.ts';
import type { PlacedTable } from '../tables/table-places.ts';
import { toggleAt } from '../dialogs/toggle-entries.ts';

/** What is on the screen, and where. */
export interface PointerScene {
  readonly view: ViewState;
  readonly layout: ScreenLayout;
  /** Whether the left button went down in the map, so that moving it draws a box. */
  readonly isDrawing: boolean;
  /** The parts of the picture, from the top left corner of `layout.pane`. */
  readonly pane: PointedMap | undefined;
  readonly tables: readonly PlacedTable[];
  /** The key that a cell of header or status line names, if any. */
  readonly keyAt: (x: number, y: number) => string | undefined;
  /** The row of the list of single I/Os that a line shows, if any. */
  readonly singleAt: (y: number) => PointedSingle | undefined;
  /** The row of the list of I/Os in flight that a line shows, if any. */
  readonly inFlightAt: (y: number) => SelectedRow | undefined;
  /** Entries of the open list that match its query. */
  readonly pickLength: number;
}

/** Lines by which one notch of the wheel scrolls a text. */
const WHEEL_LINES = 3;

/** The actions of a mouse event; none for most events. */
export function hitTest(event: MouseEvent, scene: PointerScene): readonly PersonAction[] {
  if (scene.layout.tooSmall) return [];
  const key = isPress(event) ? scene.keyAt(event.x, event.y) : undefined;
  const named = key === undefined ? undefined : findBinding(scene.view.mode, key);
  if (named !== undefined) return [named.action];
  switch (scene.view.mode) {
    case 'main':
    case 'cursor':
      return onMain(event, scene);
    case 'help':
    case 'drillDown':
    case 'explain':
      return onText(event, scene);
    case 'inFlight':
      return onInFlight(event, scene);
    case 'singles':
      return onSingles(event, scene);
    case 'pick':
      return onPick(event, scene);
    case 'actions':
      return onActions(event, scene);
    case 'columns':
      return onColumns(event, scene);
    case 'card':
      return isPress(event) ? [{ type: 'close' }] : [];
    case 'trend':
      return onTime(event);
    case 'toggles':
      return onToggles(event, scene);
    // While a line is typed, only keys act on it.
    case 'filter':
    case 'goto':
    case 'find':
    case 'export':
    case 'record':
    case 'save':
    case 'note':
      return [];
  }
}

function onMain(event: MouseEvent, scene: PointerScene): readonly PersonAction[] {
  const { layout, view, isDrawing } = scene;
  if (isDrag(event)) return isDrawing && view.mode === 'cursor' ? drag(event, scene) : [];
  if (isInside(layout.tables, event)) return onTables(event, scene);
  if (!isInside(layout.pane, event)) return [];
  if (isPress(event)) return press(event, scene);
  // A box is a part of the screen: scrolling would change what it holds.
  return view.anchor === undefined ? onTime(event) : [];
}

function press(event: MouseEvent, { layout, pane }: PointerScene): readonly PersonAction[] {
  if (pane === undefined) return [];
  const [x, y] = [event.x - layout.pane.x, event.y - layout.pane.y];
  const meant = pressed(pane, x, y);
  if (meant !== undefined) return [meant];
  for (const { stacked, ...other } of pane.others ?? []) {
    const there = pressed(other, x, y);
    if (there === undefined) continue;
    return [{ type: 'chooseMap', map: stacked, keepsColumn: there.type !== 'pointAt' }, there];
  }
  return [];
}

/** The action of a press: on the map, at its cell; left of it, on the values between two labels. */
function pressed(map: PointedMap, x: number, y: number): PersonAction | undefined {
  const at = cellAt(map, x, y);
  if (at !== undefined) return { type: 'pointAt', at };
  const beside = x < map.map.x ? cellAt(map, map.map.x, y) : undefined;
  if (beside === undefined || map.ranges === undefined) return undefined;
  const { lowBin, highBin } = beside;
  if (y === map.outlierRow) return { type: 'highlightBins', lowBin, highBin };
  const range = map.ranges().find(({ from, to }) => lowBin >= from && lowBin < to);
  return range && { type: 'highlightBins', lowBin: range.from, highBin: range.to - 1 };
}

/** Continues a drag. The pointer may leave the map: the nearest cell is used. */
function drag(event: MouseEvent, { layout, pane }: PointerScene): readonly PersonAction[] {
  if (pane === undefined) return [];
  const { map } = pane;
  const x = clamp(event.x - layout.pane.x, map.x, map.x + map.width - 1);
  const top = pane.outlierRow ?? map.y;
  const y = clamp(event.y - layout.pane.y, top, map.y + map.height - 1);
  const at = cellAt(pane, x, y);
  return at === undefined ? [] : [{ type: 'dragTo', at }];
}

function cellAt(
  { map, bins, binsPerRow, rowsPerBin = 1, outlierRow }: PointedMap,
  x: number,
  y: number,
): PointedCell | undefined {
  const column = x - map.x;
  if (column < 0 || column >= map.width) return undefined;
  if (y === outlierRow) return { column, lowBin: bins, highBin: bins };
  if (y < map.y || y >= map.y + map.height) return undefined;
  const row = Math.floor((map.y + map.height - 1 - y) / rowsPerBin);
  return { column, lowBin: row * binsPerRow, highBin: (row + 1) * binsPerRow - 1 };
}

/** Up is back in time, as in a text; with Shift or Ctrl the wheel zooms, up for finer time. */
function onTime(event: MouseEvent): readonly PersonAction[] {
  const step = wheelStep(event);
  if (step === undefined) return [];
  if (event.ctrl || event.shift) return [{ type: 'stepInterval', step }];
  return [{ type: 'scrollTime', by: step > 0 ? 'later' : 'earlier' }];
}

function onTables(event: MouseEvent, { layout, tables }: PointerScene): readonly PersonAction[] {
  const { x, y, height } = layout.tables;
  const table = tables.find((one) => {
    const column = event.x - x - one.x;
    return column >= 0 && column < one.width;
  });
  if (table === undefined) return [];
  const { pane } = table;
  const step = wheelStep(event);
  if (step !== undefined)
    return [
      { type: 'focusPane', pane },
      { type: 'moveRow', by: step > 0 ? 'row' : 'rowBack' },
    ];
  if (!isPress(event)) return [];
  const spot = table.spotAt(event.x - x - table.x, event.y - y, height);
  if (spot === undefined) return [{ type: 'focusPane', pane }];
  if ('sort' in spot) return [{ type: 'sortBy', sort: spot.sort }];
  return [{ type: 'pointAtRow', pane, row: spot.row }];
}

/** A text or list without a cursor: a press on the first line closes it. */
function onText(event: MouseEvent, { layout, view }: PointerScene): readonly PersonAction[] {
  const step = wheelStep(event);
  if (step !== undefined) {
    const scroll: PersonAction = { type: 'scroll', by: step > 0 ? 'row' : 'rowBack' };
    return Array.from({ length: WHEEL_LINES }, () => scroll);
  }
  const { y } = view.mode === 'drillDown' ? detailRect(layout) : overlayRect(layout);
  return isPress(event) && event.y === y ? [{ type: 'close' }] : [];
}

function onSingles(event: MouseEvent, scene: PointerScene): readonly PersonAction[] {
  return onIos(event, scene, 'moveSingle', (y) => {
    const at = scene.singleAt(y);
    return at && { type: 'pointAtSingle', ...at };
  });
}

function onInFlight(event: MouseEvent, scene: PointerScene): readonly PersonAction[] {
  return onIos(event, scene, 'moveRow', (y) => {
    const row = scene.inFlightAt(y);
    return row && { type: 'pointAtRow', row };
  });
}

/** A list of I/Os: the wheel moves the selected row, a press on the first line closes the list. */
function onIos(
  event: MouseEvent,
  { layout: { pane } }: PointerScene,
  moves: 'moveSingle' | 'moveRow',
  meant: (y: number) => PersonAction | undefined,
): readonly PersonAction[] {
  const step = wheelStep(event);
  if (step !== undefined) return [{ type: moves, by: step > 0 ? 'row' : 'rowBack' }];
  if (!isPress(event)) return [];
  if (event.y === pane.y) return [{ type: 'close' }];
  const action = meant(event.y);
  return action === undefined ? [] : [action];
}

function onPick(event: MouseEvent, scene: PointerScene): readonly PersonAction[] {
  const { layout, view, pickLength } = scene;
  const { pick } = view;
  if (pick === undefined) return [];
  const type = isOnMark(event.x - layout.pane.x) ? 'markEntry' : 'pointAtEntry';
  return onList(event, scene, 'movePick', (y, height) => {
    const at = pickEntryAt(pick, pickLength, height, y);
    return at && { type, ...at };
  });
}

function onActions(event: MouseEvent, scene: PointerScene): readonly PersonAction[] {
  const { actions } = scene.view;
  if (actions === undefined) return [];
  const { length } = matchingActions(actions.of, actions.query.text);
  return onList(event, scene, 'moveAction', (y, height) => {
    const at = actionEntryAt(actions, length, height, y);
    return at && { type: 'pointAtAction', ...at };
  });
}

function onColumns(event: MouseEvent, scene: PointerScene): readonly PersonAction[] {
  return onList(event, scene, 'moveColumnRow', (y, height) => {
    const at = columnEntryAt(scene.view, height, y);
    return at && { type: 'toggleColumn', at };
  });
}

/** In a list over the picture, the wheel moves the cursor, and a press means the entry in its line. */
function onList(
  event: MouseEvent,
  { layout: { pane } }: PointerScene,
  moves: 'movePick' | 'moveAction' | 'moveColumnRow',
  meant: (y: number, height: number) => PersonAction | undefined,
): readonly PersonAction[] {
  const step = wheelStep(event);
  if (step !== undefined) return [{ type: moves, by: step > 0 ? 'row' : 'rowBack' }];
  if (!isPress(event) || !isInside(pane, event)) return [];
  const action = meant(event.y - pane.y, pane.height);
  return action === undefined ? [] : [action];
}

/** The menu lies on the line above the status line. */
function onToggles(event: MouseEvent, { layout, view }: PointerScene): readonly PersonAction[] {
  const { status } = layout;
  if (!isPress(event) || event.y !== status.y - 1) return [];
  const toggle = toggleAt(view.filter, status.width, event.x - status.x);
  return toggle === undefined ? [] : [{ type: 'toggleTerm', term: toggle.asks }];
}

export function isPress({ action, button }: MouseEvent): boolean {
  return action === 'press' && button === 'left';
}

function isDrag({ action, button }: MouseEvent): boolean {
  return action === 'move' && button === 'left';
}

/** 1 for down, -1 for up; undefined for anything but the wheel. */
function wheelStep({ action }: MouseEvent): 1 | -1 | undefined {
  if (action === 'wheeldown') return 1;
  return action === 'wheelup' ? -1 : undefined;
}

function isInside(
  { x, y, width, height }: Rect,
  at: { readonly x: number; readonly y: number },
): boolean {
  return at.x >= x && at.x < x + width && at.y >= y && at.y < y + height;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
