import { hasQueue } from '../model/layer.ts';
import { hasLanes, hasStack, isPlace } from '../model/metric.ts';
import type { Metric } from '../model/metric.ts';
import { metricsOf } from '../view/reduce/layout.ts';
import type { Settings } from '../view/settings.ts';
import { DEFAULT_VIEW } from '../view/state.ts';

/**
 * Why options of the picture contradict each other; undefined if they do not. In a picture that no key can change
 * (`isFinal`), an option without effect is an error, too.
 */
export function checkViewOptions(said: Settings, isFinal: boolean): string | undefined {
  const unshown = metricProblem(said);
  if (unshown !== undefined || !isFinal) return unshown;
  const { layout = DEFAULT_VIEW.layout, metric = DEFAULT_VIEW.metric } = said;
  if (hasLanes(layout)) return idleOnLanes(said, layout);
  if (said.scale === 'log' && isAlwaysLinear(metric))
    return `--scale log: ${metric} is always linear`;
  // Above or below it, a stack has maps of other metrics.
  return hasStack(layout) ? undefined : idleOn(metric, said);
}

/** Such an axis has a place for every value; utilization is of disks, and not the sum of what I/Os add. */
function idleOn(metric: Metric, { outlierCut, weight }: Settings): string | undefined {
  if (!isAlwaysLinear(metric)) return undefined;
  if (outlierCut !== undefined) return `--outliers: no effect on ${metric}, which has no outliers`;
  if (weight === undefined || metric !== 'utilization') return undefined;
  return '--weight: no effect on utilization, which counts disks';
}

/** Both were typed, so that neither may give way to the other. */
function metricProblem({ metric, layout, layer }: Settings): string | undefined {
  if (metric === undefined) return undefined;
  const shown = { layout: layout ?? DEFAULT_VIEW.layout, layer: layer ?? DEFAULT_VIEW.layer };
  if (metricsOf(shown).includes(metric)) return undefined;
  if (!hasQueue(shown.layer) && (metric === 'queue' || metric === 'device'))
    return `--metric ${metric}: ${shown.layer} have no queue of their own; choose total`;
  const others = metricsOf(shown).join(', ');
  return `--metric ${metric}: not in the layout ${shown.layout}, which shows ${others}`;
}

/** Lanes have a figure per cell instead of an axis. */
function idleOnLanes({ scale, outlierCut, weight }: Settings, layout: string): string | undefined {
  const given = { scale, outliers: outlierCut, weight };
  const [idle] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  return idle && `--${idle}: no effect in the layout ${layout}, which has no y axis`;
}

function isAlwaysLinear(metric: Metric): boolean {
  return isPlace(metric) || metric === 'utilization';
}
