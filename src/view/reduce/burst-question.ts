import { isLatency } from '../../model/metric.ts';
import type { Latency } from '../../model/metric.ts';
import type { ViewState } from '../state.ts';

/** The parameters of the search for bursts: columns as wide as those of the picture, and the latency last shown. */
export function burstOf({ metric, latency, intervalNs }: ViewState): {
  readonly latency: Latency;
  readonly columnNs: number;
} {
  return { latency: isLatency(metric) ? metric : latency, columnNs: intervalNs };
}
