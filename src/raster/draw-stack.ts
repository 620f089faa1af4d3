import { Attribute, createCellBlock } from '../base/cell-block.ts';
import type { CellBlock } from '../base/cell-block.ts';
import type { Interval } from '../heatmap/axis/scale.ts';
import { drawTimes } from './draw-axes.ts';
import { drawTraceStart } from './draw-trace-start.ts';
import { drawLegend } from './draw-legend.ts';
import { drawBody, drawCounting, drawNothing, isEmpty, canvasOf } from './draw-pane.ts';
import { newestPen } from './faded-pen.ts';
import type { PaneLayout } from './pane-layout.ts';
import { layoutPane } from './pane-layout.ts';
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
const PANES = 3;
/** `>100ms`, the tick mark, and a space after the title of the map. */
const AXIS_WIDTH = 8;

/** With fewer rows a stack is not worth drawing. */
export const LEAST_STACK_HEIGHT = PANES * LEAST_PANE_HEIGHT + SHARED_HEIGHT;

/** Three panes on top of each other; spare rows go to the first. */
export function layoutStack(width: number, height: number, style: PixelStyle): StackedPane[] {
  const rows = height - SHARED_HEIGHT;
  const each = Math.floor(rows / PANES);
  const first = rows - each * (PANES - 1);
  const parts = { times: false, legend: false, axisWidth: AXIS_WIDTH };
  return [0, 1, 2].map((i) => ({
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
}

/** One range for all maps, so that a colour means the same in each. */
function commonRange(pictures: readonly StackedPicture[]): Interval {
  const ranges = pictures.map(({ picture }) => picture.colorRange);
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
  const colorRange = commonRange(pictures);
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

function drawOne(canvas: PaneCanvas, { title, isActive }: StackedPicture): void {
  drawBody(canvas, newestPen(canvas.pen, canvas.options));
  if (isEmpty(canvas)) drawNothing(canvas);
  drawCounting(canvas, canvas.picture);
  const { outlierRow, axis, panel } = canvas.layout;
  if (outlierRow === undefined) return;
  const width = panel?.width ?? axis.width;
  const text = `${isActive ? '▸' : ' '}${title}`.slice(0, width).padEnd(width);
  write(canvas, 0, outlierRow, text, isActive ? { attr: Attribute.bold } : QUIET);
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
