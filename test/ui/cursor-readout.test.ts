import { describe, expect, it } from 'vitest';
import { createCellBlock } from '../../src/base/cell-block.ts';
import { binRows } from '../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../src/heatmap/time/heatmap.ts';
import { createLogScale } from '../../src/heatmap/axis/log-scale.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
import type { Weight } from '../../src/model/metric.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import { drawReadout, readoutLine, readoutOf } from '../../src/ui/picture/cursor-readout.ts';
import type { CursorReadout } from '../../src/ui/picture/cursor-readout.ts';
import { lineText } from '../../src/ui/text/span.ts';
import { createTheme } from '../../src/ui/text/theme.ts';
import { valueRangeText } from '../../src/ui/text/value-range-text.ts';
import { glyphRows } from './cell-text.ts';
import { CLOCK_BASE } from './fixtures/chrome-state.ts';

const BINS = 8;
const COLUMNS = 4;
const READOUT: CursorReadout = {
  box: { metric: 'device', startNs: 0, endNs: 1e9, low: 1.2e6, high: 1.4e6 },
  count: 37,
  share: 0.012,
  bytes: 148e3,
  isBox: false,
};

/** Eight bins of half a decade each from 10 µs on, and 3 I/Os of 5 ms in the third second. */
function mapWithIo(weight: Weight = 'count'): Heatmap {
  const scale = createLogScale({ low: 10e3, high: 100e6 }, BINS, 'decimal');
  const map = new Heatmap({
    metric: 'device',
    weight,
    scale,
    columns: COLUMNS,
    columnNs: 1e9,
    startNs: 0,
  });
  const rows = createColumns(5);
  rows.completeNs.set([2.1e9, 2.2e9, 2.3e9, 2.4e9, 0.5e9]);
  rows.deviceNs.set([5e6, 5e6, 5e6, 900e6, 20e3]);
  rows.queueNs.fill(0);
  rows.bytes.fill(4096);
  rows.length = 5;
  binRows(map, rows, 0, rows.length);
  return map;
}

function text(readout: CursorReadout, width: number): string {
  return lineText(readoutLine(readout, CLOCK_BASE, width));
}

