import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';

/** How long a notice that no key asked for is shown, in ns of the trace; then the hints come back. */
const STAYS_NS = 5e9;

/** Shows a notice that no key asked for. */
export function passingNotice(state: ViewState, notice: string, { nowNs }: Facts): ViewState {
  return { ...state, notice, passing: { notice, endsNs: nowNs + STAYS_NS } };
}

/** The view without such a notice if its time is over. */
export function withoutPassed(state: ViewState, { nowNs }: Facts): ViewState {
  const { passing, notice } = state;
  if (passing === undefined || nowNs < passing.endsNs) return state;
  const isThere = notice === passing.notice;
  return { ...state, passing: undefined, notice: isThere ? undefined : notice };
}
