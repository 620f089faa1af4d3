import { Attribute, createCellBlock } from '../base/cell-block.ts';
import type { CellBlock } from '../base/cell-block.ts';
import { formatDuration, formatRate } from '../base/format.ts';
import { NS_PER_SECOND } from '../base/time.ts';
import type { Interval } from '../heatmap/axis/scale.ts';
import { mapQuantile } from '../heatmap/time/map-quantile.ts';
import type { Layer } from '../model/layer.ts';
import { drawTimes } from './draw-axes.ts';
import { drawTraceStart } from './draw-trace-start.ts';
import { drawLegend } from './draw-legend.ts';
import { drawBody, drawCounting, drawEmptyText, canvasOf } from './draw-pane.ts';
import { newestPen } from './faded-pen.ts';
import type { PaneLayout } from './pane-layout.ts';
import { hasRates, layoutPane } from './pane-layout.ts';
import type { PixelStyle } from './pane-style.ts';
import type { PaneOptions, Picture, PaneCanvas } from './pane-canvas.ts';
import { QUIET, write } from './pane-canvas.ts';

/** One of several maps on one time axis, and its first row on the screen. */
export interface StackedPane {
  readonly y: number;
  readonly layout: PaneLayout;
}

/** An outlier row and three rows: fewer show no distribution. */
const LEAST_PANE_HEIGHT = 4;
/** Rows of times and legend, which all maps share. */
export const SHARED_HEIGHT = 2;
/** `>100ms`, the tick mark, and a space after the title of the map. */
const AXIS_WIDTH = 8;
/** The same after figures of the map in place of rates: `p99 448ms`. */
const AXIS_WIDTH_WITH_FIGURES = 18;

/** The number of rows by which a picture of this height is too small for so many maps; 0 if they fit. */
export function stackLacks(maps: number, height: number): number {
  return Math.max(0, maps * LEAST_PANE_HEIGHT + SHARED_HEIGHT - height);
}

/**
 * What is shown to the left of the axes of a stack, where there is room: rates per range of values, or figures of each
 * map.
 */
export type StackSide = 'rates' | 'figures';

/** Panes on top of each other; spare rows go to the first. */
export function layoutStack(
  maps: number,
  side: StackSide,
  { width, height, style }: { width: number; height: number; style: PixelStyle },
): StackedPane[] {
  const rows = height - SHARED_HEIGHT;
  const each = Math.floor(rows / maps);
  const first = rows - each * (maps - 1);
  const hasFigures = side === 'figures' && hasRates(width);
  const axisWidth = hasFigures ? AXIS_WIDTH_WITH_FIGURES : AXIS_WIDTH;
  const parts = { times: false, legend: false, rates: side === 'rates', axisWidth };
  return Array.from({ length: maps }, (_, i) => ({
    y: i === 0 ? 0 : first + (i - 1) * each,
    layout: layoutPane(width, i === 0 ? first : each, style, parts),
  }));
}

/** A map of the stack. */
export interface StackedPicture {
  readonly picture: Picture;
  /** One word. */
  readonly title: string;
  readonly isActive: boolean;
  readonly layer?: Layer | undefined;
}

/** One range for all maps, so that a colour means the same in each. */
export function commonRange(pictures: readonly Pick<Picture, 'colorRange'>[]): Interval {
  const ranges = pictures.map(({ colorRange }) => colorRange);
  return {
    low: Math.min(...ranges.map(({ low }) => low)),
    high: Math.max(...ranges.map(({ high }) => high)),
  };
}

/** Draws each pane, and the shared rows in a block of their own. The note next to the legend is on the active map. */
export function drawStack(
  pictures: readonly StackedPicture[],
  panes: readonly StackedPane[],
  options: PaneOptions,
): { blocks: CellBlock[]; shared: CellBlock } {
  const colorRange = commonRange(pictures.map(({ picture }) => picture));
  const canvases = pictures.map(({ picture }, i) => {
    const { map, highlight, observedNs, countedShare } = picture;
    const shown = { map, highlight, observedNs, countedShare, colorRange };
    return canvasOf(shown, panes[i]!.layout, options);
  });
  for (const [i, canvas] of canvases.entries()) {
    drawTraceStart({ ...canvas, span: canvas.picture.map }, i === 0);
    drawOne(canvas, pictures[i]!);
  }
  const active = Math.max(
    0,
    pictures.findIndex(({ isActive }) => isActive),
  );
  return { blocks: canvases.map(({ block }) => block), shared: drawShared(canvases[active]!) };
}

function drawOne(canvas: PaneCanvas, { title, isActive, layer }: StackedPicture): void {
  drawBody(canvas, newestPen(canvas.pen, canvas.options));
  drawEmptyText(canvas, layer);
  drawCounting(canvas, canvas.picture);
  const { outlierRow, axis, panel } = canvas.layout;
  if (outlierRow === undefined) return;
  const width = panel?.width ?? Math.max(AXIS_WIDTH, axis.width - AXIS_WIDTH);
  const ink = isActive ? { attr: Attribute.bold } : QUIET;
  const text = `${isActive ? '▸' : ' '}${title}`;
  write(canvas, 0, outlierRow, text.slice(0, width).padEnd(width), ink);
  // The figures are left out if the rates are shown there, or if there is no room.
  if (panel !== undefined || width <= AXIS_WIDTH) return;
  for (const [i, figure] of mapFigures(canvas).slice(0, axis.height).entries())
    write(canvas, 1, axis.y + i, figure.slice(0, width - 1), ink);
}

function drawShared(canvas: PaneCanvas): CellBlock {
  const { layout, picture, options } = canvas;
  const block = createCellBlock(layout.width, SHARED_HEIGHT);
  const shared = { ...layout, height: SHARED_HEIGHT, timeRow: 0, legendRow: 1 };
  const target = { ...canvas, block, layout: shared };
  drawTimes({ block, layout: shared, options, span: picture.map });
  drawLegend(target);
  return block;
}

/**
 * The figures of a map of latencies over its whole time: rate, 99th percentile and maximum, such as `1.2k/s`, `p99
 * 2ms`.
 */
function mapFigures({ picture, totals }: Pick<PaneCanvas, 'picture' | 'totals'>): string[] {
  const { map, observedNs } = picture;
  if (totals.all === 0 || observedNs === 0) return [];
  const rate = `${formatRate((totals.all * NS_PER_SECOND) / observedNs)}/s`;
  const p99Ns = mapQuantile(map, totals, 0.99);
  if (p99Ns === undefined) return [rate];
  return [rate, `p99 ${formatDuration(p99Ns)}`, `max ${formatDuration(totals.max)}`];
}
