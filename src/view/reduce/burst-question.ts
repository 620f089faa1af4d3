import { isLatency } from '../../model/metric.ts';
import type { Latency } from '../../model/metric.ts';
import type { ViewState } from '../state.ts';

/** What is searched: columns as wide as those of the picture, by the latency last shown. */
export function burstOf({ metric, latency, intervalNs }: ViewState): {
  readonly latency: Latency;
  readonly columnNs: number;
} {
  return { latency: isLatency(metric) ? metric : latency, columnNs: intervalNs };
}
