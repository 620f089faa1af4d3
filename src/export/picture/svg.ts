import { emptyText } from '../../raster/empty-text.ts';
import { drawCells } from './draw-cells.ts';
import { drawGround, drawPercentiles, drawTimeAxis, drawValueAxis } from './draw-frame.ts';
import { drawLegend, colorScaleOf } from './draw-legend.ts';
import { drawNotes, noteHeight } from './draw-notes.ts';
import { drawMarks, drawSlowest } from './draw-slowest.ts';
import type { Figure } from './figure.ts';
import { footerOf, linesOf, titleOf } from './figure-texts.ts';
import type { FigureLayout } from './figure-layout.ts';
import { layoutFigure, layoutMaps } from './figure-layout.ts';
import { paperPalette } from './paper-palette.ts';
import { escapeXml, QUIET, svgText } from './svg-text.ts';
import { wrapText } from './text-width.ts';

const TITLE = 20;
const LINE = 13;
const MARGIN = 24;
const FONTS = "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif";

/** A picture as SVG, and the positions of its cells. */
export interface SvgPicture {
  readonly svg: string;
  /** The layouts of the heat maps, from top to bottom. */
  readonly layouts: readonly FigureLayout[];
  readonly width: number;
  readonly height: number;
}

/** A picture for a report: white, with everything that is needed to read it. */
export function drawSvg(figure: Figure): SvgPicture {
  const width = layoutFigure(figure.live.map, 0).width;
  const head = drawHead(figure, width - 2 * MARGIN);
  const top = head.y + 18 + noteHeight(figure);
  const layouts = layoutMaps(
    figure.maps.map(({ live }) => live.map),
    top,
  );
  const layout = layouts.at(-1)!;
  const times = drawTimeAxis(figure, layout);
  const legend = drawLegend(figure, layout, times.y + 30);
  const slowest = drawSlowest(figure, layout, legend.y + 16);
  const height = slowest.y + 44;
  const parts = [
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    head.svg,
    ...figure.maps.flatMap((map, i) => drawMap({ ...figure, ...map }, layouts[i]!)),
    times.svg,
    ...figure.maps.map((map, i) => drawPercentiles({ ...figure, ...map }, layouts[i]!)),
    drawMarks(figure, layouts[activeMap(figure)]!),
    drawNotes(figure, layouts[0]!, layout),
    legend.svg,
    slowest.svg,
    svgText(width - MARGIN, height - 14, footerOf(figure), {
      size: 11,
      anchor: 'end',
      fill: QUIET,
    }),
  ];
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONTS}">`;
  const title = `<title>${escapeXml(titleOf(figure))}</title>`;
  return {
    svg: `${open}${title}${parts.filter(Boolean).join('\n')}</svg>\n`,
    layouts,
    width,
    height,
  };
}

function activeMap({ maps, live }: Figure): number {
  return maps.findIndex((map) => map.live === live);
}

function drawMap(figure: Figure, layout: FigureLayout): string[] {
  const { colors } = paperPalette(figure.palette);
  const { live, totals, layer, filter } = figure;
  const text = emptyText({ map: live.map, totals }, layer, filter !== '');
  return [
    drawGround(figure, layout),
    drawCells(live.map, layout, colorScaleOf(figure), colors),
    text === undefined ? '' : drawNothing(layout, text),
    drawValueAxis(figure, layout),
  ];
}

function drawHead(figure: Figure, width: number): { svg: string; y: number } {
  let y = 14;
  const svg: string[] = [];
  for (const line of wrapText(titleOf(figure), TITLE, width, true)) {
    y += 26;
    svg.push(svgText(MARGIN, y, line, { size: TITLE, bold: true }));
  }
  y += 4;
  for (const line of linesOf(figure).flatMap((text) => wrapText(text, LINE, width))) {
    y += 19;
    svg.push(svgText(MARGIN, y, line, { size: LINE }));
  }
  return { svg: svg.join('\n'), y };
}

/** An empty picture should not look broken. */
function drawNothing({ plot }: FigureLayout, text: string): string {
  const [x, y] = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  return svgText(x, y, text, { size: 16, anchor: 'middle', fill: QUIET });
}
