import { formatDuration, formatRate } from '../base/format.ts';
import { NS_PER_SECOND } from '../base/time.ts';
import { mapQuantile } from '../heatmap/time/map-quantile.ts';
import type { PaneCanvas } from './pane-canvas.ts';

/** How many I/Os of a map of latencies there were and how slow, over its whole time: `1.2k/s`, `p99 2ms`. */
export function mapFigures({ picture, totals }: Pick<PaneCanvas, 'picture' | 'totals'>): string[] {
  const { map, observedNs } = picture;
  if (totals.all === 0 || observedNs === 0) return [];
  const rate = `${formatRate((totals.all * NS_PER_SECOND) / observedNs)}/s`;
  const p99Ns = mapQuantile(map, totals, 0.99);
  if (p99Ns === undefined) return [rate];
  return [rate, `p99 ${formatDuration(p99Ns)}`, `max ${formatDuration(totals.max)}`];
}
