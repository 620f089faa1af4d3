import type { CellBlock } from '../../src/base/cell-block.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import type { HeatmapSpec } from '../../src/heatmap/time/heatmap-spec.ts';
import { createHistory } from '../../src/history/history.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { drawPane } from '../../src/raster/draw-pane.ts';
import { paletteOf } from '../../src/raster/palette.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import type { PaneLayout } from '../../src/raster/pane-layout.ts';
import type { PaneStyle } from '../../src/raster/pane-style.ts';
import type { PatternName } from '../../src/trace/synthetic/patterns.ts';
import { createSyntheticSource } from '../../src/trace/synthetic/synthetic-source.ts';

/** 2 March 2026, 14:02:11.25 UTC: no column begins at a whole second. */
export const CLOCK_BASE = { monotonicNs: 0n, wallNs: 1_772_460_131_250_000_000n };

export const COLOR: PaneStyle = { palette: 'spectrum', unicode: true, color: true };

export interface Scene {
  readonly pattern: PatternName;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly style?: PaneStyle;
  readonly frozenAtNs?: number;
  readonly spec?: Partial<HeatmapSpec>;
}

export interface Scenery {
  readonly live: LiveHeatmap;
  readonly layout: PaneLayout;
  readonly block: CellBlock;
}

/** Plays a synthetic pattern at a tenth of its rate into a picture and draws its end. */
export function draw(scene: Scene): Scenery {
  const { style = COLOR, seconds, frozenAtNs } = scene;
  const clock = { at: 0, nowNs: () => clock.at };
  const identities = new IdentityTable();
  const { pattern } = scene;
  const source = createSyntheticSource({
    pattern,
    seed: 1,
    clock,
    identities,
    clockBase: CLOCK_BASE,
  });
  const history = createHistory({ info: source.info });
  const layout = layoutPane(scene.width, scene.height, style);
  const live = new LiveHeatmap(history, {
    metric: 'device',
    scale: 'log',
    outlierCut: 0,
    columnNs: 1e9,
    columns: layout.map.width,
    bins: layout.bins,
    filter: compileFilter(NO_FILTER, identities, source.info),
    disks: source.info.devices(),
    ...scene.spec,
  });
  for (; clock.at <= seconds * 1e9; clock.at += 500e6) {
    live.update(clock.at);
    for (let rows = source.read(); rows.length > 0; rows = source.read()) {
      history.append(rows);
      live.append(rows);
    }
    live.update(clock.at);
  }
  if (frozenAtNs !== undefined) live.update(frozenAtNs);
  const block = drawPane(live, layout, { style, clockBase: CLOCK_BASE, frozenAtNs });
  return { live, layout, block };
}

/**
 * Two planes: the glyphs, then the pixels, two lines per row of cells, as letters from a for the first
 * colour on.
 */
export function planes(block: CellBlock, palette: PaneStyle['palette'] = 'spectrum'): string {
  const rows = Array.from({ length: block.height }, (_, y) => y);
  const glyphs = rows.map((y) => lineOf(block, (x) => glyphAt(block, x, y)));
  const { colors } = paletteOf(palette);
  const pixels = rows.flatMap((y) => [
    lineOf(block, (x) => letterOf(colors, pixelAt(block, x, y, 'upper'))),
    lineOf(block, (x) => letterOf(colors, pixelAt(block, x, y, 'lower'))),
  ]);
  return [...glyphs, '', ...pixels, ''].join('\n');
}

export function glyphAt(block: CellBlock, x: number, y: number): string {
  return String.fromCodePoint(block.glyph[y * block.width + x]!);
}

/** Colour of half a cell, which is that of the glyph where the glyph covers it. */
export function pixelAt(
  { glyph, fg, bg, width }: CellBlock,
  x: number,
  y: number,
  half: 'upper' | 'lower',
): number {
  const at = y * width + x;
  const covered = half === 'upper' ? '▀█' : '▄█';
  return covered.includes(String.fromCodePoint(glyph[at]!)) ? fg[at]! : bg[at]!;
}

const FIRST_LETTER = 0x61;

function letterOf(colors: readonly number[], color: number): string {
  const level = colors.indexOf(color);
  return level < 0 ? '·' : String.fromCharCode(FIRST_LETTER + level);
}

function lineOf({ width }: CellBlock, cell: (x: number) => string): string {
  return `${Array.from({ length: width }, (_, x) => cell(x)).join('')}|`;
}
