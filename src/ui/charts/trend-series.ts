import { formatDuration, formatRate } from '../../base/format.ts';
import type { Trend } from '../../model/trend.ts';
import { megabytes } from '../text/figures.ts';
import type { Series } from './contrib/line-chart.ts';

/** The name of a line or of a part of a bar, with its latest value. */
export interface Named extends Series {
  readonly name: string;
  readonly format: (value: number | undefined) => string;
}

export function iopsSeries(trend: Trend): Named[] {
  const { reads, writes, undivided } = trend;
  return byOperation(trend, [reads, writes, undivided], ['reads', 'writes'], formatRate);
}

export function throughputSeries(trend: Trend): Named[] {
  const { readBytes, writtenBytes, undividedBytes } = trend;
  const format = (value: number | undefined): string => megabytes(value ?? NaN);
  return byOperation(trend, [readBytes, writtenBytes, undividedBytes], ['read', 'written'], format);
}

/** The series of latencies, the largest first, so that it does not hide the others. */
export function latencySeries({ p50Ns, p99Ns, maxNs }: Trend): Named[] {
  return [
    { pen: 'max', name: 'max', values: maxNs, format: formatDuration },
    { pen: 'p99', name: 'p99', values: p99Ns, format: formatDuration },
    { pen: 'p50', name: 'p50', values: p50Ns, format: formatDuration },
  ];
}

export function inFlightSeries(trend: Trend): Named[] {
  const { readsInFlight, writesInFlight, undividedInFlight } = trend;
  return byOperation(
    trend,
    [readsInFlight, writesInFlight, undividedInFlight],
    ['reads', 'writes'],
    formatRate,
  );
}

/** Reads and writes. Where a log lacks operations, the I/O without one follows, and is alone if all of it is without. */
function byOperation(
  { reads, writes, undivided }: Trend,
  [read, written, rest]: readonly [Float64Array, Float64Array, Float64Array],
  [readName, writtenName]: readonly [string, string],
  format: Named['format'],
): Named[] {
  const known: Named[] = [
    { pen: 'read', name: readName, values: read, format },
    { pen: 'write', name: writtenName, values: written, format },
  ];
  if (!hasAny(undivided)) return known;
  if (!hasAny(reads) && !hasAny(writes))
    return [{ pen: 'read', name: 'all', values: rest, format }];
  return [...known, { pen: 'other', name: 'unknown', values: rest, format }];
}

function hasAny(values: Float64Array): boolean {
  return values.some((value) => value > 0);
}

/** The sum of several series, bucket by bucket. */
export function sumOf(series: readonly Series[]): Float64Array {
  const [first, ...more] = series.map(({ values }) => values);
  if (first === undefined) return new Float64Array(0);
  return first.map((value, at) => more.reduce((sum, values) => sum + values[at]!, value));
}
