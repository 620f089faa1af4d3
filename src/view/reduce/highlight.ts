import { boxConditions } from '../../filter/box.ts';
import type { Box } from '../../filter/box.ts';
import { NO_FILTER, allOf } from '../../filter/filter.ts';
import type { Filter } from '../../filter/filter.ts';
import { isSameFilter } from '../../filter/language/edit.ts';
import { hasStack } from '../../model/metric.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { askingOfRow } from './selection.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';

/** Highlights I/O. A filter removes I/O from the picture; a highlight shows it in colour among the rest. */
export const HIGHLIGHT_HANDLERS: Handlers<
  'highlightRow' | 'highlightTerm' | 'highlightBox' | 'highlightBins' | 'stop'
> = {
  highlightRow: (state, _, facts) => highlightRow(state, facts),
  highlightTerm: (state, { term }) => withHighlight(state, term),
  highlightBox,
  highlightBins: (state, { lowBin, highBin }) =>
    asking(state, {
      type: 'readBox',
      a: { column: 0, bin: lowBin },
      b: { column: 0, bin: highBin },
      why: 'highlight',
    }),
  stop,
};

/**
 * Highlights the selected row. Without a selection, the first row may change by itself, so that the same key would move
 * the highlight instead of ending it.
 */
function highlightRow(state: ViewState, facts: Facts): ViewState | Step {
  const isOn = state.highlight.kind !== 'everything';
  if (isOn && facts.table.selected === undefined) return withoutHighlight(state);
  return askingOfRow(state, { type: 'readRow', why: 'highlight' }, facts);
}

/** Sets the highlight; setting the same highlight again removes it. */
export function withHighlight(state: ViewState, highlight: Filter): ViewState {
  if (isSameFilter(highlight, state.highlight)) return withoutHighlight(state);
  const problem = problemOf(state);
  const notice = problem ?? 'in colour, the rest in grey; the same key or Esc ends it';
  return { ...state, highlight, notice };
}

function withoutHighlight(state: ViewState): ViewState {
  return { ...state, highlight: NO_FILTER, notice: 'highlight ended' };
}

/** Why the current picture does not show highlights; undefined if it does. */
function problemOf({ layout, metric }: ViewState): string | undefined {
  if (layout !== 'single' && !hasStack(layout))
    return 'highlights are visible in heat maps over time; V changes the layout';
  return metric === 'utilization' && layout === 'single'
    ? 'utilization counts disks; highlights are visible in the other metrics'
    : undefined;
}

function highlightBox(state: ViewState): ViewState {
  if (state.drillDown === undefined) return state;
  const next = withHighlightOf(state, state.drillDown);
  if (next.highlight === state.highlight) return next;
  return { ...next, mode: 'cursor', drillDown: undefined, anchor: undefined };
}

/** Highlights the values of a box; its time has no meaning for other columns. */
export function withHighlightOf(state: ViewState, box: Box): ViewState {
  const conditions = boxConditions(box);
  if (conditions.length === 0)
    return { ...state, notice: `cannot highlight by ${withoutConditionsText(box)}` };
  return withHighlight(state, allOf(conditions));
}

/** What a box without conditions is of, and why that is none. */
export function withoutConditionsText({ metric }: Box): string {
  return metric === 'utilization'
    ? 'utilization: it is a figure per disk'
    : 'all lanes: they have all I/O';
}

function stop(state: ViewState): ViewState | Step {
  if (state.highlight.kind !== 'everything') return withoutHighlight(state);
  return asking(state, { type: 'run', what: 'cancelJob' });
}
