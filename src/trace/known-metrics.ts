import { METRICS } from '../model/metric.ts';
import type { Metric, Weight } from '../model/metric.ts';
import type { TraceHeader } from './trace-reader.ts';

/** What a trace lacks. */
type Known = Pick<TraceHeader, 'unknown' | 'latency'>;

type Needed = Readonly<Record<Metric, TraceHeader['unknown']>>;

/** The fields that each metric requires. */
const NEEDED: Needed = {
  device: ['device'],
  queue: ['queue'],
  total: ['device', 'queue'],
  offset: ['sector'],
  'file-offset': [],
  size: ['bytes'],
  utilization: ['device'],
};

/** The same where the total latency is known alone. A disk is then busy from submission to completion. */
const NEEDED_OF_TOTAL: Needed = { ...NEEDED, total: [], utilization: [] };

/** Whether a trace has no value of the metric. */
export function lacksMetric(metric: Metric, { unknown, latency }: Known): boolean {
  if (latency !== 'total') return NEEDED[metric].some((field) => unknown.includes(field));
  const isPart = metric === 'device' || metric === 'queue';
  return isPart || NEEDED_OF_TOTAL[metric].some((field) => unknown.includes(field));
}

/** Whether a trace has no value by which I/O is weighted. */
export function lacksWeight(weight: Weight, { unknown, latency }: Known): boolean {
  if (weight === 'count') return false;
  if (weight === 'bytes') return unknown.includes('bytes');
  return latency !== 'total' && unknown.includes('device') && unknown.includes('queue');
}

/** The metric that is meant by default, or else the first one that the trace has. */
export function knownMetric(byDefault: Metric, known: Known): Metric {
  return lacksMetric(byDefault, known) ? (firstKnownMetric(known) ?? byDefault) : byDefault;
}

/** The first metric that the trace has. */
export function firstKnownMetric(known: Known): Metric | undefined {
  return METRICS.find((metric) => !lacksMetric(metric, known));
}
