import { allOf, negate, term } from '../../filter/filter.ts';
import type { Term } from '../../filter/filter.ts';
import { conjuncts } from '../../filter/language/edit.ts';
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
  'openPick' | 'movePick' | 'markPick' | 'invertPick' | 'entryRead'
> = {
  openPick: (state, { what }) => openPick(state, what),
  movePick,
  markPick: (state) => markEntry(state, state.pick?.row ?? 0),
  invertPick: (state) =>
    state.pick === undefined
      ? state
      : { ...state, pick: { ...state.pick, invert: !state.pick.invert } },
  entryRead,
};

function openPick(state: ViewState, what: PickState['what']): ViewState {
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

function movePick(
  state: ViewState,
  { by }: Extract<Action, { type: 'movePick' }>,
  { list }: Facts,
): ViewState {
  if (state.pick === undefined || list.rows === 0) return state;
  const row = steppedRow(by, state.pick.row, list.height, list.rows - 1);
  return { ...state, pick: { ...state.pick, row } };
}

/** Marks the entry of a row, or unmarks it. */
export function markEntry(state: ViewState, row: number): ViewState | Step {
  if (state.pick === undefined) return state;
  const moved = { ...state, pick: { ...state.pick, row } };
  return asking(moved, { type: 'readEntry', row, why: 'mark' });
}

/** Applies what is marked; when nothing is, the entry under the cursor. */
export function pickEntry(state: ViewState): ViewState | Step {
  if (state.pick === undefined) return state;
  return asking(state, { type: 'readEntry', row: state.pick.row, why: 'submit' });
}

function entryRead(
  state: ViewState,
  { id, why }: Extract<Action, { type: 'entryRead' }>,
): ViewState {
  const { pick } = state;
  if (pick === undefined) return state;
  if (why === 'submit') return submitPick(state, pick, id);
  if (id === undefined) return state;
  const rest = pick.chosen.filter((one) => one !== id);
  const chosen = rest.length < pick.chosen.length ? rest : [...pick.chosen, id];
  return { ...state, pick: { ...pick, chosen } };
}

function submitPick(state: ViewState, pick: PickState, current: string | undefined): ViewState {
  const field = pick.what === 'process' ? 'pid' : 'disk';
  const ids = pick.chosen.length > 0 || current === undefined ? pick.chosen : [current];
  const rest = conjuncts(state.filter).filter((one) => one.kind !== 'term' || one.field !== field);
  const shut: ViewState = { ...state, mode: 'main', pick: undefined };
  if (ids.length === 0) return withFilter(shut, allOf(rest));
  const values = field === 'pid' ? ids.map(Number) : ids;
  const wanted = term(field, '=', ...values);
  return withFilter(shut, allOf([...rest, pick.invert ? negate(wanted) : wanted]));
}
