import { describe, expect, it } from 'vitest';
import { DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { Heatmap } from '../../src/heatmap/time/heatmap.ts';
import { totalsOf } from '../../src/heatmap/time/totals.ts';
import { drawPane } from '../../src/raster/draw-pane.ts';
import { nothingIn } from '../../src/raster/empty-text.ts';
import { createColorScale } from '../../src/raster/color-scale.ts';
import { paletteOf } from '../../src/raster/palette.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import { CLOCK_BASE, COLOR, draw, glyphAt, pixelAt } from './fixtures.ts';
import type { Scenery } from './fixtures.ts';

function textOf({ block }: Scenery, y: number): string {
  return Array.from({ length: block.width }, (_, x) => glyphAt(block, x, y)).join('');
}

describe('pane', () => {
  it('every pixel has the colour of its count, and only empty pixels have the default colour', () => {
    const scene = draw({ pattern: 'mixed', seconds: 60, width: 100, height: 30 });
    const { live, layout, block } = scene;
    const { colors } = paletteOf('spectrum');
    const scale = createColorScale('log', colors.length, live.ceiling);
    for (let column = 0; column < live.map.columns; column++) {
      for (let bin = 0; bin < live.map.bins; bin++) {
        const y = layout.map.y + layout.map.height - 1 - (bin >> 1);
        const half = bin % 2 === 0 ? 'lower' : 'upper';
        const level = scale.levelOf(live.map.count(column, bin));
        const color = level === 0 ? DEFAULT_COLOR : colors[level - 1];
        expect(pixelAt(block, layout.map.x + column, y, half)).toBe(color);
      }
    }
  });

  it('scrolling by a column draws it one cell further left, and the rest as before', () => {
    const scene = { pattern: 'two-bands', seconds: 90, width: 80, height: 20 } as const;
    const { live, layout } = draw(scene);
    const options = { style: COLOR, clockBase: CLOCK_BASE, frozenAtNs: 60e9 };
    live.update(60e9);
    const before = drawPane(live, layout, options);
    live.update(61e9);
    const after = drawPane(live, layout, options);
    const { x, y, width, height } = layout.map;
    for (let row = y; row < y + height; row++) {
      for (let at = x; at < x + width - 1; at++) {
        const from = row * 80 + at + 1;
        const to = row * 80 + at;
        expect(after.glyph[to]).toBe(before.glyph[from]);
        expect(after.fg[to]).toBe(before.fg[from]);
        expect(after.bg[to]).toBe(before.bg[from]);
      }
    }
  });

  it('a picture that is partly counted says how much, and not that there is no I/O', () => {
    const { live, layout } = draw({ pattern: 'two-bands', seconds: 90, width: 80, height: 20 });
    const options = { style: COLOR, clockBase: CLOCK_BASE, frozenAtNs: undefined };
    const { map, colorRange, observedNs } = live;
    const screenOf = (shown: Heatmap, countedShare: number): string => {
      const block = drawPane({ map: shown, colorRange, observedNs, countedShare }, layout, options);
      return String.fromCodePoint(...block.glyph);
    };
    expect(screenOf(map, 0.4)).toContain('loading 40%');
    expect(screenOf(map, 1)).not.toContain('counted');
    const { metric, scale, columns, columnNs, startNs } = map;
    const empty = new Heatmap({ metric, scale, columns, columnNs, startNs });
    expect(screenOf(empty, 0.4)).not.toContain('no I/O');
    expect(screenOf(empty, 1)).toContain('no I/O');
  });

  it('the average rates next to the axis add up to the overall average', () => {
    const scene = draw({ pattern: 'two-bands', seconds: 90, width: 80, height: 22 });
    const rates = Array.from({ length: 21 }, (_, y) => textOf(scene, y).slice(0, 7))
      .map((text) => /([\d.]+)(k?)\/s/.exec(text))
      .flatMap((match) =>
        match === null ? [] : [Number(match[1]) * (match[2] === 'k' ? 1e3 : 1)],
      );
    const all = rates.pop()!;
    const { live } = scene;
    expect(all).toBe(Math.round((totalsOf(live.map).all / live.observedNs) * 1e7) * 100);
    expect(Math.abs(rates.reduce((a, b) => a + b, 0) - all)).toBeLessThan(0.02 * all);
  });

  it('the picture says how much is off the axis and the largest value', () => {
    const scene = draw({
      pattern: 'shouting',
      seconds: 70,
      width: 120,
      height: 16,
      spec: { outlierCut: 0.01 },
    });
    const { above, max } = totalsOf(scene.live.map);
    const text = textOf(scene, 15);
    expect(text).toContain(`${above} above 3ms`);
    expect(text).toContain(`max ${(max! / 1e9).toFixed(1)}s`);
    const marks = Array.from(textOf(scene, 0).slice(14)).filter((glyph) => glyph === '▀').length;
    const columns = Array.from({ length: scene.live.map.columns }, (_, c) =>
      scene.live.map.aboveCount(c),
    );
    expect(marks).toBe(columns.filter((count) => count > 0).length);
  });

  it('a frozen picture has the time at its right edge, a live one says now', () => {
    const scene = { pattern: 'mixed', seconds: 20, width: 80, height: 12 } as const;
    expect(textOf(draw(scene), 10)).toMatch(/ now$/);
    expect(textOf(draw({ ...scene, frozenAtNs: 19e9 }), 10)).toMatch(/ 14:02:30$/);
  });

  it('a picture without I/O says so', () => {
    const scene = draw({ pattern: 'mixed', seconds: 0, width: 80, height: 12 });
    expect(textOf(scene, 5)).toContain('no I/O in this picture');
  });

  it('a picture of I/O without offsets in files says so, and has no axis of invented offsets', () => {
    const spec = { metric: 'file-offset' } as const;
    const scene = draw({ pattern: 'mixed', seconds: 20, width: 80, height: 12, spec });
    expect(textOf(scene, 5)).toContain('no I/O in this picture has a known offset in a file');
    const { axis, outlierRow } = scene.layout;
    const rows = [outlierRow!, ...Array.from({ length: axis.height }, (_, row) => axis.y + row)];
    const labels = rows.map((y) => textOf(scene, y).slice(axis.x, axis.x + axis.width));
    expect(labels.join('')).toMatch(/^[ │]+$/);
  });

  it('a picture without I/O under a filter blames the filter', () => {
    expect(nothingIn('disks', true)).toBe('no I/O in this picture matches the filter');
    expect(nothingIn('waits', true)).toBe('no waits in this picture match the filter');
  });

  it('the picture fits into every size of terminal', () => {
    for (const [width, height] of [
      [40, 5],
      [41, 6],
      [64, 12],
      [80, 24],
      [500, 200],
    ] as const) {
      for (const metric of ['device', 'size', 'offset', 'utilization'] as const) {
        const { block } = draw({ pattern: 'mixed', seconds: 3, width, height, spec: { metric } });
        expect([block.width, block.height]).toEqual([width, height]);
      }
    }
  });

  it('the legend of utilization counts disks, up to as many as there are', () => {
    const spec = { metric: 'utilization' } as const;
    const disksOf = (disks: { dev: number }[]): string => {
      const scene = draw({
        ...{ pattern: 'two-bands', seconds: 20, width: 80, height: 13 },
        spec: { ...spec, disks },
      });
      return textOf(scene, scene.layout.legendRow!).trim();
    };
    expect(disksOf([{ dev: 1 }])).toBe('█1 disks per pixel');
    expect(disksOf([{ dev: 1 }, { dev: 2 }, { dev: 3 }])).toBe('█1 █2 █3 disks per pixel');
  });

  it('drawing a map of another size than the layout throws', () => {
    const { live } = draw({ pattern: 'mixed', seconds: 1, width: 80, height: 12 });
    const options = { style: COLOR, clockBase: CLOCK_BASE, frozenAtNs: undefined };
    expect(() => drawPane(live, layoutPane(81, 12, COLOR), options)).toThrow('65 columns');
  });

  it('the picture uses only ASCII where there is nothing else', () => {
    for (const color of [true, false]) {
      const style = { palette: 'spectrum', unicode: false, color } as const;
      const { block } = draw({ pattern: 'mixed', seconds: 30, width: 100, height: 20, style });
      for (const glyph of block.glyph) expect(glyph).toBeLessThan(0x7f);
      if (!color) expect(Math.max(...block.fg, ...block.bg)).toBe(DEFAULT_COLOR);
    }
  });
});

describe('the newest column', () => {
  const scene = { pattern: 'two-bands', seconds: 90.5, width: 80, height: 20 } as const;

  function newestColors(style = COLOR, frozenAtNs?: number): Set<number> {
    const { live, layout } = draw(scene);
    const block = drawPane(live, layout, { style, clockBase: CLOCK_BASE, frozenAtNs });
    const { x, y, width, height } = layout.map;
    const colors = new Set<number>();
    for (let row = y; row < y + height; row++)
      for (const half of ['upper', 'lower'] as const)
        colors.add(pixelAt(block, x + width - 1, row, half));
    colors.delete(DEFAULT_COLOR);
    return colors;
  }

  it('the newest column has none of the colours of the legend while it fills', () => {
    for (const background of ['dark', 'light', 'unknown'] as const) {
      const { colors } = paletteOf('spectrum', '256', background);
      const shown = newestColors({ ...COLOR, background });
      expect(shown.size).toBeGreaterThan(3);
      expect(colors.filter((color) => shown.has(color))).toEqual([]);
    }
  });

  it('the newest column has only colours of the legend when the picture is frozen', () => {
    const { colors } = paletteOf('spectrum');
    const shown = [...newestColors(COLOR, 90.5e9)];
    expect(shown.length).toBeGreaterThan(3);
    for (const color of shown) expect(colors).toContain(color);
  });
});
