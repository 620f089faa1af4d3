import type { Background } from '../../base/background.ts';
import {
  Attribute,
  DEFAULT_COLOR,
  FULL,
  LOWER_HALF,
  SPACE,
  UPPER_HALF,
} from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import type { PaneLayout } from '../../raster/pane-layout.ts';
import { pixelsOf } from '../../raster/pane-style.ts';
import type { PaneStyle } from '../../raster/pane-style.ts';

/**
 * Magenta and purple: the only hues that no palette of the picture has, so a mark can never be taken
 * for I/O, on a black or a white background.
 */
export const MARK_COLOR = 201;
/** Between a background and the colours on it. */
const TINT_COLORS: Readonly<Record<Background, number>> = { dark: 90, light: 219, unknown: 90 };
/** Magenta for marked labels, which must be legible: 4.5:1 on the background, 3.5:1 where it is unknown. */
export const MARKED_TEXT_COLORS: Readonly<Record<Background, number>> = {
  dark: MARK_COLOR,
  light: 127,
  unknown: 164,
};
/** Purple for I/O that has not completed. */
export const IN_FLIGHT_COLOR = 165;

/** Marks single pixels of a drawn picture. Pixels outside the map are ignored. */
export interface PixelMarker {
  /** A strong mark that covers the pixel. */
  mark(column: number, bin: number): void;
  /** A pixel of the outline around the selection: covers the pixel, within the picture. */
  outline(column: number, bin: number): void;
  /** A subtle mark that leaves the pixel visible. */
  tint(column: number, bin: number): void;
  /** A mark for I/O that has not completed: covers the pixel. */
  inFlight(column: number, bin: number): void;
  /** A piece of a line through empty cells. */
  line(column: number, bin: number, direction: 'across' | 'up'): void;
}

export function createMarker(
  block: CellBlock,
  layout: PaneLayout,
  style: Pick<PaneStyle, 'unicode' | 'color' | 'background'>,
): PixelMarker {
  return pixelsOf(style).kind === 'glyphs'
    ? plainMarker(block, layout)
    : coloredMarker(block, layout, style.background);
}

/** Without colour a pixel is a cell, and inverse is the only mark that works with every glyph. */
function plainMarker(block: CellBlock, layout: PaneLayout): PixelMarker {
  const invert = (column: number, bin: number): void => {
    const place = placeOf(layout, column, bin);
    if (place !== undefined) block.attr[place.y * block.width + place.x]! ^= Attribute.inverse;
  };
  return {
    mark: invert,
    inFlight: invert,
    tint: invert,
    outline: () => undefined,
    line: (column, bin, direction) => {
      const place = placeOf(layout, column, bin);
      if (place === undefined) return;
      const index = place.y * block.width + place.x;
      if (block.glyph[index] !== SPACE) return;
      block.glyph[index] = direction === 'up' ? 0x2502 : 0x2500;
      block.attr[index] = Attribute.dim;
    },
  };
}

function coloredMarker(
  block: CellBlock,
  layout: PaneLayout,
  background: Background = 'unknown',
): PixelMarker {
  const paint = (column: number, bin: number, color: number, onlyEmpty: boolean): void => {
    const place = placeOf(layout, column, bin);
    if (place === undefined) return;
    const index = place.y * block.width + place.x;
    if (place.part === 'whole') paintWhole(block, index, color, onlyEmpty);
    else paintHalf(block, index, place.part, color, onlyEmpty);
  };
  const tint = (column: number, bin: number): void => {
    paint(column, bin, TINT_COLORS[background], true);
  };
  const mark = (column: number, bin: number): void => {
    paint(column, bin, MARK_COLOR, false);
  };
  const inFlight = (column: number, bin: number): void => {
    paint(column, bin, IN_FLIGHT_COLOR, false);
  };
  return { mark, inFlight, outline: mark, tint, line: tint };
}

/** The position of a pixel: half of a cell if the map has two bins per row of cells. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly part: 'upper' | 'lower' | 'whole';
}

/** Bin `bins` is the outlier row, which has a row of its own or none. */
function placeOf(layout: PaneLayout, column: number, bin: number): Place | undefined {
  const { map, bins, binsPerRow, outlierRow } = layout;
  if (column < 0 || column >= map.width || bin < 0 || bin > bins) return undefined;
  const x = map.x + column;
  if (bin === bins)
    return outlierRow === undefined ? undefined : { x, y: outlierRow, part: 'whole' };
  const y = map.y + map.height - 1 - Math.floor(bin / binsPerRow);
  if (binsPerRow === 1) return { x, y, part: 'whole' };
  return { x, y, part: bin % 2 === 1 ? 'upper' : 'lower' };
}

/** Colours the background of a cell: the outlier row keeps its marks. */
function paintWhole(block: CellBlock, index: number, color: number, onlyEmpty: boolean): void {
  const isEmpty = block.glyph[index] === SPACE && block.bg[index] === DEFAULT_COLOR;
  if (isEmpty || !onlyEmpty) block.bg[index] = color;
}

function paintHalf(
  block: CellBlock,
  index: number,
  part: 'upper' | 'lower',
  color: number,
  onlyEmpty: boolean,
): void {
  const halves = halvesOf(block, index);
  if (onlyEmpty && halves[part] !== DEFAULT_COLOR) return;
  halves[part] = color;
  const { upper, lower } = halves;
  block.glyph[index] = upper === DEFAULT_COLOR ? LOWER_HALF : upper === lower ? FULL : UPPER_HALF;
  block.fg[index] = upper === DEFAULT_COLOR ? lower : upper;
  block.bg[index] = upper === DEFAULT_COLOR || upper === lower ? DEFAULT_COLOR : lower;
}

function halvesOf({ glyph, fg, bg }: CellBlock, index: number): { upper: number; lower: number } {
  const [front, back] = [fg[index]!, bg[index]!];
  switch (glyph[index]) {
    case UPPER_HALF:
      return { upper: front, lower: back };
    case LOWER_HALF:
      return { upper: back, lower: front };
    case FULL:
      return { upper: front, lower: front };
    default:
      return { upper: back, lower: back };
  }
}
