import { Attribute, SPACE } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { laneMiddle, laneTop, solidHeight } from '../../raster/draw-lanes.ts';
import type { LanesLayout } from '../../raster/draw-lanes.ts';
import type { PaneLayout } from '../../raster/pane-layout.ts';
import type { PaneStyle } from '../../raster/pane-style.ts';
import type { MapCell } from '../../view/state.ts';
import { createMarker, MARK_COLOR, MARKED_TEXT_COLORS } from './mark-pixels.ts';

type Style = Pick<PaneStyle, 'unicode' | 'color' | 'background'>;

/** Both ends included, ascending. */
interface CellRange {
  readonly from: MapCell;
  readonly to: MapCell;
}

const HERE_ON_AXIS = '▸';
const RANGE_ON_AXIS = '┃';
const HERE_ON_TIMES = '▴';
const RANGE_ON_TIMES = '━';
const LANE_MARK = '┃';
const LANE_MARK_ASCII = '|';

/**
 * Draws the cross-hair at `cursor`, or the box between it and `anchor`, onto a drawn pane. It covers only
 * the pixel of I/O under the cross-hair, and those just around the box.
 */
export function drawCursor(
  block: CellBlock,
  layout: PaneLayout,
  style: Style,
  cursor: MapCell,
  anchor?: MapCell,
): void {
  if (layout.map.width === 0 || layout.map.height === 0) return;
  if (anchor === undefined) drawCrossHair(block, layout, style, cursor);
  else drawBox(block, layout, style, rangeOf(cursor, anchor));
  const range = rangeOf(cursor, anchor ?? cursor);
  markAxis(block, layout, style, range, cursor);
  markTimes(block, layout, style, range, cursor);
}

export function rangeOf(a: MapCell, b: MapCell): CellRange {
  return {
    from: { column: Math.min(a.column, b.column), bin: Math.min(a.bin, b.bin) },
    to: { column: Math.max(a.column, b.column), bin: Math.max(a.bin, b.bin) },
  };
}

function drawCrossHair(
  block: CellBlock,
  layout: PaneLayout,
  style: Style,
  { column, bin }: MapCell,
): void {
  const marker = createMarker(block, layout, style);
  for (let x = 0; x < layout.map.width; x++) if (x !== column) marker.line(x, bin, 'across');
  for (let y = 0; y <= layout.bins; y++) if (y !== bin) marker.line(column, y, 'up');
  marker.mark(column, bin);
}

/** The outline runs outside, so that every pixel of the box stays visible. */
function drawBox(
  block: CellBlock,
  layout: PaneLayout,
  style: Style,
  { from, to }: CellRange,
): void {
  const marker = createMarker(block, layout, style);
  // The outlier row does not border on the map: a box up to the last bin ends below it.
  const top = to.bin + 1 < layout.bins ? to.bin + 1 : undefined;
  for (let bin = from.bin; bin <= to.bin; bin++) {
    for (let column = from.column; column <= to.column; column++) marker.tint(column, bin);
    marker.outline(from.column - 1, bin);
    marker.outline(to.column + 1, bin);
  }
  for (let column = from.column - 1; column <= to.column + 1; column++) {
    if (from.bin < layout.bins) marker.outline(column, from.bin - 1);
    if (top !== undefined) marker.outline(column, top);
  }
}

/** Marks the axis left of the map, in the column of the tick marks. */
function markAxis(
  block: CellBlock,
  layout: PaneLayout,
  style: Style,
  { from, to }: CellRange,
  cursor: MapCell,
): void {
  const x = layout.axis.x + layout.axis.width - 1;
  if (layout.axis.width === 0) return;
  const here = rowOf(layout, cursor.bin);
  const [last, first] = [rowOf(layout, from.bin), rowOf(layout, to.bin)];
  if (here === undefined || first === undefined || last === undefined) return;
  for (let y = first; y <= last; y++) {
    const glyph = y === here ? HERE_ON_AXIS : RANGE_ON_AXIS;
    put(block, y * block.width + x, glyph, style);
  }
}

