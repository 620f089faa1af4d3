import { allOf, negate, term } from '../../filter/filter.ts';
import type { Filter, Term } from '../../filter/filter.ts';
import type { FieldName } from '../../filter/fields.ts';
import { conjuncts } from '../../filter/language/edit.ts';
import { isOfOneProcess } from '../../model/metric.ts';
import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import { EMPTY_LINE } from '../line-editor.ts';
import type { PickState, ViewState } from '../state.ts';
import { withFilter } from './filter.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';
import { steppedRow } from './tables.ts';

/** The list of processes or disks to filter by. */
export const PICK_HANDLERS: Handlers<
  'openPick' | 'movePick' | 'markPick' | 'invertPick' | 'entriesRead' | 'entryRead'
> = {
  openPick: (state, { what }) => openPick(state, what),
  movePick,
  markPick: (state) => (state.pick === undefined ? state : markEntry(state, state.pick)),
  invertPick: (state) =>
    state.pick === undefined
      ? state
      : { ...state, pick: { ...state.pick, invert: !state.pick.invert } },
  entriesRead: (state, { entries }) =>
    state.pick === undefined ? state : { ...state, pick: { ...state.pick, opened: entries } },
  entryRead,
};

function openPick(state: ViewState, what: PickState['what']): Step {
  const field = what === 'process' ? 'pid' : 'disk';
  const asked = conjuncts(state.filter).find(
    (one): one is Term =>
      one.kind === 'term' && one.field === field && (one.operator === '=' || one.operator === '!='),
  );
  const pick: PickState = {
    what,
    opened: [],
    query: EMPTY_LINE,
    row: 0,
    chosen: asked?.values.map(String) ?? [],
    invert: asked?.operator === '!=',
  };
  const opened: ViewState = { ...state, mode: 'pick', pick, notice: undefined };
  const read = { type: 'readEntries' } as const;
  if (what !== 'process' || isOfOneProcess(state.grouping)) return asking(opened, read);
  const grouped = { ...pick, groupingBefore: state.grouping };
  return asking({ ...opened, grouping: 'process', pick: grouped }, read);
}

/** The view without the list. */
export function withoutPick(state: ViewState): ViewState {
  const { pick, grouping } = state;
  return { ...state, mode: 'main', pick: undefined, grouping: pick?.groupingBefore ?? grouping };
}

function movePick(
  state: ViewState,
  { by }: Extract<Action, { type: 'movePick' }>,
  { list }: Facts,
): ViewState {
  if (state.pick === undefined || list.rows === 0) return state;
  const row = steppedRow(by, state.pick.row, list.height, list.rows - 1);
  return { ...state, pick: { ...state.pick, row, rowBy: 'key' } };
}

/** Marks the entry of a row, or unmarks it. */
export function markEntry(
  state: ViewState,
  { row, line }: Pick<PickState, 'row' | 'line'>,
): ViewState | Step {
  if (state.pick === undefined) return state;
  const moved: ViewState = { ...state, pick: { ...state.pick, row, line, rowBy: 'key' } };
  return asking(moved, { type: 'readEntry', row, why: 'mark' });
}

/** Applies the marked entries, see `marksOf`; without any, the entry under the cursor. */
export function pickEntry(state: ViewState): ViewState | Step {
  if (state.pick === undefined) return state;
  return asking(state, { type: 'readEntry', row: state.pick.row, why: 'submit' });
}

function entryRead(
  state: ViewState,
  { id, matches, why }: Extract<Action, { type: 'entryRead' }>,
): ViewState {
  const { pick } = state;
  if (pick === undefined) return state;
  if (why === 'submit' && matches.length === 0 && marksOf(pick).length === 0)
    return { ...state, notice: isNarrowed(pick) ? NO_MATCH : EMPTY };
  if (why === 'submit')
    return takesAll(pick, matches) ? submitAll(state, pick, matches) : submitPick(state, pick, id);
  if (id === undefined) return state;
  const rest = pick.chosen.filter((one) => one !== id);
  const chosen = rest.length < pick.chosen.length ? rest : [...pick.chosen, id];
  return { ...state, pick: { ...pick, chosen, isMarked: true } };
}

/** Marks of the filter count as long as nothing was typed or chosen: to do so means another entry instead. */
function marksOf(pick: PickState): readonly string[] {
  const isUntouched = pick.rowBy === undefined && !isNarrowed(pick);
  return pick.isMarked === true || isUntouched ? pick.chosen : [];
}

const NO_MATCH = 'no entry matches; Esc closes the list';
const EMPTY = 'the list is empty; Esc closes it';

function isNarrowed({ query }: PickState): boolean {
  return query.text.trim() !== '';
}

/** Whether Enter means all matches: a query was typed, and nothing was marked or chosen after that. */
function takesAll(pick: PickState, matches: readonly string[]): boolean {
  const isOneMeant = marksOf(pick).length > 0 || pick.rowBy !== undefined;
  return isNarrowed(pick) && !isOneMeant && matches.length > 1;
}

/**
 * Filters by the typed text itself, so that a process that starts later matches too; digits at the start, as a word, are
 * of a PID.
 */
function submitAll(state: ViewState, pick: PickState, matches: readonly string[]): ViewState {
  const text = pick.query.text.trim();
  const name = pick.what === 'process' ? 'comm' : 'disk';
  const wanted = /^\d+(\s|$)|[*?]/.test(text) ? listTerm(pick, matches) : term(name, '~', text);
  const excluded = pick.invert ? ' excluded' : '';
  const notice = `all ${matches.length} matches${excluded}; u undoes the filter`;
  return { ...withPicked(state, pick, wanted), notice };
}

/** With several hosts, the host follows the number, which is then text. */
function pidOf(id: string): number | string {
  return id.includes('@') ? id : Number(id);
}

function listTerm({ what }: PickState, ids: readonly string[]): Term {
  return what === 'process' ? term('pid', '=', ...ids.map(pidOf)) : term('disk', '=', ...ids);
}

const FIELDS: Record<PickState['what'], readonly FieldName[]> = {
  process: ['pid', 'comm'],
  disk: ['disk'],
};

/** The filter without the conditions that a list replaces, so that the list has what these leave out, too. */
export function besidePick(filter: Filter, what: PickState['what']): Filter {
  return without(filter, FIELDS[what]);
}

function without(filter: Filter, fields: readonly FieldName[]): Filter {
  return allOf(
    conjuncts(filter).filter((one) => one.kind !== 'term' || !fields.includes(one.field)),
  );
}

/** The filter with the picked processes or disks in place of earlier ones; its other conditions stay. */
function withPicked(state: ViewState, pick: PickState, wanted: Term | undefined): ViewState {
  const replaced = FIELDS[pick.what];
  const rest = without(state.filter, wanted?.field === 'comm' ? replaced : replaced.slice(0, 1));
  const shut = withoutPick(state);
  if (wanted === undefined) return withFilter(shut, rest);
  return withFilter(shut, allOf([rest, pick.invert ? negate(wanted) : wanted]));
}

function submitPick(state: ViewState, pick: PickState, current: string | undefined): ViewState {
  const marks = marksOf(pick);
  const ids = marks.length > 0 || current === undefined ? marks : [current];
  return withPicked(state, pick, ids.length === 0 ? undefined : listTerm(pick, ids));
}
