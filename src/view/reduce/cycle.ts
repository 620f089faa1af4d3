import type { ViewState } from '../state.ts';

/** Changes the view, with a notice about the change. */
export function withNotice(
  state: ViewState,
  describe: (next: ViewState) => string,
  change: Partial<ViewState>,
): ViewState {
  const next = { ...state, ...change };
  return { ...next, notice: describe(next) };
}

/** The next or previous member of a cycle; the first when `current` is not in it. */
export function neighbour<T>(cycle: readonly T[], current: T, step: 1 | -1): T {
  const at = cycle.indexOf(current);
  if (at < 0) return cycle[0]!;
  return cycle[(at + step + cycle.length) % cycle.length]!;
}
