import { createLevelScale } from '../../raster/levels.ts';
import type { LevelScale } from '../../raster/levels.ts';
import { DISKS, legendsOf, UNITS } from '../../raster/legend.ts';
import { notesOn } from '../../raster/notes.ts';
import type { Figure } from './figure.ts';
import type { FigureLayout } from './figure-layout.ts';
import { paperPalette } from './paper-palette.ts';
import { QUIET, svgRect, svgText } from './svg-text.ts';
import { textWidth, wrapText } from './text-width.ts';

const SIZE = 12;
const SWATCH = 16;

export function levelsOf({ live, palette }: Figure): LevelScale {
  const { colors, kind } = paperPalette(palette);
  const { low, high } = live.colorRange;
  return createLevelScale(kind, colors.length, high, low);
}

/** What the colours mean, and what the map leaves out. Returns the bottom of what it draws, too. */
export function drawLegend(
  figure: Figure,
  layout: FigureLayout,
  top: number,
): { svg: string; y: number } {
  const { metric, weight } = figure.live.map;
  const { colors } = paperPalette(figure.palette);
  const unit = metric === 'utilization' ? DISKS : UNITS[weight];
  const [parts = []] = legendsOf(levelsOf(figure), unit);
  const svg: string[] = [];
  let x = layout.plot.x;
  for (const part of parts) {
    if ('level' in part) {
      svg.push(svgRect(x, top - 11, SWATCH, 13, colors[part.level - 1]!));
      x += SWATCH + 4;
    } else {
      const text = part.text.trim().replace('per pixel', 'per cell, at least');
      svg.push(svgText(x, top, text, { size: SIZE }));
      x += textWidth(text, SIZE) + 10;
    }
  }
  let y = top;
  for (const line of noteLines(figure, layout)) {
    y += 18;
    svg.push(svgText(layout.plot.x, y, line, { size: SIZE, fill: QUIET }));
  }
  return { svg: svg.join(''), y };
}

function noteLines({ live, totals }: Figure, layout: FigureLayout): string[] {
  const [note] = notesOn(live.map, totals);
  return note === undefined
    ? []
    : wrapText(`Left out of the axis: ${note}`, SIZE, layout.plot.width);
}
