import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binRows } from '../../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import { colorRange } from '../../../src/heatmap/axis/color-range.ts';
import type { HeatmapSpec } from '../../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { WEIGHTS } from '../../../src/model/metric.ts';
import type { Weight } from '../../../src/model/metric.ts';
import { columnsOf, createInfo, keyOf, uniformSummary } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';
import { anyRow, contentsOf, ROW_METRICS, shapeOf, valueOf } from '../fixtures.ts';

fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const SECOND = 1e9;

function weightOfRow(weight: Weight, row: Row): number {
  if (weight === 'count') return 1;
  if (weight === 'bytes') return row.bytes;
  const known = [row.deviceNs, row.queueNs].filter(Number.isFinite);
  return known.reduce((a, b) => a + b, 0);
}

function liveOf(history: History, changes: Partial<HeatmapSpec>): LiveHeatmap {
  const info = createInfo([keyOf()]);
  const live = new LiveHeatmap(history, {
    metric: 'device',
    scale: 'log',
    outlierCut: 0,
    columnNs: SECOND,
    columns: 70,
    bins: 40,
    filter: compileFilter(NO_FILTER, info.identities, info),
    disks: [],
    ...changes,
  });
  live.update(60 * SECOND);
  return live;
}

function allWeight(map: Heatmap): number {
  return Array.from(map.pixels).reduce((a, b) => a + b, 0);
}

describe('weight of a pixel', () => {
  it('the weight of a pixel is the sum over its I/Os of one, the time waited or the bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ROW_METRICS),
        fc.constantFrom(...WEIGHTS),
        fc.array(anyRow, { maxLength: 60 }),
        (metric, weight, rows) => {
          const shape = shapeOf(metric, 'log', 12);
          const map = new Heatmap({ ...shape, weight });
          binRows(map, columnsOf(rows), 0, rows.length);
          for (let column = 0; column < map.columns; column++) {
            const from = map.startNs + column * map.columnNs;
            for (let bin = -1; bin <= map.bins; bin++) {
              const inside = rows.filter((row) => {
                const value = valueOf(metric, row);
                const isInTime = row.completeNs >= from && row.completeNs < from + map.columnNs;
                return isInTime && value !== undefined && map.scale.binOf(value) === bin;
              });
              const sum = inside.reduce((total, row) => total + weightOfRow(weight, row), 0);
              expect(map.pixels[map.indexOf(column) + bin]).toBe(sum);
            }
          }
        },
      ),
    );
  });

  it('changing the weight does not change the counts', () => {
    const rows = fc.sample(anyRow, { numRuns: 500, seed: 3 });
    const counted = WEIGHTS.map((weight) => {
      const map = new Heatmap({ ...shapeOf('device', 'log', 12), weight });
      binRows(map, columnsOf(rows), 0, rows.length);
      return contentsOf(map);
    });
    expect(counted[1]).toEqual(counted[0]);
    expect(counted[2]).toEqual(counted[0]);
  });

  it('the weight of a pixel leaves the map with its column', () => {
    const map = new Heatmap({ ...shapeOf('device', 'log', 12), weight: 'bytes' });
    binRows(map, columnsOf([{ completeNs: map.startNs, deviceNs: 1e6 }]), 0, 1);
    expect(allWeight(map)).toBe(4096);
    map.scrollTo(map.startNs + map.columnNs);
    expect(allWeight(map)).toBe(0);
  });

  it('weights of aggregates add up to the totals of the history', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES, detailRows: 1 });
    let [waitedNs, bytes] = [0, 0];
    for (let second = 0; second < 60; second++) {
      const rows = Array.from({ length: 200 }, (_, i) => ({
        completeNs: second * SECOND + i * 1e6,
        deviceNs: 50e3 + 10e3 * (i % 17),
        queueNs: 1e3 * (i % 5),
        bytes: 4096 * (1 + (i % 7)),
      }));
      for (const row of rows) waitedNs += row.deviceNs + row.queueNs;
      for (const row of rows) bytes += row.bytes;
      history.append(columnsOf(rows));
    }
    for (const metric of ROW_METRICS) {
      for (const columnNs of [100e6, SECOND, 5 * SECOND]) {
        const weighed = (weight: Weight) =>
          allWeight(liveOf(history, { metric, weight, columnNs, columns: 700 }).map);
        expect(weighed('time') / waitedNs).toBeCloseTo(1, 4);
        expect(weighed('bytes') / bytes).toBeCloseTo(1, 4);
      }
    }
  });

  it('a few slow aggregated I/Os have the weight of the time that they took', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const row: Row = { completeNs: 1, deviceNs: 0, queueNs: 0, sector: 0, bytes: 4096, key: 0 };
    const summary = uniformSummary(59 * SECOND, 0, 990, { ...row, deviceNs: 100e3 });
    const slow = uniformSummary(59 * SECOND, 0, 10, { ...row, deviceNs: 1e9 });
    summary.device.forEach((count, bin) => (summary.device[bin] = count + slow.device[bin]!));
    history.appendAggregate({
      ...summary,
      count: 1000,
      bytes: 1000 * 4096,
      deviceNsSum: summary.deviceNsSum + slow.deviceNsSum,
    });
    const { map } = liveOf(history, { weight: 'time' });
    const base = map.indexOf(68);
    const weights = Array.from({ length: map.bins }, (_, bin) => map.pixels[base + bin]!);
    expect(Math.max(...weights) / 10e9).toBeCloseTo(1, 1);
    expect(weights.indexOf(Math.max(...weights))).toBe(map.scale.binOf(1e9));
  });

  it.each(['total', 'device'] as const)(
    'aggregated I/O that was never issued gives its queue time to no pixel of %s latency',
    (metric) => {
      const info = createInfo([keyOf()]);
      const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES, detailRows: 1 });
      const rows = Array.from({ length: 6000 }, (_, i) => ({
        completeNs: i * 1e7,
        deviceNs: i % 10 === 0 ? NaN : 100e3,
        queueNs: i % 10 === 0 ? 50e6 : 10e3,
      }));
      history.append(columnsOf(rows));
      const { map } = liveOf(history, { metric, weight: 'time' });
      expect(allWeight(map) / (5400 * 110e3)).toBeCloseTo(1, 1);
    },
  );
});

describe('range of colours', () => {
  it('the range of colours starts and ends at round weights, at most five decades apart', () => {
    expect(colorRange('count', { low: 1, high: 77 })).toEqual({ low: 1, high: 100 });
    expect(colorRange('time', { low: 2e6, high: 29e9 })).toEqual({ low: 3e6, high: 30e9 });
    expect(colorRange('time', { low: 100, high: 29e9 })).toEqual({ low: 300e3, high: 30e9 });
    expect(colorRange('bytes', { low: 512, high: 1e6 })).toEqual({ low: 1024, high: 2 ** 20 });
  });

  it('the range of colours has room for all colours even where every pixel weighs the same', () => {
    const { low, high } = colorRange('time', { low: 5e6, high: 5e6 });
    expect(high / low).toBeGreaterThanOrEqual(10);
  });
});
