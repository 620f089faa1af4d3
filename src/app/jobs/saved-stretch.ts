import type { History } from '../../history/history.ts';
import type { Box } from '../../filter/box.ts';
import type { Filter } from '../../filter/filter.ts';
import { filterOfBox } from '../../view/reduce/filter.ts';
import { savedPart } from '../../view/saved-part.ts';
import type { MapCell, ViewState } from '../../view/state.ts';

/** [startNs, endNs) of a history, and the filter on it. */
export interface SavedStretch {
  readonly startNs: number;
  readonly endNs: number;
  readonly filter: Filter;
}

/** The picture that contains the box or the window. */
export interface ShownPicture {
  readonly columns: number;
  boxOf(a: MapCell, b: MapCell): Box;
}

/** The stretch of what saving applies to. I/O hidden by the filter is not saved. */
export function stretchToSave(
  view: ViewState,
  picture: ShownPicture,
  history: Pick<History, 'startNs' | 'observedFromNs' | 'endNs'>,
): SavedStretch {
  const { filter, drillDown, cursor, anchor, frozenAtNs, intervalNs } = view;
  const part = savedPart(view);
  const box = drillDown ?? (cursor && picture.boxOf(anchor ?? cursor, cursor));
  // The left of a picture may be before the trace, and its last column ends after the present.
  const presentNs = Math.max(frozenAtNs ?? -Infinity, history.endNs + 1);
  if (part === 'box' && box !== undefined) {
    const startNs = Math.max(history.observedFromNs, box.startNs);
    return { startNs, endNs: Math.min(presentNs, box.endNs), filter: filterOfBox(filter, box) };
  }
  if (frozenAtNs !== undefined) {
    const startNs = Math.max(history.observedFromNs, frozenAtNs - picture.columns * intervalNs);
    return { startNs, endNs: frozenAtNs, filter };
  }
  return { startNs: history.startNs, endNs: history.endNs + 1, filter };
}
