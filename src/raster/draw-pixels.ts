import type { CellBlock } from '../base/cell-block.ts';
import { DEFAULT_COLOR, FULL, LOWER_HALF, UPPER_HALF } from '../base/cell-block.ts';
import type { Heatmap } from '../heatmap/time/heatmap.ts';
import type { ColorScale } from './color-scale.ts';
import type { PaneRect } from './pane-layout.ts';
import type { Pixels } from './pane-style.ts';

type Weights = Heatmap['pixels'];

/** How colour levels become cells. Level 0, no I/O, is always the bare background. */
export interface PixelPen {
  readonly pixels: Pixels;
  readonly scale: ColorScale;
  /** Colour of level 1, 2 … */
  readonly colors: readonly number[];
  /** Bits of `Attribute`. */
  readonly attr?: number;
}

/**
 * Draws the heat map, one column of cells per column of the map. The newest is at the right edge of `rect` and has
 * its own pen.
 */
export function drawPixels(
  block: CellBlock,
  rect: PaneRect,
  map: Heatmap,
  usual: PixelPen,
  newest: PixelPen,
  weights = map.pixels,
): void {
  for (let column = 0; column < rect.width; column++) {
    const first = map.indexOf(column);
    const pen = column === rect.width - 1 ? newest : usual;
    if (pen.pixels.kind === 'half') drawHalves(block, rect, column, weights, first, pen);
    else drawWholes(block, rect, column, weights, first, pen);
  }
}

function drawHalves(
  block: CellBlock,
  rect: PaneRect,
  column: number,
  weights: Weights,
  first: number,
  pen: PixelPen,
): void {
  let index = (rect.y + rect.height - 1) * block.width + rect.x + column;
  const end = first + rect.height * 2;
  for (let bin = first; bin < end; bin += 2, index -= block.width) {
    const lower = weights[bin]!;
    const upper = weights[bin + 1]!;
    if (lower > 0 || upper > 0) {
      putHalves(block, index, pen.scale.levelOf(upper), pen.scale.levelOf(lower), pen);
    }
  }
}

function putHalves(
  block: CellBlock,
  index: number,
  upper: number,
  lower: number,
  { colors, attr = 0 }: PixelPen,
): void {
  block.attr[index] = attr;
  const top = upper === 0 ? DEFAULT_COLOR : colors[upper - 1]!;
  const bottom = lower === 0 ? DEFAULT_COLOR : colors[lower - 1]!;
  if (upper === 0) {
    block.glyph[index] = LOWER_HALF;
    block.fg[index] = bottom;
  } else if (upper === lower) {
    block.glyph[index] = FULL;
    block.fg[index] = top;
  } else {
    block.glyph[index] = UPPER_HALF;
    block.fg[index] = top;
    block.bg[index] = bottom;
  }
}

function drawWholes(
  block: CellBlock,
  rect: PaneRect,
  column: number,
  weights: Weights,
  first: number,
  pen: PixelPen,
): void {
  for (let row = 0; row < rect.height; row++) {
    const level = pen.scale.levelOf(weights[first + row]!);
    if (level > 0) putWhole(block, rect.x + column, rect.y + rect.height - 1 - row, level, pen);
  }
}

/** Fills a cell with one level: a pixel if there are no half-blocks, and a swatch of the legend. */
export function putWhole(
  block: CellBlock,
  x: number,
  y: number,
  level: number,
  { pixels, colors, attr = 0 }: PixelPen,
): void {
  const index = y * block.width + x;
  block.attr[index] = attr;
  if (pixels.kind === 'glyphs') {
    block.glyph[index] = pixels.glyphs[level - 1]!;
  } else if (pixels.kind === 'half') {
    block.glyph[index] = FULL;
    block.fg[index] = colors[level - 1]!;
  } else {
    block.bg[index] = colors[level - 1]!;
  }
}
