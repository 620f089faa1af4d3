import { METRICS } from '../model/metric.ts';
import type { Metric } from '../model/metric.ts';
import type { TraceField } from './trace-reader.ts';

/** The fields that each metric requires. */
const NEEDED: Readonly<Record<Metric, readonly TraceField[]>> = {
  device: ['device'],
  queue: ['queue'],
  total: ['device', 'queue'],
  offset: ['sector'],
  'file-offset': [],
  size: ['bytes'],
  utilization: ['device'],
};

/** Whether a trace that lacks these fields has no value of the metric. */
export function lacksMetric(metric: Metric, unknown: readonly TraceField[]): boolean {
  return NEEDED[metric].some((field) => unknown.includes(field));
}

/** The metric that is meant by default, or else the first one that a trace without these fields has. */
export function knownMetric(byDefault: Metric, unknown: readonly TraceField[]): Metric {
  if (!lacksMetric(byDefault, unknown)) return byDefault;
  return firstKnownMetric(unknown) ?? byDefault;
}

/** The first metric that a trace without these fields has. */
export function firstKnownMetric(unknown: readonly TraceField[]): Metric | undefined {
  return METRICS.find((metric) => !lacksMetric(metric, unknown));
}
