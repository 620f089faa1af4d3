import type { MouseEvent } from '../../terminal/input-event.ts';
import type { PersonAction } from '../../view/action.ts';
import type { ViewState } from '../../view/state.ts';
import { placeTables } from '../tables/table-places.ts';
import type { FramePainter } from './frame-painter.ts';
import { hitTest, isPress } from './hit-test.ts';
import { edgeOf } from './scene.ts';
import type { Scene } from './scene.ts';

/** The last frame. */
type Painted = Pick<FramePainter, 'paintedAtNs' | 'keyAt' | 'singleAt' | 'inFlightAt'>;

/** The mouse of a terminal, whose reports of a drag do not have where it started. */
export class Pointer {
  private isDrawing = false;

  /** The actions of a mouse event on the screen as painted last. */
  actions(
    scene: Scene,
    event: MouseEvent,
    view: ViewState,
    painted: Painted,
  ): readonly PersonAction[] {
    const { report } = scene.reports;
    if (report === undefined) return [];
    const { layout } = scene;
    const actions = hitTest(event, {
      view,
      layout,
      isDrawing: this.isDrawing,
      pane: scene.picture(view, edgeOf(view, painted.paintedAtNs)).pointed,
      tables: placeTables(report, view, layout.tables.width),
      keyAt: painted.keyAt.bind(painted),
      singleAt: painted.singleAt.bind(painted),
      inFlightAt: painted.inFlightAt.bind(painted),
      pickLength: scene.pickEntries(view, painted.paintedAtNs).length,
    });
    if (isPress(event)) this.isDrawing = actions.some(({ type }) => type === 'pointAt');
    return actions;
  }
}
