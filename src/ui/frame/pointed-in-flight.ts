import type { SelectedRow } from '../../view/state.ts';
import { inFlightWindow, ioRowAt } from '../dialogs/list-window.ts';
import type { ScreenLayout } from '../layout-screen.ts';
import type { FrameState } from './frame-state.ts';

/** The row at line `y` of the screen in the list of I/Os in flight as it was painted. */
export function pointedInFlight(
  { view, inFlight }: Pick<FrameState, 'view' | 'inFlight'>,
  { pane }: ScreenLayout,
  y: number,
): SelectedRow | undefined {
  const rows = inFlight?.rows;
  if (rows === undefined) return undefined;
  const window = inFlightWindow(view.inFlightRow, rows, pane.height);
  const at = ioRowAt(window, rows.length, y - pane.y);
  return at && { id: rows[at.row]!.id, place: at.row, line: at.line };
}
