import { describe, expect, it } from 'vitest';
import { createLinearScale } from '../../../src/heatmap/axis/linear-scale.ts';
import { binRows } from '../../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import { notableCell } from '../../../src/heatmap/cells/notable-cell.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import type { Metric } from '../../../src/model/metric.ts';

/** Ten columns of a second, ten bins of 10 ns or bytes; `ios` are [second, value]. */
function mapOf(metric: Metric, ios: readonly (readonly [number, number])[]): Heatmap {
  const scale = createLinearScale({ low: 0, high: 100 }, 10);
  const map = new Heatmap({ metric, scale, columns: 10, columnNs: 1e9, startNs: 0 });
  const rows = createColumns(ios.length);
  ios.forEach(([second, value], row) => {
    rows.completeNs[row] = second * 1e9;
    rows.deviceNs[row] = value;
    rows.queueNs[row] = 0;
    rows.bytes[row] = value;
  });
  rows.length = ios.length;
  binRows(map, rows, 0, rows.length);
  return map;
}

describe('notableCell', () => {
  it('the notable cell of a latency map is its slowest I/O, the newest of equals', () => {
    const map = mapOf('device', [
      [1, 55],
      [3, 95],
      [3, 5],
      [6, 95],
      [8, 15],
    ]);
    expect(notableCell(map)).toEqual({ column: 6, bin: 9 });
  });

  it('the notable cell is in the outlier row when the slowest I/O is off the axis', () => {
    const map = mapOf('device', [
      [1, 55],
      [2, 5000],
    ]);
    expect(notableCell(map)).toEqual({ column: 2, bin: 10 });
  });

  it('the notable cell of a size map is its fullest pixel', () => {
    const map = mapOf('size', [
      [1, 95],
      [4, 25],
      [4, 26],
    ]);
    expect(notableCell(map)).toEqual({ column: 4, bin: 2 });
  });

  it('an empty map has no notable cell', () => {
    expect(notableCell(mapOf('total', []))).toBeUndefined();
    expect(notableCell(mapOf('size', []))).toBeUndefined();
  });
});
