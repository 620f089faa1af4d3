import type { Metric } from '../../model/metric.ts';
import type { RowFormat } from '../formats.ts';
import { createBiosnoopEncoder } from './biosnoop.ts';
import { createCsvEncoder } from './csv.ts';
import type { RowContext } from './event-row.ts';
import { createNdjsonEncoder } from './ndjson.ts';
import type { RowEncoder } from './row-encoder.ts';
import { createTrace2heatmapEncoder } from './trace2heatmap.ts';

/**
 * `metric`: what trace2heatmap shows. Parquet is loaded when needed, and encodes `rowsPerGroup` rows at a time:
 * smaller groups make larger files.
 */
export async function createEncoder(
  format: RowFormat,
  context: RowContext,
  metric: Metric,
  rowsPerGroup?: number,
): Promise<RowEncoder> {
  switch (format) {
    case 'csv':
      return createCsvEncoder(context);
    case 'ndjson':
      return createNdjsonEncoder(context);
    case 'biosnoop':
      return createBiosnoopEncoder(context);
    case 'trace2heatmap':
      return createTrace2heatmapEncoder(context, metric);
    case 'parquet':
      return (await import('./parquet.ts')).createParquetEncoder(context, rowsPerGroup);
  }
}
