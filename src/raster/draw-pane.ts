import { assert } from '../base/assert.ts';
import type { CellBlock } from '../base/cell-block.ts';
import { Attribute, createCellBlock } from '../base/cell-block.ts';
import { formatPercent } from '../base/format.ts';
import type { Interval } from '../heatmap/axis/scale.ts';
import { totalsOf } from '../heatmap/time/totals.ts';
import { rowLabels } from './axis-labels.ts';
import { drawAxis, drawOutlierRow, drawRates, drawTimes } from './draw-axes.ts';
import { drawTraceStart } from './draw-trace-start.ts';
import { drawHighlight } from './draw-highlight.ts';
import { drawLegend } from './draw-legend.ts';
import { emptyText, isWithoutValues, nothingIn } from './empty-text.ts';
import { drawPixels } from './draw-pixels.ts';
import type { PixelPen } from './draw-pixels.ts';
import { highlightStyle } from './highlight-pens.ts';
import { newestPen } from './faded-pen.ts';
import { createColorScale } from './color-scale.ts';
import { paletteOf } from './palette.ts';
import type { PaneLayout } from './pane-layout.ts';
import type { PaneStyle } from './pane-style.ts';
import { pixelsOf } from './pane-style.ts';
import { QUIET, write } from './pane-canvas.ts';
import type { PaneOptions, Picture, PaneCanvas } from './pane-canvas.ts';

/** The heat map with everything around it. The map must have as many columns and bins as the layout. */
export function drawPane(picture: Picture, layout: PaneLayout, options: PaneOptions): CellBlock {
  const canvas = canvasOf(picture, layout, options);
  drawTraceStart({ ...canvas, span: picture.map });
  drawBody(canvas, newestPen(canvas.pen, options));
  drawTimes({ ...canvas, span: picture.map });
  drawLegend(canvas);
  drawEmptyText(canvas);
  drawCounting(canvas, picture);
  return canvas.block;
}

/** A blank pane for the picture. */
export function canvasOf(picture: Picture, layout: PaneLayout, options: PaneOptions): PaneCanvas {
  const { map } = picture;
  const isFitting = map.columns === layout.map.width && map.bins === layout.bins;
  assert(
    isFitting,
    `${map.columns} columns of ${map.bins} bins, not ${layout.map.width} of ${layout.bins}`,
  );
  return {
    block: createCellBlock(layout.width, layout.height),
    layout,
    picture,
    totals: totalsOf(map),
    options,
    pen: penFor(styleOf(picture, options), picture.colorRange),
  };
}

function styleOf({ highlight }: Picture, { style }: PaneOptions): PaneStyle {
  return highlight === undefined ? style : highlightStyle(style);
}

/** Pixels, y axis, outlier row and rates. */
export function drawBody(canvas: PaneCanvas, newest = canvas.pen): void {
  const { layout, picture } = canvas;
  const labels = isWithoutValues(canvas.totals) ? [] : rowLabels(picture.map, layout.map.height);
  if (picture.highlight === undefined)
    drawPixels(canvas.block, layout.map, picture.map, canvas.pen, newest);
  else drawHighlight(canvas, picture.highlight);
  drawAxis(canvas, labels);
  drawOutlierRow(canvas);
  drawRates(canvas, labels);
}

/** A picture that is only partly counted may still get I/O. */
export function isEmpty({ totals, picture }: Pick<PaneCanvas, 'totals' | 'picture'>): boolean {
  return totals.all === 0 && isCounted(picture);
}

function isCounted({ countedShare = 1 }: Picture): boolean {
  return countedShare === 1;
}

/** Why the pane has no pixels, if it has none and everything is counted. */
export function drawEmptyText(canvas: PaneCanvas, layer = canvas.options.layers?.[0]): void {
  const { picture, totals, options } = canvas;
  if (!isCounted(picture)) return;
  const text = emptyText({ map: picture.map, totals }, layer, options.isFiltered ?? false);
  if (text !== undefined) drawNothing(canvas, text);
}

/** An empty picture should not look broken. */
export function drawNothing(
  canvas: Pick<PaneCanvas, 'block' | 'layout' | 'options'>,
  text = nothingIn(canvas.options.layers?.[0], canvas.options.isFiltered ?? false),
): void {
  const { map } = canvas.layout;
  const x = map.x + Math.floor((map.width - text.length) / 2);
  if (x >= map.x) write(canvas, x, map.y + Math.floor(map.height / 2), text, QUIET);
}

/** A partial count must not be mistaken for the whole, however briefly it is shown. */
export function drawCounting(
  canvas: Pick<PaneCanvas, 'block' | 'layout' | 'options'>,
  { countedShare = 1 }: Pick<Picture, 'countedShare'>,
): void {
  const { map } = canvas.layout;
  const text = countingText(countedShare, map.width);
  if (text !== undefined) write(canvas, map.x, map.y, text, { attr: Attribute.inverse });
}

/** The text about the share counted so far; undefined if everything is counted, or there is no room for it. */
export function countingText(countedShare: number, width: number): string | undefined {
  if (countedShare >= 1) return undefined;
  const texts = [` loading ${formatPercent(countedShare)} `, ' loading '];
  return texts.find(({ length }) => length <= width);
}

export function penFor(style: PaneStyle, { low, high }: Interval): PixelPen {
  const { colors, kind } = paletteOf(style.palette, style.depth, style.background);
  const pixels = pixelsOf(style);
  const count = pixels.kind === 'glyphs' ? pixels.glyphs.length : colors.length;
  return { pixels, colors, scale: createColorScale(kind, count, high, low) };
}
