import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heatmap } from '../../src/heatmap/time/heatmap.ts';
import { axisOf, createScale } from '../../src/heatmap/axis/axis.ts';
import { createLinearScale } from '../../src/heatmap/axis/linear-scale.ts';
import { createLogScale } from '../../src/heatmap/axis/log-scale.ts';
import { DiskShares } from '../../src/model/disk-shares.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { AxisValues } from '../../src/model/metric.ts';
import { rowLabels } from '../../src/raster/axis-labels.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import { toAscii } from '../../src/raster/put-text.ts';
import { rateRanges } from '../../src/raster/rate-ranges.ts';
import { distinctLabels } from '../../src/raster/distinct-labels.ts';
import { timeLabels } from '../../src/raster/time-labels.ts';
import { CLOCK_BASE, COLOR } from './fixtures.ts';

const SECOND = 1e9;
const SHARES = new DiskShares([{ dev: 1, name: 'sda', sizeBytes: 2 ** 40 }], new IdentityTable());
const rowsAndSpan = fc.tuple(
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 4, max: 16 }),
  fc.constantFrom('log' as const, 'linear' as const),
);

function mapOf(rows: number, span: number, kind: 'log' | 'linear'): Heatmap {
  const scale =
    kind === 'log'
      ? createLogScale({ low: 1e3, high: 10 ** (3 + span / 2) }, rows * 2)
      : createLinearScale({ low: 0, high: 10 ** (3 + span / 2) }, rows * 2);
  return new Heatmap({ metric: 'device', scale, columns: 1, columnNs: SECOND, startNs: 0 });
}

describe('labels of the y axis', () => {
  it('labels of the y axis are in the row in which their value is drawn', () => {
    fc.assert(
      fc.property(rowsAndSpan, ([rows, span, kind]) => {
        const map = mapOf(rows, span, kind);
        const most = Math.max(2, rows / 3);
        const ticks = [most, most + 1].flatMap((count) => map.scale.ticks(count));
        const rowsOfTicks = ticks.map((tick) => rows - 1 - Math.floor(map.scale.binOf(tick) / 2));
        for (const { row } of rowLabels(map, rows)) expect(rowsOfTicks).toContain(row);
      }),
    );
  });

  it.each([
    [1e6, 10e6, ['1ms', '2ms', '5ms']],
    [2.1e6, 9e6, ['4ms', '6ms', '8ms']],
    [10e3, 100e6, ['10µs', '100µs', '1ms', '10ms']],
    [100e3, 10e6, ['100µs', '300µs', '1ms', '3ms']],
  ])('a log axis from %d to %d ns has at least three labels on twelve rows', (low, high, texts) => {
    const scale = createLogScale({ low, high }, 24);
    const map = new Heatmap({ metric: 'total', scale, columns: 1, columnNs: SECOND, startNs: 0 });
    expect(rowLabels(map, 12).map(({ text }) => text)).toEqual(texts);
  });

  it('labels relative to the first have the digits in which they differ', () => {
    expect(distinctLabels('diskShare', [0.9985, 0.999, 0.9995, 1], 6)).toEqual([
      '99.85%',
      '+0.05%',
      '+0.10%',
      '+0.15%',
    ]);
    const offsets = [0, 15, 16, 17, 18].map((i) => 2.5 * 2 ** 40 + i * 2 ** 26);
    expect(distinctLabels('offset', offsets, 6)).toEqual([
      '2.5T',
      '+960M',
      '+1024M',
      '+1088M',
      '+1152M',
    ]);
  });

  it('labels of the narrowest axis differ, have room, and are relative to the right value', () => {
    const kinds = fc.constantFrom<AxisValues>('diskShare', 'offset', 'device', 'size');
    const places = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(kinds, places, fc.integer({ min: 3, max: 100 }), (values, place, rows) => {
        const most = { diskShare: 1, offset: 2 ** 44, device: 1e10, size: 2 ** 21 }[
          values as 'size'
        ];
        const axis = axisOf(values, 'linear');
        const domain = axis.zoom({ low: place * most, high: place * most });
        const scale = createScale(axis, domain, 2 * rows);
        const shares = values === 'diskShare' ? SHARES : undefined;
        const metric = values === 'diskShare' ? 'offset' : values;
        const shape = { metric, scale, shares, columns: 1, columnNs: SECOND, startNs: 0 } as const;
        const texts = rowLabels(new Heatmap(shape), rows).map(({ text }) => text);
        expect(new Set(texts).size).toBe(texts.length);
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(6);
        if (values !== 'diskShare') return;
        const first = Number.parseFloat(texts[0] ?? '0');
        expect(first / 100).toBeLessThanOrEqual(domain.high);
        expect(first / 100).toBeGreaterThan(domain.low - 1e-4);
      }),
      { numRuns: 300 },
    );
  });

  it('labels of the y axis never share a row, and ascend from bottom to top', () => {
    fc.assert(
      fc.property(rowsAndSpan, ([rows, span, kind]) => {
        const labels = rowLabels(mapOf(rows, span, kind), rows);
        labels.slice(1).forEach(({ row }, i) => {
          expect(row).toBeLessThan(labels[i]!.row);
        });
      }),
    );
  });

  it('rates between labels of the y axis cover every bin once, each in a row of its own', () => {
    fc.assert(
      fc.property(rowsAndSpan, ([rows, span, kind]) => {
        const map = mapOf(rows, span, kind);
        const ranges = rateRanges(rowLabels(map, rows), map.bins, rows);
        let end = 0;
        let above = rows;
        for (const { from, to, row } of ranges) {
          expect(from).toBe(end);
          expect(row).toBeGreaterThanOrEqual(0);
          expect(row).toBeLessThan(above);
          end = to;
          above = row;
        }
        expect(end).toBe(map.bins);
      }),
    );
  });
});

