import { actionOf } from '../../view/keys/find-binding.ts';
import { isSeeking, needsPlace } from '../../view/reduce/seeking.ts';
import type { MapCell, ViewState } from '../../view/state.ts';

/**
 * Keys that are typed while a search looks for the place of the cross-hair. They act on what is found: the first one
 * needs that place, and later ones may be meant for what it opens.
 */
export class TypeAhead {
  private keys: string[] = [];
  /** Where the cross-hair is put back when nothing is found. */
  private putBack: MapCell | undefined;

  /** Whether the key is kept for later. A key that ends the search drops those that were kept. */
  keep(view: ViewState, key: string): boolean {
    if (!isSeeking(view)) return false;
    const action = actionOf(view.mode, key);
    if (action?.type === 'run') return false;
    const isKept =
      this.keys.length > 0 ? action?.type !== 'close' : action !== undefined && needsPlace(action);
    if (!isKept) this.keys = [];
    else if (this.keys.push(key) === 1) this.putBack = placeBefore(view);
    return isKept;
  }

  /** Drops what was kept if the search has ended without an answer, as by a click, which chooses another place. */
  dropOverdue(view: ViewState): void {
    if (!isSeeking(view)) this.keys = [];
  }

  /** The keys that can act now; those that follow a search that found nothing are dropped. */
  take(view: ViewState): readonly string[] {
    if (this.keys.length === 0 || isSeeking(view)) return [];
    const { keys, putBack } = this;
    this.keys = [];
    const isFound = view.mode === 'cursor' && view.cursor !== undefined && view.cursor !== putBack;
    return isFound ? keys : [];
  }
}

function placeBefore({ seeks }: ViewState): MapCell | undefined {
  return seeks?.kind === 'bursts' ? seeks.before.cursor : undefined;
}
