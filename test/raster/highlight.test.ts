import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Attribute, DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import type { HeatmapSpec } from '../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { createHistory } from '../../src/history/history.ts';
import { PALETTES } from '../../src/model/metric.ts';
import { drawPane } from '../../src/raster/draw-pane.ts';
import { greyPen } from '../../src/raster/highlight-pens.ts';
import { penFor } from '../../src/raster/draw-pane.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import type { PaneStyle } from '../../src/raster/pane-style.ts';
import { columnsOf, createInfo, SDA, someKeys } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { parsed } from '../filter/fixtures.ts';
import { contentsOf, countPlainly } from '../heatmap/fixtures.ts';
import { CLOCK_BASE, COLOR, pixelAt } from './fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

const COLUMN_NS = 1e9;

function pictureOf(rows: readonly Row[], style: PaneStyle, changes: Partial<HeatmapSpec> = {}) {
  const layout = layoutPane(60, 16, style);
  const info = createInfo(someKeys());
  const history = createHistory({ info, budgetBytes: 2 ** 24 });
  const compiled = (text: string) => compileFilter(parsed(text), info.identities, info);
  const spec: HeatmapSpec = {
    metric: 'device',
    scale: 'log',
    outlierCut: 0.05,
    columnNs: COLUMN_NS,
    columns: layout.map.width,
    bins: layout.bins,
    filter: compiled(''),
    disks: [{ dev: SDA, sizeBytes: 2 ** 30 }],
    highlight: compiled('pid=1'),
    ...changes,
  };
  const live = new LiveHeatmap(history, spec);
  live.update(0);
  // Some of it before the picture is updated, some after.
  const half = Math.floor(rows.length / 2);
  for (const part of [rows.slice(0, half), rows.slice(half)]) {
    history.append(columnsOf(part));
    live.append(columnsOf(part));
    live.update(30e9);
  }
  const options = { style, clockBase: CLOCK_BASE, frozenAtNs: 30e9, highlightText: 'pid=1' };
  return { live, layout, block: drawPane(live, layout, options), options };
}

const anyRow: fc.Arbitrary<Row> = fc.record({
  completeNs: fc.integer({ min: 0, max: 30e9 }),
  deviceNs: fc.integer({ min: 1e4, max: 1e9 }).map(Math.fround),
  queueNs: fc.constant(0),
  sector: fc.nat(2 ** 20),
  bytes: fc.constant(4096),
  key: fc.nat(7),
});

const ROWS: Row[] = Array.from({ length: 400 }, (_, i) => ({
  completeNs: i * 70e6,
  deviceNs: 1e5 * (1 + (i % 40)),
  queueNs: 0,
  sector: i,
  bytes: 4096,
  key: i % 8,
}));

describe('a highlight', () => {
  it('a highlight counts exactly its own I/O, in the columns and bins of the whole picture', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 120 }), (rows) => {
        const { live } = pictureOf(rows, COLOR);
        const { map, highlight } = live;
        const own = rows.filter(({ key }) => key < 2);
        expect(highlight!.scale.domain).toEqual(map.scale.domain);
        expect(contentsOf(highlight!)).toEqual(countPlainly(map, own));
        expect(contentsOf(map)).toEqual(countPlainly(map, rows));
      }),
      { numRuns: 100 },
    );
  });

  it.each(PALETTES.filter((name) => name !== 'mono'))(
    'a highlight in %s keeps its pixels in colour, turns the others grey, and leaves empty ones empty',
    (palette) => {
      const { live, layout, block } = pictureOf(ROWS, { ...COLOR, palette });
      const pen = penFor(
        { ...COLOR, palette: palette === 'grey' ? 'heat' : palette },
        live.colorRange,
      );
      const greys = greyPen(pen, COLOR).colors;
      const seen = { colored: 0, grey: 0 };
      for (let column = 0; column < live.map.columns; column++)
        for (let bin = 0; bin < live.map.bins; bin++) {
          const y = layout.map.y + layout.map.height - 1 - (bin >> 1);
          const color = pixelAt(block, layout.map.x + column, y, bin % 2 === 0 ? 'lower' : 'upper');
          const own = live.highlight!.count(column, bin);
          const all = live.map.count(column, bin);
          if (own > 0) {
            expect(color).toBe(pen.colors[pen.scale.levelOf(own) - 1]);
            seen.colored++;
          } else if (all > 0) {
            expect(greys).toContain(color);
            expect(pen.colors).not.toContain(color);
            seen.grey++;
          } else expect(color).toBe(DEFAULT_COLOR);
        }
      expect(seen.colored).toBeGreaterThan(20);
      expect(seen.grey).toBeGreaterThan(20);
    },
  );

  it('a highlight without colours is bright among dim glyphs', () => {
    const { live, layout, block } = pictureOf(ROWS, { ...COLOR, palette: 'mono' });
    for (let column = 0; column < live.map.columns; column++)
      for (let bin = 0; bin < live.map.bins; bin++) {
        if (live.map.count(column, bin) === 0) continue;
        const y = layout.map.y + layout.map.height - 1 - bin;
        const attr = block.attr[y * block.width + layout.map.x + column];
        expect(attr).toBe(live.highlight!.count(column, bin) > 0 ? 0 : Attribute.dim);
      }
  });

  it('the legend says what is in colour', () => {
    const { block, layout } = pictureOf(ROWS, COLOR);
    const from = layout.legendRow! * block.width;
    const text = String.fromCodePoint(...block.glyph.subarray(from, from + block.width));
    expect(text).toContain('in colour pid=1, grey the rest');
  });

  it('a picture without a highlight has none', () => {
    const { live } = pictureOf(ROWS, COLOR, { highlight: undefined });
    expect(live.highlight).toBeUndefined();
  });
});
