import type { CellBlock } from '../base/cell-block.ts';
import { createCellBlock, UPPER_HALF } from '../base/cell-block.ts';
import { alignRight, formatCount, formatDuration, formatRate } from '../base/format.ts';
import { NS_PER_SECOND } from '../base/time.ts';
import type { Interval } from '../heatmap/axis/scale.ts';
import type { Metric } from '../model/metric.ts';
import { drawTimes } from './draw-axes.ts';
import { drawTraceStart } from './draw-trace-start.ts';
import { drawLegendOf } from './draw-legend.ts';
import { drawCounting, drawNothing, penFor } from './draw-pane.ts';
import { putWhole } from './draw-pixels.ts';
import type { PixelPen } from './draw-pixels.ts';
import { newestPen } from './faded-pen.ts';
import { WITHOUT } from './notes.ts';
import type { PaneLayout } from './pane-layout.ts';
import { layoutPane } from './pane-layout.ts';
import type { PixelStyle } from './pane-style.ts';
import type { PaneOptions, PaneCanvas } from './pane-canvas.ts';
import { QUIET, write } from './pane-canvas.ts';
import type { TimeSpan } from './time-labels.ts';

/** Lanes, the first at the top; implemented with `LaneMap`. */
export interface LanesPicture {
  readonly names: readonly string[];
  /** The value of a cell in ns; undefined if there is none. */
  readonly value: (lane: number, column: number) => number | undefined;
  /** I/Os of a lane in the window. */
  readonly laneTotal: (lane: number) => number;
  readonly span: TimeSpan;
  readonly colorRange: Interval;
  readonly observedNs: number;
  /** Share of the window that has been counted, 0 to 1. */
  readonly countedShare: number;
  /** What the colours mean. */
  readonly title: string;
  readonly metric: Metric;
  /** I/Os without a value of the metric. */
  readonly unmeasured: number;
  readonly undecided: number;
  /** Notes about I/O that is not drawn, or has no lane of its own. */
  readonly notes: readonly string[];
}

export interface LanesLayout extends PaneLayout {
  /** Rows of a lane, including the gap below it. */
  readonly laneHeight: number;
}

/** Lanes of at least this many rows are separated by half a row. */
const GAP_FROM = 2;

/** The layout of a pane with lanes whose names take up to `nameWidth`. */
export function lanesPane(
  width: number,
  height: number,
  style: PixelStyle,
  nameWidth: number,
): PaneLayout {
  return layoutPane(width, height, style, { lane: false, axisWidth: nameWidth + 2 });
}

/** One bin per lane, with the last lane at the bottom, so that the cursor moves up where "up" says so. */
export function layoutLanes(pane: PaneLayout, wanted: number): LanesLayout {
  const lanes = Math.max(1, Math.min(wanted, pane.map.height));
  const laneHeight = Math.max(1, Math.floor(pane.map.height / lanes));
  return { ...pane, bins: lanes, binsPerRow: 1, laneHeight };
}

/** First row of a lane. */
export function laneTop({ map, laneHeight }: LanesLayout, lane: number): number {
  return map.y + lane * laneHeight;
}

/** The row with the name of the lane. */
export function laneMiddle(layout: LanesLayout, lane: number): number {
  return laneTop(layout, lane) + Math.floor((layout.laneHeight - 1) / 2);
}

/** Rows of a lane that the gap does not use. */
export function solidHeight(laneHeight: number): number {
  return laneHeight >= GAP_FROM ? laneHeight - 1 : laneHeight;
}

export function drawLanes(
  picture: LanesPicture,
  layout: LanesLayout,
  options: PaneOptions,
): CellBlock {
  const block = createCellBlock(layout.width, layout.height);
  const pen = penFor(options.style, picture.colorRange);
  const newest = newestPen(pen, options);
  const penOf = (column: number): PixelPen => (column === layout.map.width - 1 ? newest : pen);
  const canvas = { block, layout, options, pen };
  drawTraceStart({ block, layout, options, span: picture.span });
  for (let lane = 0; lane < layout.bins; lane++) {
    for (let column = 0; column < layout.map.width; column++)
      drawCell(block, layout, lane, column, picture.value(lane, column), penOf(column));
    drawName(canvas, picture, lane);
  }
  drawTimes({ block, layout, options, span: picture.span });
  const unit = { name: picture.title, format: formatDuration, isOpen: true, each: 'column' };
  drawLegendOf(canvas, unit, laneNotes(picture));
  if (picture.names.length === 0) drawNothing(canvas);
  drawCounting(canvas, picture);
  return block;
}

interface LanesCanvas extends Pick<PaneCanvas, 'block' | 'options'> {
  readonly layout: LanesLayout;
}

function drawCell(
  block: CellBlock,
  layout: LanesLayout,
  lane: number,
  column: number,
  value: number | undefined,
  pen: PixelPen,
): void {
  if (value === undefined) return;
  const level = Math.max(1, pen.scale.levelOf(value));
  const top = laneTop(layout, lane);
  const last = top + layout.laneHeight - 1;
  const hasGap = layout.laneHeight >= GAP_FROM;
  for (let y = top; y <= last; y++) {
    const x = layout.map.x + column;
    const isHalf = hasGap && y === last && pen.pixels.kind === 'half';
    if (hasGap && y === last && !isHalf) continue;
    putWhole(block, x, y, level, pen);
    if (isHalf) block.glyph[y * block.width + x] = UPPER_HALF;
  }
}

function drawName(
  canvas: LanesCanvas,
  { names, laneTotal, observedNs }: LanesPicture,
  lane: number,
): void {
  const { layout } = canvas;
  const { axis, panel } = layout;
  const name = names[lane];
  if (name === undefined) return;
  const top = laneTop(layout, lane);
  const middle = laneMiddle(layout, lane);
  const mark = axis.x + axis.width - 1;
  for (let y = top; y < top + layout.laneHeight; y++) write(canvas, mark, y, '│', QUIET);
  write(canvas, axis.x, middle, alignRight(name.slice(0, axis.width - 2), axis.width - 1));
  write(canvas, mark, middle, '┤', QUIET);
  if (panel === undefined || observedNs === 0) return;
  const rate = `${formatRate((laneTotal(lane) * NS_PER_SECOND) / observedNs)}/s`;
  write(canvas, panel.x, middle, alignRight(rate, panel.width), QUIET);
}

function laneNotes({ notes: others, metric, unmeasured, undecided }: LanesPicture): string[] {
  const notes = [
    ...others,
    undecided > 0 ? `${formatCount(undecided)} may match the filter or not` : '',
    unmeasured > 0 ? `${formatCount(unmeasured)} ${WITHOUT[metric]}` : '',
  ].filter((note) => note !== '');
  return notes.length === 0 ? [] : [notes.join(', '), notes[0]!];
}
