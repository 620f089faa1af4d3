import { assertUnreachable } from '../base/assert.ts';
import { GROUPINGS, LATENCIES, PALETTES } from '../model/metric.ts';
import type { Action, ActionContext } from './action.ts';
import { neighbour, noticing } from './cycle.ts';
import { describeGrouping, describePalette, describeSort } from './describe.ts';
import { EMPTY_LINE } from './line-editor.ts';
import {
  edgeCursor,
  goToWorst,
  leaveCursor,
  moveCursor,
  openCursor,
  openDetail,
  seekOn,
  stopSeeking,
  toggleAnchor,
  zoomToBox,
} from './reduce-cursor.ts';
import {
  moveColumnRow,
  openColumns,
  resetColumns,
  shiftColumn,
  toggleColumn,
} from './reduce-columns.ts';
import { editText, paste } from './reduce-text.ts';
import { dropFind, nextMatch, openFind, submitFind } from './reduce-find.ts';
import { dragTo, pointAt, pointAtEntry, pointAtRow } from './reduce-pointer.ts';
import { MATRIX_SORTS, matrixSort } from './table-columns.ts';
import {
  choose,
  clearFilter,
  complete,
  filterByBox,
  filterByRow,
  invertPick,
  movePick,
  openFilter,
  openPick,
  submitFilter,
  submitPick,
  toggleInFilter,
  undoFilter,
} from './reduce-filter.ts';
import {
  cycleLayout,
  cycleOutlierCut,
  cycleWeight,
  metricsOf,
  toggleScale,
  withMetric,
} from './reduce-layout.ts';
import { nextMap } from './reduce-maps.ts';
import { moveRow, scrollText } from './reduce-tables.ts';
import { openExport } from './reduce-export.ts';
import { openRecord, openSave } from './reduce-record.ts';
import { goToMoment, scrollTime, stepInterval, togglePause } from './reduce-time.ts';
import type { ViewState } from './view-state.ts';

