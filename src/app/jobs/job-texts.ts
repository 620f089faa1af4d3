import { formatPercent } from '../../base/format.ts';
import { modeUnderPrompt } from '../../view/state.ts';
import type { ViewState } from '../../view/state.ts';

/** What is being done, how far it is, and the key that cancels it where that is what the key does. */
export function progressText(doing: string, share: number, view: ViewState): string {
  const isFirst = view.prompt === undefined && escapeCancels(view);
  return `${doing}: ${formatPercent(share)}${isFirst ? ', Esc cancels' : ''}`;
}

/** Why no second file is written; shown when its prompt is closed. */
export function busyText(view: ViewState): string {
  return `another file is being written${escapeCancels(view) ? '; Esc cancels it' : ''}`;
}

/** Outside of the main screen, Escape closes what is open; there, it ends a highlight first. */
function escapeCancels(view: ViewState): boolean {
  return modeUnderPrompt(view) === 'main' && view.highlight.kind === 'everything';
}
