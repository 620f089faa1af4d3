import { Attribute } from '../base/cell-block.ts';
import { alignRight, formatRate } from '../base/format.ts';
import { NS_PER_SECOND, wallMs } from '../base/time.ts';
import type { Heatmap } from '../heatmap/time/heatmap.ts';
import type { RowLabel } from './axis-labels.ts';
import { DISKS } from './legend.ts';
import { formatEdge } from './axis-labels.ts';
import type { Ink } from './put-text.ts';
import { rateRanges } from './rate-ranges.ts';
import type { Sheet } from './pane-canvas.ts';
import { QUIET, write } from './pane-canvas.ts';
import { formatWallTime, timeLabels } from './time-labels.ts';
import type { TimeSpan } from './time-labels.ts';

const STRONG: Ink = { attr: Attribute.bold };

/** Left of the map: round values on the rows that they lie in. */
export function drawAxis(sheet: Sheet, labels: readonly RowLabel[]): void {
  const { axis } = sheet.layout;
  const mark = axis.x + axis.width - 1;
  for (let row = 0; row < axis.height; row++) write(sheet, mark, axis.y + row, '│', QUIET);
  for (const { row, text } of labels) {
    write(sheet, axis.x, axis.y + row, alignRight(text, axis.width - 1));
    write(sheet, mark, axis.y + row, '┤', QUIET);
  }
}

/** Above the map: in which columns something was cut off, and how much. */
export function drawLane(sheet: Sheet): void {
  const { layout, picture, pen } = sheet;
  const { map } = picture;
  const { laneRow, axis } = layout;
  if (laneRow === undefined || isWholeUtilization(map)) return;
  if (isWholeDisk(map) && sheet.totals.above === 0) return;
  const text = `>${formatEdge(map, map.scale.domain.high, axis.width - 2)}`;
  write(sheet, axis.x, laneRow, alignRight(text, axis.width - 1), QUIET);
  for (let column = 0; column < map.columns; column++) {
    if (map.aboveCount(column) === 0) continue;
    // An I/O without weight is cut off like any other, so its mark is there too.
    const level = Math.max(1, pen.levels.levelOf(map.pixels[map.indexOf(column) + map.bins]!));
    const ink = pen.pixels.kind !== 'glyphs' ? { fg: pen.colors[level - 1]! } : {};
    write(sheet, layout.map.x + column, laneRow, '▀', ink);
  }
}

/** There is nothing above 100 percent. */
function isWholeUtilization({ metric, scale }: Heatmap): boolean {
  return metric === 'utilization' && scale.domain.high >= 1;
}

/** Only I/O on a disk that has shrunk is beyond its end. */
export function isWholeDisk({ axisValues, scale }: Heatmap): boolean {
  return axisValues === 'diskShare' && scale.domain.high >= 1;
}

/** At the left edge: average rates between the labels, above the axis, and of all. */
export function drawRates(sheet: Sheet, labels: readonly RowLabel[]): void {
  const { layout, picture, totals } = sheet;
  const { panel, laneRow, timeRow } = layout;
  if (panel === undefined || picture.observedNs === 0) return;
  for (const { from, to, row } of rateRanges(labels, picture.map.bins, panel.height)) {
    let count = 0;
    for (let bin = from; bin < to; bin++) count += totals.bins[bin]!;
    if (count > 0) writeRate(sheet, panel.y + row, count, QUIET);
  }
  if (laneRow !== undefined && totals.above > 0) writeRate(sheet, laneRow, totals.above, QUIET);
  if (timeRow === undefined || totals.all === 0) return;
  writeRate(sheet, timeRow, totals.all, STRONG);
  const what = isOfDisks(sheet) ? DISKS.name : 'all';
  write(sheet, layout.axis.x + 1, timeRow, what, STRONG);
}

function isOfDisks({ picture }: Sheet): boolean {
  return picture.map.metric === 'utilization';
}

/** I/Os per second, or for utilization how many disks there are on average. */
function writeRate(sheet: Sheet, y: number, count: number, ink: Ink | typeof QUIET): void {
  const { picture, layout } = sheet;
  const isDisks = isOfDisks(sheet);
  const unitNs = isDisks ? picture.map.columnNs : NS_PER_SECOND;
  const text = formatRate((count * unitNs) / picture.observedNs) + (isDisks ? '' : '/s');
  write(sheet, 0, y, alignRight(text, layout.panel!.width), ink);
}

/**
 * Below the map. A label ends with a mark under the column that holds its time: so it appears whole
 * as soon as that column has room for it, and then scrolls with the picture.
 */
export function drawTimes(sheet: TimeSheet): void {
  const { layout, span, options } = sheet;
  const { timeRow } = layout;
  if (timeRow === undefined) return;
  const edge = edgeText(sheet);
  const edgeX = layout.width - edge.length;
  for (const { column, text } of timeLabels(span, options.clockBase)) {
    const end = layout.map.x + column + 1;
    const isWhole = end - text.length - 1 >= layout.map.x && end < edgeX;
    if (isWhole) write(sheet, end - text.length - 1, timeRow, `${text}┘`, QUIET);
  }
  if (edgeX >= layout.map.x) write(sheet, edgeX, timeRow, edge, STRONG);
}

/** What a row of times is written from. */
export interface TimeSheet extends Pick<Sheet, 'block' | 'layout' | 'options'> {
  readonly span: TimeSpan;
}

function edgeText({ options, span }: TimeSheet): string {
  const { frozenAtNs, clockBase } = options;
  if (frozenAtNs === undefined) return 'now';
  const edgeNs = Math.min(frozenAtNs, span.startNs + span.columns * span.columnNs);
  return formatWallTime(wallMs(clockBase, edgeNs));
}