/** The whole of what keys do to the view. Pure: no clock, no input or output. */
export function reduce(view: ViewState, action: Action, context: ActionContext): ViewState {
  const state = stopSeeking(view, action);
  switch (action.type) {
    case 'setMetric':
      // A cell of one map is none of another's.
      return withMetric({ ...state, cursor: undefined, anchor: undefined }, action.metric);
    case 'cycleMetric':
      return withMetric(state, neighbour(metricsOf(state.layout), state.metric, action.step));
    case 'cycleLatency':
      return withMetric(state, neighbour(LATENCIES, state.metric, 1));
    case 'cycleLayout':
      return cycleLayout(state, context);
    case 'toggleScale':
      return toggleScale(state);
    case 'cycleOutlierCut':
      return cycleOutlierCut(state);
    case 'cyclePalette':
      return noticing(state, describePalette, { palette: neighbour(PALETTES, state.palette, 1) });
    case 'cycleWeight':
      return cycleWeight(state);
    case 'fitValues':
      return { ...state, valueRange: undefined, notice: 'the y axis fits the picture again' };
    case 'stepInterval':
      return stepInterval(state, action.step);
    case 'togglePause':
      return togglePause(state, context);
    case 'scrollTime':
      return scrollTime(state, action.by, context);
    case 'cycleSort':
      return cycleSort(state, action.step);
    case 'sortBy':
      return sortBy(state, action.sort);
    case 'openColumns':
      return openColumns(state);
    case 'moveColumnRow':
      return moveColumnRow(state, action.by, context);
    case 'toggleColumn':
      return toggleColumn({ ...state, columnRow: action.row ?? state.columnRow });
    case 'shiftColumn':
      return shiftColumn(state, action.step);
    case 'resetColumns':
      return resetColumns(state);
    case 'openFind':
      return openFind(state);
    case 'nextMatch':
      return nextMatch(state, action.step, context);
    case 'pointAt':
      return pointAt(state, action.at, context);
    case 'dragTo':
      return dragTo(state, action.at, context);
    case 'focusPane':
      return { ...state, focus: action.pane };
    case 'pointAtRow':
      return pointAtRow(state, action.pane, action.row, context);
    case 'pointAtEntry':
      return pointAtEntry(state, action.row, context);
    case 'markEntry':
      return choose({ ...state, pick: state.pick && { ...state.pick, row: action.row } }, context);
    case 'cycleGrouping':
      return noticing(state, describeGrouping, {
        grouping: neighbour(GROUPINGS, state.grouping, 1),
        processRow: undefined,
      });
    case 'switchFocus':
      return {
        ...state,
        focus: state.focus === 'processes' ? 'disks' : 'processes',
        notice: undefined,
      };
    case 'moveRow':
      return moveRow(state, action.by, context);
    case 'scroll':
      return scrollText(state, action.by, context);
    case 'openHelp':
      return { ...state, mode: 'help', helpFor: state.mode, helpTop: 0, notice: undefined };
    case 'openGoto':
      return {
        ...state,
        mode: 'goto',
        prompt: EMPTY_PROMPT,
        promptFor: state.mode,
        notice: undefined,
      };
    case 'openRecord':
      return openRecord(state, context);
    case 'openSave':
      return openSave(state, context);
    case 'openExport':
      return openExport(state, context);
    case 'openTrend':
      return { ...state, mode: 'trend', notice: undefined };
    case 'edit':
      return editText(state, action.key, context);
    case 'paste':
      return paste(state, action.text, context);
    case 'submit':
      return submit(state, context);
    case 'close':
      return close(state);
    case 'openCursor':
      return openCursor(state, context);
    case 'goToWorst':
      return goToWorst(state, context);
    case 'seekOn':
      return seekOn(state, context);
    case 'moveCursor':
      return moveCursor(state, action.columns, action.bins, context);
    case 'nextMap':
      return nextMap(state, action.step, context);
    case 'edgeCursor':
      return edgeCursor(state, action.to, context);
    case 'toggleAnchor':
      return toggleAnchor(state);
    case 'zoomToBox':
      return zoomToBox(state, context);
    case 'openDetail':
      return openDetail(state, context);
    case 'openFilter':
      return openFilter(state);
    case 'complete':
      return complete(state, context);
    case 'openToggles':
      return { ...state, mode: 'toggles', notice: undefined };
    case 'toggleTerm':
      return toggleInFilter(state, action.term);
    case 'openPick':
      return openPick(state, action.what);
    case 'movePick':
      return movePick(state, action.by, context);
    case 'choose':
      return choose(state, context);
    case 'invertPick':
      return invertPick(state);
    case 'filterByRow':
      return filterByRow(state, context);
    case 'filterByBox':
      return filterByBox(state);
    case 'undoFilter':
      return undoFilter(state);
    case 'clearFilter':
      return clearFilter(state);
    default:
      return assertUnreachable(action);
  }
}

const EMPTY_PROMPT = { line: EMPTY_LINE, problem: undefined };

function submit(state: ViewState, context: ActionContext): ViewState {
  if (state.mode === 'find') return submitFind(state, context);
  if (state.mode === 'goto') return goToMoment(state, context);
  return state.mode === 'pick' ? submitPick(state, context) : submitFilter(state);
}

/** Escape: one step back. */
function close(state: ViewState): ViewState {
  const quiet = { ...state, notice: undefined };
  if (state.mode === 'find') return dropFind(state);
  if (state.mode === 'help') return { ...quiet, mode: state.helpFor };
  if (state.mode === 'detail') return { ...quiet, mode: 'cursor', detail: undefined };
  if (state.mode === 'cursor' && state.anchor !== undefined) return { ...quiet, anchor: undefined };
  if (state.mode === 'cursor') return leaveCursor(quiet);
  const mode = state.prompt === undefined ? 'main' : state.promptFor;
  return { ...quiet, mode, prompt: undefined, pick: undefined };
}

/** Through the columns on the screen, in their order. */
function cycleSort(state: ViewState, step: 1 | -1): ViewState {
  if (state.focus === 'disks')
    return sortBy(state, { pane: 'disks', by: neighbour(state.diskColumns, state.diskSort, step) });
  const by =
    state.grouping === 'matrix'
      ? neighbour(MATRIX_SORTS, matrixSort(state.processSort), step)
      : neighbour(state.processColumns, state.processSort, step);
  return sortBy(state, { pane: 'processes', by });
}

function sortBy(state: ViewState, sort: Extract<Action, { type: 'sortBy' }>['sort']): ViewState {
  return sort.pane === 'processes'
    ? noticing(state, describeSort, {
        focus: sort.pane,
        processSort: sort.by,
        processRow: undefined,
      })
    : noticing(state, describeSort, { focus: sort.pane, diskSort: sort.by, diskRow: undefined });
}
