import { FIRST_WIDTH_NS } from '../../view/reduce/fit-interval.ts';
import { consistent, metricsOf } from '../../view/reduce/layout.ts';
import type { Options } from '../options/options.ts';
import type { Settings } from '../../view/settings.ts';
import { DEFAULT_VIEW } from '../../view/state.ts';
import type { ViewState } from '../../view/state.ts';

/**
 * The initial view: the command line overrides the best view of a demo, that the saved settings, and
 * those the defaults. Unless one of them has a width of columns, or a replay is to be watched, the
 * columns fit the trace.
 */
export function initialView(
  { view: said, at, speed }: Pick<Options, 'view' | 'at' | 'speed'>,
  kept: Settings = {},
  notice?: string,
): ViewState {
  const isWatched = at !== undefined || speed !== 1;
  const chosenNs = said.intervalNs ?? kept.intervalNs;
  const fitsInterval = !isWatched && chosenNs === undefined;
  const intervalNs = chosenNs ?? (fitsInterval ? FIRST_WIDTH_NS : DEFAULT_VIEW.intervalNs);
  const chosen = { ...DEFAULT_VIEW, ...givingWay(kept, said), ...said };
  return consistent({ ...chosen, fitsInterval, intervalNs, notice });
}

/** The layout and the layer of settings give way to a metric of the command line that they cannot show. */
function givingWay(kept: Settings, said: Settings): Settings {
  const { metric } = said;
  if (metric === undefined) return kept;
  const { layout, layer } = DEFAULT_VIEW;
  const canShow = (settings: Settings): boolean =>
    metricsOf({ layout, layer, ...settings, ...said }).includes(metric);
  return (
    [kept, { ...kept, layout }, { ...kept, layer }].find(canShow) ?? { ...kept, layout, layer }
  );
}
