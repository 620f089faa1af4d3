import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisOf, createScale } from '../../../src/heatmap/axis/axis.ts';
import type { HeatmapSpec } from '../../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { totalsOf } from '../../../src/heatmap/time/totals.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { METRICS, SCALE_KINDS } from '../../../src/model/metric.ts';
import { rowLabels } from '../../../src/raster/axis-labels.ts';
import { columnsOf, createInfo, keyOf, uniformSummary } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';
import { anyRow, contentsOf, countPlainly, ROW_METRICS } from '../fixtures.ts';

fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const SECOND = 1e9;
const BINS = 60;

const anyRange = fc
  .tuple(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true }))
  .map(([low, ratio]) => ({ low, high: low * 1.0001 ** (10 ** ratio) }));

function showing(rows: readonly Partial<Row>[], changes: Partial<HeatmapSpec>): LiveHeatmap {
  const info = createInfo([keyOf()]);
  const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
  history.append(columnsOf(rows));
  const live = new LiveHeatmap(history, specOf(info, changes));
  live.update(9 * SECOND);
  return live;
}

function specOf(info: ReturnType<typeof createInfo>, changes: Partial<HeatmapSpec>): HeatmapSpec {
  return {
    metric: 'device',
    scale: 'log',
    outlierCut: 0,
    columnNs: SECOND,
    columns: 10,
    bins: BINS,
    filter: compileFilter(NO_FILTER, info.identities, info),
    disks: [],
    ...changes,
  };
}

describe('y axis chosen by hand', () => {
  it('a zoomed y axis has the range asked for, or the nearest one that can be shown', () => {
    const domain = (low: number, high: number, scale: 'log' | 'linear' = 'log') =>
      showing([], { valueRange: { low, high }, scale }).map.scale.domain;
    expect(domain(123e3, 4.5e6)).toEqual({ low: 123e3, high: 4.5e6 });
    expect(domain(0, 1e6)).toEqual({ low: 100, high: 1e6 });
    expect(domain(0, 1e6, 'linear')).toEqual({ low: 0, high: 1e6 });
    const tiny = domain(1e6, 1e6);
    expect(tiny.high / tiny.low).toBeCloseTo(1.05, 9);
    expect(domain(1e6, 1e6, 'linear')).toEqual({ low: 999_500, high: 1_000_500 });
  });

  it('a zoomed y axis has ascending bin edges whatever the range', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...METRICS),
        fc.constantFrom(...SCALE_KINDS),
        anyRange,
        (metric, kind, range) => {
          const axis = axisOf(metric, kind);
          const { edges } = createScale(axis, axis.zoom(range), BINS);
          for (let i = 1; i < edges.length; i++) expect(edges[i]!).toBeGreaterThan(edges[i - 1]!);
        },
      ),
    );
  });

  it('a zoomed map counts values outside its axis above or below, as counting each I/O does', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 60 }),
        fc.constantFrom(...ROW_METRICS),
        fc.constantFrom(...SCALE_KINDS),
        anyRange,
        (all, metric, scale, valueRange) => {
          const rows = all.map((row) => ({
            ...row,
            deviceNs: Math.min(row.deviceNs, Math.fround(99e9)),
            completeNs: Math.abs(row.completeNs) % (9 * SECOND),
          }));
          const { map } = showing(rows, { metric, scale, valueRange });
          expect(contentsOf(map)).toEqual(countPlainly(map, rows));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('zooming the y axis and undoing it take effect at once', () => {
    const rows = [
      { completeNs: 1, deviceNs: 100e3 },
      { completeNs: 2, deviceNs: 2e9 },
    ];
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    history.append(columnsOf(rows));
    const spec = specOf(info, {});
    const live = new LiveHeatmap(history, spec);
    live.update(SECOND);
    const fitting = live.map.scale.domain;
    live.show({ ...spec, valueRange: { low: 90e3, high: 110e3 } });
    live.update(SECOND);
    expect(live.map.scale.domain).toEqual({ low: 90e3, high: 110e3 });
    expect(totalsOf(live.map)).toMatchObject({ above: 1, below: 0, all: 2 });
    live.show(spec);
    live.update(SECOND);
    expect(live.map.scale.domain).toEqual(fitting);
  });

  it('aggregates on a zoomed axis are distributed among the bins their values may lie in', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const row: Row = { completeNs: 1, deviceNs: 1e6, queueNs: 0, sector: 0, bytes: 4096, key: 0 };
    history.appendAggregate({ ...uniformSummary(1, 0, 6_000, row), maxDeviceNs: 0 });
    const valueRange = { low: 985e3, high: 1015e3 };
    const live = new LiveHeatmap(history, specOf(info, { scale: 'linear', valueRange }));
    live.update(SECOND);
    const { bins, above, below } = totalsOf(live.map);
    // The fine bin is 32.768 µs wide, from 983.04 µs on; the axis shows it but for its ends.
    const perBin = (6_000 * 30e3) / 32_768 / BINS;
    for (const count of bins) expect(Math.abs(count - perBin)).toBeLessThan(3);
    expect(bins.reduce((a, b) => a + b) + above + below).toBe(6_000);
    expect(below).toBeGreaterThan(0);
  });

  it('labels of a zoomed axis differ, and stand at their values', () => {
    const texts = (low: number, high: number, changes: Partial<HeatmapSpec> = {}) => {
      const { map } = showing([], { valueRange: { low, high }, ...changes });
      return rowLabels(map, 10).map(({ text }) => text);
    };
    expect(texts(1.1e6, 1.16e6)).toEqual(['1.10ms', '1.12ms', '1.14ms']);
    expect(texts(2e6, 3e6)).toEqual(['2ms', '2.5ms']);
    expect(texts(1.234e9, 1.238e9, { scale: 'linear' })).toEqual(['1.234s', '1.236s']);
    expect(texts(4096, 6000, { metric: 'size' })).toEqual(['4K', '5K']);
    const offsets = texts(2 ** 40, 2 ** 40 + 2 ** 20, { metric: 'offset' });
    expect(offsets).toEqual(['1T', '+512K']);
  });
});