describe('labels of the time axis', () => {
  const span = { startNs: 0, columns: 60, columnNs: SECOND };

  it('labels of the time axis are round times of day, over the column that contains them', () => {
    // The first column begins at 14:02:11.25, so 14:02:15 lies in the fourth after it.
    expect(timeLabels(span, CLOCK_BASE)).toEqual([
      { column: 3, text: '14:02:15' },
      { column: 18, text: '14:02:30' },
      { column: 33, text: '14:02:45' },
      { column: 48, text: '14:03:00' },
    ]);
  });

  it('labels of the time axis move one column to the left for each new column', () => {
    const before = timeLabels(span, CLOCK_BASE);
    const after = timeLabels({ ...span, startNs: SECOND }, CLOCK_BASE);
    expect(after).toEqual(before.map((label) => ({ ...label, column: label.column - 1 })));
  });

  it('labels of the time axis keep a distance that leaves room for their text, for every interval', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(100e6, 200e6, 500e6, 1e9, 2e9, 5e9, 10e9, 30e9, 60e9),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 300 }),
        (columnNs, start, columns) => {
          const labels = timeLabels({ startNs: start * columnNs, columns, columnNs }, CLOCK_BASE);
          labels.slice(1).forEach(({ column }, i) => {
            expect(column - labels[i]!.column).toBeGreaterThanOrEqual(11);
          });
          for (const { column } of labels) expect(column).toBeLessThan(columns);
        },
      ),
    );
  });

  it('labels of the time axis are dates that do not overlap where columns are hours or days wide', () => {
    const hour = 3600 * SECOND;
    const week = timeLabels({ startNs: 0, columns: 40, columnNs: 3 * hour }, CLOCK_BASE);
    expect(week).toEqual([
      { column: 11, text: '2026-03-04' },
      { column: 27, text: '2026-03-06' },
    ]);
    for (const columnNs of [2, 3, 4, 6, 8, 12, 24, 36, 48, 72, 120, 168].map((h) => h * hour)) {
      const labels = timeLabels({ startNs: 0, columns: 200, columnNs }, CLOCK_BASE);
      labels.slice(1).forEach(({ column, text }, i) => {
        expect(column - labels[i]!.column).toBeGreaterThan(text.length);
      });
    }
  });

  describe('where clocks change', () => {
    beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'));
    afterEach(() => vi.unstubAllEnvs());

    const from = (utcMs: number) => ({ monotonicNs: 0n, wallNs: BigInt(utcMs) * 1_000_000n });

    it('labels of the time axis after the change are in the new time', () => {
      const half = { startNs: 0, columns: 60, columnNs: 60 * SECOND };
      const spring = timeLabels(half, from(Date.UTC(2026, 2, 29, 0, 30)));
      expect(spring.map(({ text }) => text)).toEqual([
        '01:30:00',
        '01:45:00',
        '03:00:00',
        '03:15:00',
      ]);
      const autumn = timeLabels(half, from(Date.UTC(2026, 9, 25, 0, 30)));
      expect(autumn.map(({ text }) => text)).toEqual([
        '02:30:00',
        '02:45:00',
        '02:00:00',
        '02:15:00',
      ]);
    });

    it('dates are at the midnight of each side of the change', () => {
      const days = { startNs: 0, columns: 70, columnNs: 3600 * SECOND * 2 };
      const labels = timeLabels(days, from(Date.UTC(2026, 2, 27, 23)));
      expect(labels.slice(0, 4)).toEqual([
        { column: 0, text: '2026-03-28' },
        { column: 12, text: '2026-03-29' },
        { column: 23, text: '2026-03-30' },
        { column: 35, text: '2026-03-31' },
      ]);
    });
  });
});

describe('layout of the pane', () => {
  it('the pane layout gives every size a map that reaches the right edge and stays inside', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 500 }), fc.integer({ min: 5, max: 200 }), (w, h) => {
        const { map, bins, axis, scrolling, outlierRow, timeRow, legendRow } = layoutPane(
          w,
          h,
          COLOR,
        );
        expect(map.x + map.width).toBe(w);
        expect(axis.x + axis.width).toBe(map.x);
        expect(bins).toBe(map.height * 2);
        expect([outlierRow, map.y]).toEqual([0, 1]);
        expect([timeRow, legendRow]).toEqual([map.y + map.height, h - 1]);
        expect(scrolling).toEqual({ x: map.x, y: 0, width: map.width, height: h - 1 });
        expect(map.height).toBe(h - 3);
      }),
    );
  });

  it('the pane layout drops the rates before the map, and the legend before the time axis', () => {
    expect(layoutPane(63, 20, COLOR).panel).toBeUndefined();
    expect(layoutPane(64, 20, COLOR).panel).toBeDefined();
    const low = layoutPane(80, 4, COLOR);
    expect([low.legendRow, low.timeRow, low.outlierRow]).toEqual([undefined, 3, 0]);
    expect(layoutPane(80, 2, COLOR).map.height).toBe(2);
  });

  it('the pane layout has one bin per row where there are no half-blocks or no colours', () => {
    expect(layoutPane(80, 23, { unicode: false, color: true }).bins).toBe(20);
    expect(layoutPane(80, 23, { unicode: true, color: false }).bins).toBe(20);
  });
});

describe('text without UTF-8', () => {
  it('text changed to ASCII keeps its width and its meaning', () => {
    expect(toAscii('100µs┤ 14:00:00┘')).toBe("100us+ 14:00:00'");
  });
});
