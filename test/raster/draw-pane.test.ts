import { describe, expect, it } from 'vitest';
import { DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { Heatmap } from '../../src/heatmap/time/heatmap.ts';
import { totalsOf } from '../../src/heatmap/time/totals.ts';
import { drawPane } from '../../src/raster/draw-pane.ts';
import { createLevelScale } from '../../src/raster/levels.ts';
import { paletteOf } from '../../src/raster/palette.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import { CLOCK_BASE, COLOR, draw, glyphAt, pixelAt } from './fixtures.ts';
import type { Scenery } from './fixtures.ts';

function textOf({ block }: Scenery, y: number): string {
  return Array.from({ length: block.width }, (_, x) => glyphAt(block, x, y)).join('');
}

describe('pane', () => {
  it('every pixel has the colour of its count, and none has the default colour but the empty ones', () => {
    const scene = draw({ pattern: 'mixed', seconds: 60, width: 100, height: 30 });
    const { live, layout, block } = scene;
    const { colors } = paletteOf('false');
    const levels = createLevelScale('log', colors.length, live.ceiling);
    for (let column = 0; column < live.map.columns; column++) {
      for (let bin = 0; bin < live.map.bins; bin++) {
        const y = layout.map.y + layout.map.height - 1 - (bin >> 1);
        const half = bin % 2 === 0 ? 'lower' : 'upper';
        const level = levels.levelOf(live.map.count(column, bin));
        const color = level === 0 ? DEFAULT_COLOR : colors[level - 1];
        expect(pixelAt(block, layout.map.x + column, y, half)).toBe(color);
      }
    }
  });

  it('draws what scrolled by a column one cell further left, and the rest as before', () => {
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

  it('says how much of it has been counted, and not that there is no I/O, while it is a part', () => {
    const { live, layout } = draw({ pattern: 'two-bands', seconds: 90, width: 80, height: 20 });
    const options = { style: COLOR, clockBase: CLOCK_BASE, frozenAtNs: undefined };
    const { map, colorRange, observedNs } = live;
    const screenOf = (shown: Heatmap, countedShare: number): string => {
      const block = drawPane({ map: shown, colorRange, observedNs, countedShare }, layout, options);
      return String.fromCodePoint(...block.glyph);
    };
    expect(screenOf(map, 0.4)).toContain('counted so far: 40%');
    expect(screenOf(map, 1)).not.toContain('counted');
    const { metric, scale, columns, columnNs, startNs } = map;
    const empty = new Heatmap({ metric, scale, columns, columnNs, startNs });
    expect(screenOf(empty, 0.4)).not.toContain('no I/O');
    expect(screenOf(empty, 1)).toContain('no I/O');
  });

  it('the average rates of the ranges add up to the average of all', () => {
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

  it('says how much was cut off and what the worst of it was', () => {
    const scene = draw({
      pattern: 'shouting',
      seconds: 70,
      width: 120,
      height: 16,
      spec: { outlierCut: 0.01 },
    });
    const { above, worst } = totalsOf(scene.live.map);
    const text = textOf(scene, 15);
    expect(text).toContain(`${above} above 3ms`);
    expect(text).toContain(`worst ${(worst! / 1e9).toFixed(1)}s`);
    const marks = Array.from(textOf(scene, 0).slice(14)).filter((glyph) => glyph === '▀').length;
    const columns = Array.from({ length: scene.live.map.columns }, (_, c) =>
      scene.live.map.aboveCount(c),
    );
    expect(marks).toBe(columns.filter((count) => count > 0).length);
  });

  it('a frozen picture shows the time at its right edge, a live one says now', () => {
    const scene = { pattern: 'mixed', seconds: 20, width: 80, height: 12 } as const;
    expect(textOf(draw(scene), 10)).toMatch(/ now$/);
    expect(textOf(draw({ ...scene, frozenAtNs: 19e9 }), 10)).toMatch(/ 14:02:30$/);
  });

  it('says so when there is nothing to show', () => {
    const scene = draw({ pattern: 'mixed', seconds: 0, width: 80, height: 12 });
    expect(textOf(scene, 5)).toContain('no I/O in this picture');
  });

  it('fits into every size of terminal', () => {
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

  it('counts disks in the legend of utilization up to as many as there are', () => {
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

  it('a map of another size than the layout is a bug', () => {
    const { live } = draw({ pattern: 'mixed', seconds: 1, width: 80, height: 12 });
    const options = { style: COLOR, clockBase: CLOCK_BASE, frozenAtNs: undefined };
    expect(() => drawPane(live, layoutPane(81, 12, COLOR), options)).toThrow('65 columns');
  });

  it('uses nothing but ASCII where there is nothing else', () => {
    for (const color of [true, false]) {
      const style = { palette: 'false', unicode: false, color } as const;
      const { block } = draw({ pattern: 'mixed', seconds: 30, width: 100, height: 20, style });
      for (const glyph of block.glyph) expect(glyph).toBeLessThan(0x7f);
      if (!color) expect(Math.max(...block.fg, ...block.bg)).toBe(DEFAULT_COLOR);
    }
  });
});
