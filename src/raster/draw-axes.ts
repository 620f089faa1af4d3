import { Attribute } from '../base/cell-block.ts';
import { clockText } from '../base/clock-text.ts';
import { alignRight, formatRate } from '../base/format.ts';
import { NS_PER_SECOND, wallMs } from '../base/time.ts';
import type { Heatmap } from '../heatmap/time/heatmap.ts';
import type { RowLabel } from './axis-labels.ts';
import { DISKS } from './legend.ts';
import { formatEdge } from './axis-labels.ts';
import type { PixelPen } from './draw-pixels.ts';
import { isWithoutValues } from './empty-text.ts';
import { greyPen } from './highlight-pens.ts';
import type { Ink } from './put-text.ts';
import { rateRanges } from './rate-ranges.ts';
import type { PaneCanvas } from './pane-canvas.ts';
import { QUIET, write } from './pane-canvas.ts';
import { timeLabels } from './time-labels.ts';
import type { TimeSpan } from './time-labels.ts';

const STRONG: Ink = { attr: Attribute.bold };

/** Left of the map: round values on the rows that contain them. */
export function drawAxis(canvas: PaneCanvas, labels: readonly RowLabel[]): void {
  const { axis } = canvas.layout;
  const mark = axis.x + axis.width - 1;
  for (let row = 0; row < axis.height; row++) write(canvas, mark, axis.y + row, '│', QUIET);
  for (const { row, text } of labels) {
    write(canvas, axis.x, axis.y + row, alignRight(text, axis.width - 1));
    write(canvas, mark, axis.y + row, '┤', QUIET);
  }
}

/** Above the map: marks in the columns that have I/O beyond the axis, and the rate of that I/O. */
export function drawOutlierRow(canvas: PaneCanvas): void {
  const { layout, picture, options } = canvas;
  const { map } = picture;
  const { outlierRow, axis } = layout;
  if (outlierRow === undefined || isWholeUtilization(map)) return;
  if (isWholeDisk(map) && canvas.totals.above === 0) return;
  if (isWithoutValues(canvas.totals)) return;
  const text = `>${formatEdge(map, map.scale.domain.high, axis.width - 2)}`;
  write(canvas, axis.x, outlierRow, alignRight(text, axis.width - 1), QUIET);
  const behind = greyPen(canvas.pen, options.style);
  for (let column = 0; column < map.columns; column++) {
    if (map.aboveCount(column) === 0) continue;
    write(canvas, layout.map.x + column, outlierRow, '▀', outlierInk(canvas, behind, column));
  }
}

function outlierInk(
  { picture: { map, highlight }, pen }: PaneCanvas,
  behind: PixelPen,
  column: number,
): Ink {
  const isBehind = highlight !== undefined && highlight.aboveCount(column) === 0;
  const shown = isBehind || highlight === undefined ? map : highlight;
  const { pixels, colors, scale, attr = 0 } = isBehind ? behind : pen;
  // An I/O of weight 0 is also off the axis, so it gets a mark.
  const level = Math.max(1, scale.levelOf(shown.pixels[shown.indexOf(column) + shown.bins]!));
  return pixels.kind === 'glyphs' ? { attr } : { fg: colors[level - 1]! };
}

/** Utilization cannot exceed 100 %. */
function isWholeUtilization({ metric, scale }: Heatmap): boolean {
  return metric === 'utilization' && scale.domain.high >= 1;
}

/** The axis shows the whole disk: only I/O on a disk that has shrunk is beyond its end. */
export function isWholeDisk({ axisValues, scale }: Heatmap): boolean {
  return axisValues === 'diskShare' && scale.domain.high >= 1;
}

/** At the left edge: average rates between labels, above the axis, and in total. */
export function drawRates(canvas: PaneCanvas, labels: readonly RowLabel[]): void {
  const { layout, picture, totals } = canvas;
  const { panel, outlierRow, timeRow } = layout;
  if (panel === undefined || picture.observedNs === 0) return;
  for (const { from, to, row } of rateRanges(labels, picture.map.bins, panel.height)) {
    let count = 0;
    for (let bin = from; bin < to; bin++) count += totals.bins[bin]!;
    if (count > 0) writeRate(canvas, panel.y + row, count, QUIET);
  }
  if (outlierRow !== undefined && totals.above > 0)
    writeRate(canvas, outlierRow, totals.above, QUIET);
  if (timeRow === undefined || totals.all === 0) return;
  writeRate(canvas, timeRow, totals.all, STRONG);
  const what = isOfDisks(canvas) ? DISKS.name : 'all';
  write(canvas, layout.axis.x + 1, timeRow, what, STRONG);
}

function isOfDisks({ picture }: PaneCanvas): boolean {
  return picture.map.metric === 'utilization';
}

/** I/Os per second, or for utilization the average number of disks. */
function writeRate(canvas: PaneCanvas, y: number, count: number, ink: Ink | typeof QUIET): void {
  const { picture, layout } = canvas;
  const isDisks = isOfDisks(canvas);
  const unitNs = isDisks ? picture.map.columnNs : NS_PER_SECOND;
  const text = formatRate((count * unitNs) / picture.observedNs) + (isDisks ? '' : '/s');
  write(canvas, 0, y, alignRight(text, layout.panel!.width), ink);
}

/**
 * The row of times below the map. A label ends with a mark under the column that contains its time, so it appears as a
 * whole as soon as that column has room for it, and then scrolls with the picture.
 */
export function drawTimes(canvas: TimeCanvas): void {
  const { layout, span, options } = canvas;
  const { timeRow } = layout;
  if (timeRow === undefined) return;
  const edge = edgeText(canvas);
  const edgeX = layout.width - edge.length;
  for (const { column, text } of timeLabels(span, options.clockBase)) {
    const end = layout.map.x + column + 1;
    const isWhole = end - text.length - 1 >= layout.map.x && end < edgeX;
    if (isWhole) write(canvas, end - text.length - 1, timeRow, `${text}┘`, QUIET);
  }
  if (edgeX >= layout.map.x) write(canvas, edgeX, timeRow, edge, STRONG);
}

/** What is needed to draw the row of times. */
export interface TimeCanvas extends Pick<PaneCanvas, 'block' | 'layout' | 'options'> {
  readonly span: TimeSpan;
}

function edgeText({ options, span }: TimeCanvas): string {
  const { frozenAtNs, clockBase } = options;
  if (frozenAtNs === undefined) return 'now';
  const edgeNs = Math.min(frozenAtNs, span.startNs + span.columns * span.columnNs);
  return clockText(wallMs(clockBase, edgeNs));
}
