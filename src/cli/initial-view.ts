import { consistent } from '../view/reduce/layout.ts';
import type { Settings } from '../view/settings.ts';
import { DEFAULT_VIEW } from '../view/state.ts';
import type { ViewState } from '../view/state.ts';

/** The view to begin with: the command line goes before what was kept, and that before the defaults. */
export function initialView(said: Settings, kept: Settings = {}, notice?: string): ViewState {
  return consistent({ ...DEFAULT_VIEW, ...kept, ...said, notice });
}
