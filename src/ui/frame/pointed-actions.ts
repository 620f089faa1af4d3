import type { MouseEvent } from '../../terminal/input-event.ts';
import type { PersonAction } from '../../view/action.ts';
import type { ViewState } from '../../view/state.ts';
import { placeTables } from '../tables/table-places.ts';
import type { FramePainter } from './frame-painter.ts';
import { hitTest } from './hit-test.ts';
import { edgeOf } from './scene.ts';
import type { Scene } from './scene.ts';

/** The last frame. */
type Painted = Pick<FramePainter, 'paintedAtNs' | 'keyAt'>;

/** The actions of a mouse event on the screen as painted last. */
export function pointedActions(
  scene: Scene,
  event: MouseEvent,
  view: ViewState,
  painted: Painted,
): readonly PersonAction[] {
  const { report } = scene.reports;
  if (report === undefined) return [];
  const { layout } = scene;
  return hitTest(event, {
    view,
    layout,
    pane: scene.picture(view, edgeOf(view, painted.paintedAtNs)).pointed,
    tables: placeTables(report, view, layout.tables.width),
    keyAt: painted.keyAt.bind(painted),
    pickLength: scene.pickEntries(view, painted.paintedAtNs).length,
  });
}
