import { NO_FILTER, allOf } from '../../filter/filter.ts';
import type { Filter, Term } from '../../filter/filter.ts';
import { addCondition, conjuncts, isSameFilter, toggleTerm } from '../../filter/language/edit.ts';
import type { FieldName } from '../../filter/fields.ts';
import { noMatchHint } from '../../filter/language/no-match-hint.ts';
import { formatFilter } from '../../filter/language/format.ts';
import { parseFilter } from '../../filter/language/parse.ts';
import { boxConditions } from '../../filter/box.ts';
import type { Box } from '../../filter/box.ts';
import { DEFAULT_LAYER } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { Action } from '../action.ts';
import { describeLayer } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { replaceBefore } from '../line-editor.ts';
import { modeOfPicture, selectionOf } from '../state.ts';
import type { EarlierFilter, ViewState } from '../state.ts';
import { withHighlight, withoutConditionsText } from './highlight.ts';
import { inLayer, isMissing, missingText, withFilterAndLayer } from './layers.ts';
import { openPrompt } from './open-prompt.ts';
import { askingOfRow, withNoRows, withSelection } from './selection.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';

export const FILTER_HANDLERS: Handlers<
  | 'openFilter'
  | 'complete'
  | 'completed'
  | 'toggleTerm'
  | 'filterByRow'
  | 'rowRead'
  | 'filterByBox'
  | 'undoFilter'
  | 'clearFilter'
> = {
  openFilter,
  complete,
  completed,
  toggleTerm: (state, { term: wanted }) => withFilter(state, toggleTerm(state.filter, wanted)),
  filterByRow: (state, _, facts) => filterByRow(state, facts),
  rowRead,
  filterByBox,
  undoFilter,
  clearFilter: (state) =>
    state.filter.kind === 'everything'
      ? { ...state, notice: 'no filter to clear' }
      : withFilter(state, NO_FILTER),
};

/** Number of filters kept for undo. */
const MAX_STACK = 100;

/**
 * Replaces the filter by a new one; `undoFilter` restores the old one. If the new filter names a layer, that layer is
 * shown.
 */
export function withFilter(
  state: ViewState,
  asked: Filter,
  layers: readonly Layer[] = [],
): ViewState {
  const next = withFilterAndLayer(state, asked, layers);
  const { filter, layer } = next;
  if (isSameFilter(filter, state.filter) && layer === state.layer)
    return { ...next, notice: undefined };
  return {
    ...next,
    filterStack: filtersBefore(state, next),
    processRow: undefined,
    diskRow: undefined,
    notice: noticeOf(state, next, layers),
  };
}

function noticeOf(before: ViewState, after: ViewState, layers: readonly Layer[]): string {
  const { filter, layer } = after;
  const isOther = layer !== before.layer;
  if (isOther && isMissing(layer, layers)) return missingText(layer);
  if (filter.kind !== 'everything')
    return noMatchHint(filter, layer, after.traceLatency) ?? 'u undoes the filter';
  if (isOther) return describeLayer(after);
  const shown = layer === DEFAULT_LAYER ? 'everything is shown' : `all ${layer} are shown`;
  return `filter cleared; ${shown}`;
}

/** The filters to undo after the filter has changed. */
export function filtersBefore(
  { filter, layer, filterStack }: ViewState,
  next: ViewState,
): readonly EarlierFilter[] {
  const earlier = { filter, layer: layer === next.layer ? undefined : layer };
  return [...filterStack, earlier].slice(-MAX_STACK);
}

function undoFilter(state: ViewState): ViewState {
  const earlier = state.filterStack.at(-1);
  if (earlier === undefined) return { ...state, notice: 'no earlier filter' };
  const { filter, layer = state.layer } = earlier;
  const undone = { ...inLayer(state, layer), filter, filterStack: state.filterStack.slice(0, -1) };
  return { ...undone, processRow: undefined, diskRow: undefined, notice: 'filter undone' };
}

/** Opens the prompt with the current filter. */
function openFilter(state: ViewState): ViewState {
  const text = formatFilter(state.filter);
  return { ...openPrompt(state, 'filter', text === '' ? '' : `${text} `), promptFor: 'main' };
}

export function submitFilter(state: ViewState, { layers }: Pick<Facts, 'layers'>): ViewState {
  if (state.prompt === undefined) return state;
  const parsed = parseFilter(state.prompt.line.text);
  if (!parsed.ok) {
    const { column, message } = parsed.error;
    return { ...state, prompt: { ...state.prompt, problem: { column, message } } };
  }
  return withFilter({ ...state, mode: 'main', prompt: undefined }, parsed.value, layers);
}

function complete(state: ViewState): ViewState | Step {
  if (state.prompt === undefined || state.mode !== 'filter') return state;
  return asking(state, { type: 'completeFilter', line: state.prompt.line });
}

function completed(
  state: ViewState,
  { from, text }: Extract<Action, { type: 'completed' }>,
): ViewState {
  if (state.prompt === undefined) return state;
  const line = replaceBefore(state.prompt.line, from, text);
  return { ...state, prompt: { line, problem: undefined } };
}

/**
 * Filters by the selected row. Without a selection by the only one; of several the first may change by itself, and a
 * filter by another row would remove what is meant from the screen.
 */
function filterByRow(state: ViewState, facts: Facts): ViewState | Step {
  const { table } = facts;
  if (table.length === 0) return withNoRows(state);
  const question = { type: 'readRow', why: 'filter' } as const;
  if (selectionOf(state) === undefined && table.length === 1)
    return asking(withSelection(state, table.rowAt(0)), question);
  return askingOfRow(state, question, facts);
}

function rowRead(
  state: ViewState,
  { terms, why }: Extract<Action, { type: 'rowRead' }>,
): ViewState {
  if (terms === undefined) return { ...state, notice: noTermsText(state) };
  if (why === 'highlight') return withHighlight(state, allOf(terms));
  return filterByTerms(
    state.mode === 'inFlight' ? { ...state, mode: modeOfPicture(state) } : state,
    terms,
  );
}

/** Why there is nothing to filter by. */
function noTermsText(state: ViewState): string {
  if (selectionOf(state) === undefined) return 'select a row first, with ↑ and ↓';
  return state.mode === 'inFlight'
    ? 'no known process to filter by'
    : 'this row has no name to filter by';
}

/** Filters by the terms of a row, replacing others of the same fields. */
export function filterByTerms(state: ViewState, terms: readonly Term[]): ViewState {
  const fields = new Set<FieldName>(terms.map(({ field }) => field));
  const rest = conjuncts(state.filter).filter(
    (one) => one.kind !== 'term' || !fields.has(one.field),
  );
  return withFilter(state, allOf([...rest, ...terms]));
}

/** Filters by the values of the box; its time stays that of the picture. */
function filterByBox(state: ViewState): ViewState {
  const box = state.drillDown;
  if (box === undefined) return state;
  const conditions = boxConditions(box);
  const shut: ViewState = {
    ...state,
    mode: 'main',
    drillDown: undefined,
    cursor: undefined,
    beforeSlowest: undefined,
    heldForCursor: false,
    anchor: undefined,
  };
  if (conditions.length === 0)
    return { ...shut, notice: `cannot filter by ${withoutConditionsText(box)}` };
  return withFilter(shut, conditions.reduce(addCondition, state.filter));
}

/** A filter for I/O that matches the filter and is in the box, except for its time. */
export function filterOfBox(filter: Filter, box: Box): Filter {
  return boxConditions(box).reduce(addCondition, filter);
}
