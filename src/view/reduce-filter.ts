import { NO_FILTER, allOf, negate, term } from '../filter/filter.ts';
import type { Filter, Term } from '../filter/filter.ts';
import { addTerm, conjuncts, isSameFilter, toggleTerm } from '../filter/language/edit.ts';
import type { FieldName } from '../filter/fields.ts';
import { formatFilter } from '../filter/language/format.ts';
import { parseFilter } from '../filter/language/parse.ts';
import type { Box } from '../filter/box.ts';
import type { Metric } from '../model/metric.ts';
import type { ActionContext, ScrollBy } from './action.ts';
import { EMPTY_LINE, lineOf, replaceBefore } from './line-editor.ts';
import { steppedRow } from './reduce-tables.ts';
import type { PickState, ViewState } from './view-state.ts';

/** More steps back than anybody remembers. */
const MAX_STACK = 100;

/** A new filter takes the place of the old one, which `undoFilter` brings back. */
export function withFilter(state: ViewState, filter: Filter): ViewState {
  if (isSameFilter(filter, state.filter)) return { ...state, notice: undefined };
  return {
    ...state,
    filter,
    filterStack: [...state.filterStack, state.filter].slice(-MAX_STACK),
    processRow: undefined,
    diskRow: undefined,
    notice: filter.kind === 'everything' ? 'everything is shown' : 'u undoes the filter',
  };
}

export function undoFilter(state: ViewState): ViewState {
  const filter = state.filterStack.at(-1);
  if (filter === undefined) return { ...state, notice: 'there was no filter before this one' };
  const undone = { ...state, filter, filterStack: state.filterStack.slice(0, -1) };
  return { ...undone, processRow: undefined, diskRow: undefined, notice: 'filter undone' };
}

export function clearFilter(state: ViewState): ViewState {
  return withFilter(state, NO_FILTER);
}

/** The prompt opens with the filter that is in force, to be changed or deleted. */
export function openFilter(state: ViewState): ViewState {
  const text = formatFilter(state.filter);
  const line = lineOf(text === '' ? '' : `${text} `);
  return {
    ...state,
    mode: 'filter',
    prompt: { line, problem: undefined },
    promptFor: 'main',
    notice: undefined,
  };
}

export function submitFilter(state: ViewState): ViewState {
  if (state.prompt === undefined) return state;
  const parsed = parseFilter(state.prompt.line.text);
  if (!parsed.ok) {
    const { column, message } = parsed.error;
    return { ...state, prompt: { ...state.prompt, problem: { column, message } } };
  }
  return withFilter({ ...state, mode: 'main', prompt: undefined }, parsed.value);
}

export function complete(state: ViewState, { completion }: ActionContext): ViewState {
  if (state.prompt === undefined || state.mode !== 'filter') return state;
  const { line } = state.prompt;
  const found = completion(line);
  if (found === undefined) return state;
  return {
    ...state,
    prompt: { line: replaceBefore(line, found.from, found.text), problem: undefined },
  };
}

export function toggleInFilter(state: ViewState, wanted: Term): ViewState {
  return withFilter(state, toggleTerm(state.filter, wanted));
}

/** Asks for what the row is about in place of what was asked of the same fields. */
export function filterByRow(state: ViewState, { rowTerms }: ActionContext): ViewState {
  if (rowTerms === undefined)
    return { ...state, notice: 'select a row of a table first, with the arrows up and down' };
  const fields = new Set<FieldName>(rowTerms.map(({ field }) => field));
  const rest = conjuncts(state.filter).filter(
    (one) => one.kind !== 'term' || !fields.has(one.field),
  );
  return withFilter(state, allOf([...rest, ...rowTerms]));
}

const BOX_FIELDS: Partial<Record<Metric, FieldName>> = {
  device: 'dlat',
  queue: 'qlat',
  total: 'lat',
  offset: 'offset',
  size: 'size',
};

/** Asks for the values of the box; its time stays what the picture shows. */
export function filterByBox(state: ViewState): ViewState {
  if (state.detail === undefined) return state;
  const terms = boxTerms(state.detail);
  const shut: ViewState = {
    ...state,
    mode: 'main',
    detail: undefined,
    cursor: undefined,
    heldForCursor: false,
    anchor: undefined,
  };
  if (terms.length === 0)
    return { ...shut, notice: 'utilization belongs to disks and cannot be filtered by' };
  return withFilter(shut, terms.reduce(addTerm, state.filter));
}

/** What passes the filter and lies in the box, but for its time. */
export function filterOfBox(filter: Filter, box: Box): Filter {
  return boxTerms(box).reduce(addTerm, filter);
}

/** Times and sizes are whole numbers, so an edge between two of them is as good as the upper one. */
function boxTerms({ metric, low, high, where = [] }: Box): Term[] {
  const field = BOX_FIELDS[metric];
  // A lane of a disk holds I/O of any value, also that of which none is known.
  if (field === undefined || (low === 0 && high === Infinity)) return [...where];
  const below = Number.isFinite(high) ? [term(field, '<', Math.ceil(high))] : [];
  return [...where, term(field, '>=', Math.ceil(low)), ...below];
}

export function openPick(state: ViewState, what: PickState['what']): ViewState {
  const field = what === 'process' ? 'pid' : 'disk';
  const asked = conjuncts(state.filter).find(
    (one): one is Term =>
      one.kind === 'term' && one.field === field && (one.operator === '=' || one.operator === '!='),
  );
  const pick: PickState = {
    what,
    query: EMPTY_LINE,
    row: 0,
    chosen: asked?.values.map(String) ?? [],
    invert: asked?.operator === '!=',
  };
  // A row that is a cgroup has no process to pick.
  const grouping = state.grouping === 'cgroup' ? 'process' : state.grouping;
  return { ...state, mode: 'pick', pick, grouping, notice: undefined };
}

export function movePick(state: ViewState, by: ScrollBy, context: ActionContext): ViewState {
  if (state.pick === undefined || context.pickIds.length === 0) return state;
  const row = steppedRow(by, state.pick.row, context.listHeight, context.pickIds.length - 1);
  return { ...state, pick: { ...state.pick, row } };
}

export function choose(state: ViewState, { pickIds }: ActionContext): ViewState {
  const id = pickIds[state.pick?.row ?? 0];
  if (state.pick === undefined || id === undefined) return state;
  const { chosen } = state.pick;
  const rest = chosen.filter((one) => one !== id);
  return {
    ...state,
    pick: { ...state.pick, chosen: rest.length < chosen.length ? rest : [...chosen, id] },
  };
}

export function invertPick(state: ViewState): ViewState {
  if (state.pick === undefined) return state;
  return { ...state, pick: { ...state.pick, invert: !state.pick.invert } };
}

/** Takes what is marked; when nothing is, the entry under the cursor. */
export function submitPick(state: ViewState, { pickIds }: ActionContext): ViewState {
  const { pick } = state;
  if (pick === undefined) return state;
  const field = pick.what === 'process' ? 'pid' : 'disk';
  const current = pickIds[pick.row];
  const ids = pick.chosen.length > 0 || current === undefined ? pick.chosen : [current];
  const rest = conjuncts(state.filter).filter((one) => one.kind !== 'term' || one.field !== field);
  const shut: ViewState = { ...state, mode: 'main', pick: undefined };
  if (ids.length === 0) return withFilter(shut, allOf(rest));
  const values = field === 'pid' ? ids.map(Number) : ids;
  const wanted = term(field, '=', ...values);
  return withFilter(shut, allOf([...rest, pick.invert ? negate(wanted) : wanted]));
}
