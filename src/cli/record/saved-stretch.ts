import type { History } from '../../history/history.ts';
import type { ActionContext } from '../../view/action.ts';
import { filterOfBox } from '../../view/reduce-filter.ts';
import type { ViewState } from '../../view/view-state.ts';
import type { SavedStretch } from './session-recording.ts';

/**
 * What a person means by "this" when saving: the box under the cross-hair, else the window that stands
 * still, else all there is. What the filter hides is not meant.
 */
export function stretchToSave(
  view: ViewState,
  context: Pick<ActionContext, 'boxOf' | 'columns' | 'nowNs'>,
  history: Pick<History, 'startNs' | 'endNs'>,
): SavedStretch {
  const { filter, detail, cursor, anchor, frozenAtNs, intervalNs } = view;
  const isBox = view.promptFor === 'cursor' || view.promptFor === 'detail';
  const box = detail ?? (cursor && context.boxOf(anchor ?? cursor, cursor));
  if (isBox && box !== undefined) {
    const { startNs, endNs } = box;
    return { startNs, endNs, filter: filterOfBox(filter, box) };
  }
  if (frozenAtNs !== undefined)
    return { startNs: frozenAtNs - context.columns * intervalNs, endNs: frozenAtNs, filter };
  return { startNs: history.startNs, endNs: history.endNs + 1, filter };
}