describe('the read-out of the cursor', () => {
  it("the cursor's read-out has time, value and count, as far as there is room", () => {
    expect([80, 63, 50, 40].map((width) => text(READOUT, width).trimEnd())).toEqual([
      '  CURSOR   14:02:11–14:02:12  1.2–1.4ms  37 I/Os (1.2%)  148 kB',
      '  CURSOR   14:02:11–14:02:12  1.2–1.4ms  37 I/Os (1.2%)',
      ' 14:02:11–14:02:12  1.2–1.4ms  37 I/Os (1.2%)',
      ' 14:02:11–14:02:12  1.2–1.4ms  37 I/Os',
    ]);
  });

  it('the read-out of a box says how long it is', () => {
    const box = { ...READOUT.box, endNs: 45e9 };
    expect(text({ ...READOUT, box, isBox: true }, 80)).toContain(' (45s)  ');
  });

  it("the cursor's read-out has exactly its width", () => {
    for (let width = 1; width < 120; width++) expect(text(READOUT, width)).toHaveLength(width);
  });

  it("the cursor's read-out counts what the picture shows under the cursor", () => {
    const map = mapWithIo();
    const bin = map.scale.binOf(5e6);
    expect(readoutOf(map, { column: 2, bin })).toMatchObject({ count: 3, share: 0.75 });
    expect(readoutOf(map, { column: 1, bin })).toMatchObject({ count: 0, share: 0 });
  });

  it("the cursor's read-out has the share of all I/O of its time, as the drill-down has", () => {
    const map = mapWithIo();
    const fsync = createColumns(1);
    fsync.completeNs.set([2.5e9]);
    fsync.deviceNs.fill(NaN);
    fsync.length = 1;
    binRows(map, fsync, 0, fsync.length);
    const bin = map.scale.binOf(5e6);
    expect(readoutOf(map, { column: 2, bin })).toMatchObject({ count: 3, share: 0.6 });
  });

  it('the read-out of a box adds up its cells, whichever corners it is given by', () => {
    const map = mapWithIo();
    const [a, b] = [
      { column: 3, bin: 0 },
      { column: 0, bin: BINS - 1 },
    ];
    expect(readoutOf(map, a, b)).toMatchObject({ count: 4, share: 0.8, isBox: true });
    expect(readoutOf(map, b, a)).toEqual(readoutOf(map, a, b));
  });

  it("the cursor's read-out counts what is off the axis when the cursor is in the outlier row", () => {
    const readout = readoutOf(mapWithIo(), { column: 2, bin: BINS });
    expect(readout).toMatchObject({ count: 1, share: 0.25 });
    expect(text(readout, 80)).toContain('above 100ms  1 I/O (25%)');
  });

  it('above a map that has become lower are its outliers, not what the next column has', () => {
    const map = mapWithIo();
    const outliers = readoutOf(map, { column: 1, bin: BINS });
    for (let bin = BINS; bin < 3 * BINS; bin++)
      expect(readoutOf(map, { column: 1, bin })).toEqual(outliers);
  });

  it("the cursor's read-out has the weight of the pixel where pixels are weighed", () => {
    const shown = (weight: Weight): string => {
      const map = mapWithIo(weight);
      return text(readoutOf(map, { column: 2, bin: map.scale.binOf(5e6) }), 80);
    };
    expect(shown('count')).toMatch(/3 I\/Os \(75%\) +$/);
    expect(shown('time')).toMatch(/3 I\/Os \(75%\) {2}waited 15ms +$/);
    expect(shown('bytes')).toMatch(/3 I\/Os \(75%\) {2}12 kB +$/);
  });

  it("the cursor's read-out counts disks where the picture does, and no disk twice", () => {
    const box = { ...READOUT.box, metric: 'utilization' as const, low: 0.9, high: 1 };
    const readout = { ...READOUT, box, count: 3, bytes: undefined };
    expect(text(readout, 80)).toMatch(/90–100% {2}3 disks +$/);
    expect(text({ ...readout, isBox: true }, 80)).not.toContain('3');
  });

  it("the cursor's read-out replaces the legend", () => {
    const layout = layoutPane(80, 12, { unicode: true, color: true });
    const block = createCellBlock(80, 12);
    block.glyph.fill(0x78);
    drawReadout(block, layout, readoutLine(READOUT, CLOCK_BASE, 80), createTheme(2));
    const rows = glyphRows(block);
    expect(rows[11]).toBe(text(READOUT, 80));
    expect(rows[10]).toMatch(/^x+$/);
  });
});

describe('an interval of values', () => {
  const shown = (low: number, high: number): string =>
    valueRangeText({ metric: 'device', low, high });

  it('an interval of values has as many digits as tell its ends apart', () => {
    expect(shown(1.2e6, 1.4e6)).toBe('1.2–1.4ms');
    expect(shown(1.23e6, 1.31e6)).toBe('1.23–1.31ms');
    expect(shown(980e3, 1.06e6)).toBe('0.98–1.06ms');
    expect(shown(0, 100)).toBe('0–100ns');
    expect(shown(10e6, 100e6)).toBe('10–100ms');
    expect(shown(118e3, 1.7e6)).toBe('118µs–1.7ms');
  });

  it('the lower end of an interval of values is not rounded to 0', () => {
    expect(shown(0.34e9, 3e9)).toBe('0.3–3s');
    expect(shown(0.24e9, 2.3e9)).toBe('0.2–2.3s');
    expect(shown(1.46e9, 3.6e9)).toBe('1.5–3.6s');
  });

  it('an interval of values has the units of the metric', () => {
    expect(valueRangeText({ metric: 'size', low: 4096, high: 8192 })).toBe('4–8K');
    expect(valueRangeText({ metric: 'offset', low: 2 ** 30, high: 1.5 * 2 ** 30 })).toBe('1–1.5G');
    expect(valueRangeText({ metric: 'utilization', low: 0.5, high: 0.55 })).toBe('50–55%');
  });

  it('an interval of values above the axis has no upper end', () => {
    expect(shown(100e6, Infinity)).toBe('above 100ms');
  });
});
