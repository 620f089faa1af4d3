import { createColorScale } from '../../raster/color-scale.ts';
import type { ColorScale } from '../../raster/color-scale.ts';
import { legendsOf, unitOf } from '../../raster/legend.ts';
import type { LegendPart } from '../../raster/legend.ts';
import { offTheAxis } from '../../raster/notes.ts';
import type { Figure } from './figure.ts';
import { layersOf } from './figure-texts.ts';
import type { FigureLayout } from './figure-layout.ts';
import { paperPalette } from './paper-palette.ts';
import { QUIET, svgRect, svgText } from './svg-text.ts';
import { textWidth, wrapText } from './text-width.ts';

const SIZE = 12;
const SWATCH = 16;

export function colorScaleOf({ colorRange: { low, high }, palette }: Figure): ColorScale {
  const { colors, kind } = paperPalette(palette);
  return createColorScale(kind, colors.length, high, low);
}

/** What the colours mean, and what is not drawn. Also returns the bottom edge of what it draws. */
export function drawLegend(
  figure: Figure,
  layout: FigureLayout,
  top: number,
): { svg: string; y: number } {
  const { colors } = paperPalette(figure.palette);
  const unit = unitOf(figure.live.map, layersOf(figure));
  const legends = legendsOf(colorScaleOf(figure), unit).map((parts) => parts.map(forPaper));
  const svg: string[] = [];
  let x = layout.plot.x;
  for (const part of legends.find((parts) => widthOf(parts) <= layout.plot.width) ?? []) {
    if ('level' in part) svg.push(svgRect(x, top - 11, SWATCH, 13, colors[part.level - 1]!));
    else svg.push(svgText(x, top, part.text, { size: SIZE }));
    x += advanceOf(part);
  }
  let y = top;
  for (const line of noteLines(figure, layout)) {
    y += 18;
    svg.push(svgText(layout.plot.x, y, line, { size: SIZE, fill: QUIET }));
  }
  return { svg: svg.join(''), y };
}

function forPaper(part: LegendPart): LegendPart {
  if ('level' in part) return part;
  return { text: part.text.trim().replace('per pixel', 'per cell, at least') };
}

function widthOf(parts: readonly LegendPart[]): number {
  return parts.reduce((width, part) => width + advanceOf(part), 0);
}

/** The distance in pixels from the left edge of a part to that of the next. */
function advanceOf(part: LegendPart): number {
  return 'level' in part ? SWATCH + 4 : textWidth(part.text, SIZE) + 10;
}

function noteLines({ live, totals }: Figure, layout: FigureLayout): string[] {
  const [note] = offTheAxis(live.map, totals);
  return note === undefined ? [] : wrapText(`Off the axis: ${note}`, SIZE, layout.plot.width);
}