/** The row of a bin from the top of the pane; undefined for the outlier row if there is none. */
export function rowOf(
  { map, bins, binsPerRow, outlierRow }: PaneLayout,
  bin: number,
): number | undefined {
  return bin >= bins ? outlierRow : map.y + map.height - 1 - Math.floor(bin / binsPerRow);
}

/** Marks a moment in a map that does not have the cursor. */
export function drawMoment(
  block: CellBlock,
  layout: PaneLayout,
  style: Style,
  column: number,
): void {
  if (layout.map.width === 0 || layout.map.height === 0) return;
  const marker = createMarker(block, layout, style);
  for (let bin = 0; bin <= layout.bins; bin++) marker.line(column, bin, 'up');
}

/** Marks a moment in the row of times that several maps share. */
export function markTimesAt(
  block: CellBlock,
  layout: Pick<PaneLayout, 'map' | 'timeRow'>,
  style: Style,
  cursor: MapCell,
  anchor = cursor,
): void {
  markTimes(block, layout, style, rangeOf(cursor, anchor), cursor);
}

/** Marks cells of lanes, each over all its rows, and the lanes next to their names. */
export function drawLaneCursor(
  block: CellBlock,
  layout: LanesLayout,
  style: Style,
  cursor: MapCell,
  anchor = cursor,
): void {
  const range = rangeOf(cursor, anchor);
  const { map, bins, laneHeight, axis } = layout;
  if (map.width === 0 || map.height === 0) return;
  for (let bin = range.from.bin; bin <= Math.min(range.to.bin, bins - 1); bin++) {
    const top = laneTop(layout, bins - 1 - bin);
    const middle = laneMiddle(layout, bins - 1 - bin);
    for (let y = top; y < top + solidHeight(laneHeight); y++) {
      const mark = bin === cursor.bin && y === middle ? HERE_ON_AXIS : RANGE_ON_AXIS;
      put(block, y * block.width + axis.x + axis.width - 1, mark, style);
      for (let column = range.from.column; column <= range.to.column; column++)
        markLaneCell(block, y * block.width + map.x + column, style);
    }
  }
  markTimes(block, layout, style, range, cursor);
}

/** Marks a cell with a glyph over the colour, which stays visible around it. */
function markLaneCell(block: CellBlock, index: number, { color, unicode }: Style): void {
  if (!color) {
    block.attr[index]! ^= Attribute.inverse;
    return;
  }
  const isFilled = block.glyph[index] !== SPACE;
  if (isFilled) block.bg[index] = block.fg[index]!;
  block.glyph[index] = (unicode ? LANE_MARK : LANE_MARK_ASCII).codePointAt(0)!;
  block.fg[index] = MARK_COLOR;
  block.attr[index] = Attribute.bold;
}

/** Marks the row of times below the map. Times stay legible: only blank cells get a glyph. */
function markTimes(
  block: CellBlock,
  layout: Pick<PaneLayout, 'map' | 'timeRow'>,
  style: Style,
  { from, to }: CellRange,
  cursor: MapCell,
): void {
  const { timeRow, map } = layout;
  if (timeRow === undefined) return;
  const last = Math.min(to.column, map.width - 1);
  for (let column = Math.max(0, from.column); column <= last; column++) {
    const index = timeRow * block.width + map.x + column;
    const isHere = column === cursor.column;
    if (block.glyph[index] === SPACE)
      put(block, index, isHere ? HERE_ON_TIMES : RANGE_ON_TIMES, style);
    else highlight(block, index, style, isHere);
  }
}

function put(block: CellBlock, index: number, glyph: string, style: Style): void {
  block.glyph[index] = glyph.codePointAt(0)!;
  highlight(block, index, style, false);
}

function highlight(
  block: CellBlock,
  index: number,
  { color, background = 'unknown' }: Style,
  isHere: boolean,
): void {
  if (color) block.fg[index] = MARKED_TEXT_COLORS[background];
  block.attr[index] = isHere || !color ? Attribute.bold | Attribute.inverse : Attribute.bold;
}
