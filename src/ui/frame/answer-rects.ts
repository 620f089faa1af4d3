import type { ViewState } from '../../view/state.ts';
import type { PlacedCells } from '../dialogs/dialog-state.ts';
import type { Rect, ScreenLayout } from '../layout-screen.ts';

/** Rows of a prompt: its keys and the line that is typed. */
const PROMPT_ROWS = 2;

/**
 * The areas where a key shows its effect, the most important first: over a slow link, they are sent before the picture
 * and the tables. `over` is what covers the picture now, a dialog or a notice; `before` is what did in the last frame.
 */
export function answerRects(
  { mode, prompt }: ViewState,
  { status, header, pane }: ScreenLayout,
  over: Rect | undefined,
  before: Rect | undefined,
): readonly Rect[] {
  const typed = prompt === undefined || over === undefined ? [] : [lastRows(over, PROMPT_ROWS)];
  const dialog = over === undefined ? [] : [over];
  const uncovered = over === undefined && before !== undefined ? [before] : [];
  const readOut = lastRows(pane, 1);
  const main = mode === 'cursor' ? [readOut, header] : [header, readOut];
  return [...typed, ...dialog, status, ...main, ...uncovered];
}

export function rectOf({ x, y, block: { width, height } }: PlacedCells): Rect {
  return { x, y, width, height };
}

function lastRows(rect: Rect, rows: number): Rect {
  const height = Math.min(rows, rect.height);
  return { ...rect, y: rect.y + rect.height - height, height };
}
