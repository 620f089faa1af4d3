import { formatDuration, formatRate } from '../../base/format.ts';
import type { Trend } from '../../model/trend.ts';
import { megabytes } from '../text/figures.ts';
import type { Series } from './contrib/line-chart.ts';

/** The name of a line or of a part of a bar, with its latest value. */
export interface Named extends Series {
  readonly name: string;
  readonly format: (value: number | undefined) => string;
}

export function iopsSeries({ reads, writes }: Trend): Named[] {
  return [
    { pen: 'read', name: 'reads', values: reads, format: formatRate },
    { pen: 'write', name: 'writes', values: writes, format: formatRate },
  ];
}

export function throughputSeries({ readBytes, writtenBytes }: Trend): Named[] {
  const format = (value: number | undefined): string => megabytes(value ?? NaN);
  return [
    { pen: 'read', name: 'read', values: readBytes, format },
    { pen: 'write', name: 'written', values: writtenBytes, format },
  ];
}

/** The series of latencies, the largest first, so that it does not hide the others. */
export function latencySeries({ p50Ns, p99Ns, maxNs }: Trend): Named[] {
  return [
    { pen: 'max', name: 'max', values: maxNs, format: formatDuration },
    { pen: 'p99', name: 'p99', values: p99Ns, format: formatDuration },
    { pen: 'p50', name: 'p50', values: p50Ns, format: formatDuration },
  ];
}

export function inFlightSeries({ readsInFlight, writesInFlight }: Trend): Named[] {
  return [
    { pen: 'read', name: 'reads', values: readsInFlight, format: formatRate },
    { pen: 'write', name: 'writes', values: writesInFlight, format: formatRate },
  ];
}

/** The sum of several series, bucket by bucket. */
export function sumOf(series: readonly Series[]): Float64Array {
  const [first, ...more] = series.map(({ values }) => values);
  if (first === undefined) return new Float64Array(0);
  return first.map((value, at) => more.reduce((sum, values) => sum + values[at]!, value));
}
