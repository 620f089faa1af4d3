import type { MouseEvent } from '../../terminal/input-event.ts';
import type { PersonAction } from '../../view/action.ts';
import type { ViewState } from '../../view/state.ts';
import { placeTables } from '../table-places.ts';
import { hitTest } from './hit-test.ts';
import { edgeOf } from './scene.ts';
import type { Scene } from './scene.ts';

/** What an event of the mouse means on the screen as it was painted at the trace time `paintedAtNs`. */
export function pointedActions(
  scene: Scene,
  event: MouseEvent,
  view: ViewState,
  paintedAtNs: number,
): readonly PersonAction[] {
  const { report } = scene.reports;
  if (report === undefined) return [];
  const { layout } = scene;
  return hitTest(event, {
    view,
    layout,
    pane: scene.picture(view, edgeOf(view, paintedAtNs)).pointed,
    tables: placeTables(report, view, layout.tables.width),
    pickLength: scene.pickEntries(view, paintedAtNs).length,
  });
}
