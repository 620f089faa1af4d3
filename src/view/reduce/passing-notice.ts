import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';

/** How long a notice that no key asked for is shown, at any speed of a replay; then the hints come back. */
const STAYS_MS = 5000;

/** Shows a notice that no key asked for. */
export function passingNotice(state: ViewState, notice: string, { realMs }: Facts): ViewState {
  return { ...state, notice, passing: { notice, endsMs: realMs + STAYS_MS } };
}

/** The view without such a notice if its time is over. */
export function withoutPassed(state: ViewState, { realMs }: Facts): ViewState {
  const { passing, notice } = state;
  if (passing === undefined || realMs < passing.endsMs) return state;
  const isThere = notice === passing.notice;
  return { ...state, passing: undefined, notice: isThere ? undefined : notice };
}
