import { formatDuration } from '../../base/format.ts';
import { blitCells } from '../../base/blit-cells.ts';
import { createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { asciiText } from '../../base/ascii-text.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { ClockBase } from '../../base/time.ts';
import { drawNotes, notedColumns } from '../../raster/draw-notes.ts';
import { drawStack, layoutStack, SHARED_HEIGHT } from '../../raster/draw-stack.ts';
import type { StackedPane } from '../../raster/draw-stack.ts';
import { drawPane } from '../../raster/draw-pane.ts';
import type { PaneLayout } from '../../raster/pane-layout.ts';
import { layoutPane } from '../../raster/pane-layout.ts';
import type { PaneStyle } from '../../raster/pane-style.ts';
import { formatValue } from '../../raster/distinct-labels.ts';
import type { PaneOptions } from '../../raster/pane-canvas.ts';
import { notesOf } from './draw-notes.ts';
import { axisTitle, footerOf, linesOf, layersOf, titleOf } from './figure-texts.ts';
import type { Figure } from './figure.ts';
import { LocalTime } from './local-time.ts';
import { rankedNs, slowestCells, slowestHeadings, slowestTitle } from './slowest-lines.ts';

/** The style: without colour, which mails, tickets and pipes lose. */
function styleOf(unicode: boolean): PaneStyle {
  return { palette: 'mono', unicode, color: false };
}

/** Rows of the outlier row, the times and the legend. */
const OTHER_ROWS = 3;

/** How many columns and bins a heat map has in text of this size. */
export function layoutText(width: number, rows: number, unicode: boolean): PaneLayout {
  return layoutPane(width, rows + OTHER_ROWS, styleOf(unicode));
}

/** The narrowest layout with this many columns. Where the axis does not fit, a single column is left of any width. */
function narrowest(columns: number, layoutOf: (width: number) => PaneLayout): PaneLayout {
  for (let width = columns; ; width++) {
    const layout = layoutOf(width);
    const isWhole = layout.map.width === columns && layoutOf(width + 1).map.width !== columns;
    if (isWhole || width > 2 * columns + MOST_MARGIN) return layout;
  }
}

/** More than the axis and rates left of a heat map need. */
const MOST_MARGIN = 64;

/** The picture as plain text, as wide as its columns require. */
export function drawText(figure: Figure, unicode: boolean): string {
  const { facts, live } = figure;
  const clockBase = facts.hasWallClock ? facts.clockBase : zeroAtStart();
  const layers = layersOf(figure);
  const options = { style: styleOf(unicode), clockBase, frozenAtNs: live.map.endNs, layers };
  const lines = [
    titleOf(figure),
    ...linesOf(figure),
    figure.maps.length > 1
      ? 'total latency of each layer, queue and device of disks'
      : axisTitle(figure),
    '',
    ...blockLines(drawWithNotes(figure, options)),
    '',
    ...noteLines(figure),
    ...percentileLine(figure),
    ...slowestLines(figure),
    footerOf(figure),
  ];
  const safe = lines.map((line) => sanitizeText(line).trimEnd());
  return `${safe.map((line) => (unicode ? line : asciiText(line))).join('\n')}\n`;
}

function drawWithNotes(figure: Figure, options: PaneOptions): CellBlock {
  const { live, maps } = figure;
  const { unicode } = options.style;
  const { block, layout } =
    maps.length > 1 ? drawMaps(figure, options) : drawOne(figure, unicode, options);
  const { map, timeRow } = layout;
  if (timeRow === undefined) return block;
  const noted = notedColumns(notesOf(figure), live.map.startNs, live.map.columnNs);
  drawNotes(block, { x: map.x, width: map.width, timeRow }, noted, undefined, options.style);
  return block;
}

interface DrawnText {
  readonly block: CellBlock;
  readonly layout: Pick<PaneLayout, 'map' | 'timeRow'>;
}

function drawOne({ live }: Figure, unicode: boolean, options: PaneOptions): DrawnText {
  const { columns, bins } = live.map;
  const layout = narrowest(columns, (width) => layoutText(width, bins, unicode));
  return { block: drawPane(live, layout, options), layout };
}

/** Draws several maps above each other, over one row of times. */
function drawMaps({ maps, live }: Figure, options: PaneOptions): DrawnText {
  const { columns, bins } = live.map;
  const { style } = options;
  const height = maps.length * (bins + 1) + SHARED_HEIGHT;
  const stackOf = (width: number): readonly StackedPane[] =>
    layoutStack(maps.length, 'figures', { width, height, style });
  const { width } = narrowest(columns, (tried) => stackOf(tried)[0]!.layout);
  const panes = stackOf(width);
  const pictures = maps.map((one) => ({
    picture: one.live,
    title: one.title,
    isActive: one.live === live,
    layer: one.layer,
  }));
  const { blocks, shared } = drawStack(pictures, panes, options);
  const block = createCellBlock(shared.width, height);
  for (const [i, one] of blocks.entries()) blitCells(block, 0, panes[i]!.y, one);
  blitCells(block, 0, height - SHARED_HEIGHT, shared);
  return { block, layout: { map: panes[0]!.layout.map, timeRow: height - SHARED_HEIGHT } };
}

function noteLines(figure: Figure): string[] {
  const { facts } = figure;
  const time = new LocalTime(facts.clockBase, facts.hasWallClock);
  const lines = notesOf(figure).map(({ atNs, text }) => `${time.clock(atNs, 0)} ${text}`);
  return lines.length === 0 ? [] : ['Notes', ...lines, ''];
}

/** A clock base for a log without a calendar, which starts at local midnight because labels are local times. */
function zeroAtStart(): ClockBase {
  const minutes = new Date(0).getTimezoneOffset();
  return { monotonicNs: 0n, wallNs: BigInt(minutes) * 60_000_000_000n };
}

function blockLines({ width, height, glyph }: CellBlock): string[] {
  return Array.from({ length: height }, (_, y) =>
    String.fromCodePoint(...glyph.subarray(y * width, (y + 1) * width)),
  );
}

function percentileLine({ percentiles, live }: Figure): string[] {
  if (percentiles.length === 0) return [];
  const texts = percentiles.map(
    ({ name, value }) => `${name} ${formatValue(live.map.axisValues, value)}`,
  );
  return [texts.join('  '), ''];
}

function slowestLines(figure: Figure): string[] {
  const { contents, facts, layer, rankedBy } = figure;
  if (contents.slowest.length === 0) return [];
  const time = new LocalTime(facts.clockBase, facts.hasWallClock);
  const table: string[][] = [[...slowestHeadings(layer)]];
  for (const io of contents.slowest) table.push(slowestCells(io, time, layer));
  const slowest = formatDuration(rankedNs(contents.slowest[0]!, rankedBy));
  return [`${slowestTitle(figure)}, up to ${slowest}`, ...alignTable(table), ''];
}

/** `12`, `2.2k`, `44 MB/s`, `<0.01%`, `585ms`, or unknown. */
const FIGURE = /^(-|[<>]?\d[\d.,]*( ?[^\s\d,:]{1,4})?)?$/;

/** Aligns the cells of rows of equal length; figures to the right. */
export function alignTable(table: readonly (readonly string[])[]): string[] {
  const areFigures = table[0]!.map((_, column) =>
    table.slice(1).every((cells) => FIGURE.test(cells[column]!)),
  );
  const widths = table[0]!.map((_, column) =>
    Math.max(...table.map((cells) => cells[column]!.length)),
  );
  return table.map((cells) =>
    cells
      .map((cell, column) =>
        areFigures[column]! ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
