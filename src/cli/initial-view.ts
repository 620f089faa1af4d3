import { DEFAULT_VIEW } from '../view/view-state.ts';
import type { ViewState } from '../view/view-state.ts';
import type { Options } from './options.ts';

/** The view that the command line asks for. */
export function initialView(options: Options): ViewState {
  const { metric, scale, outlierCut, palette, intervalNs } = options;
  return { ...DEFAULT_VIEW, metric, scale, outlierCut, palette, intervalNs };
}
