import type { Heatmap } from '../../heatmap/time/heatmap.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { DiskShares } from '../../model/disk-shares.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import type { Figure } from './figure.ts';
import type { FigureLayout } from './figure-layout.ts';
import { timeX, valueY } from './figure-layout.ts';
import { LocalTime } from './local-time.ts';
import { INK, QUIET, RULE, svgLine, svgText } from './svg-text.ts';
import { shorten, textWidth } from './text-width.ts';
import { slowestCells, slowestHeadings, slowestTitle } from './slowest-lines.ts';

const SIZE = 12;
const ROW = 18;
const RADIUS = 8;
const GAP = 18;
/** Longer names are shortened, so that the other columns have room. */
const MOST_WIDTH = 230;

/** The slowest I/Os as a table below the legend. Also returns the bottom edge of what it draws. */
export function drawSlowest(
  figure: Figure,
  layout: FigureLayout,
  top: number,
): { svg: string; y: number } {
  const { layer } = figure;
  const { slowest } = figure.contents;
  if (slowest.length === 0) return { svg: '', y: top };
  const time = new LocalTime(figure.facts.clockBase, figure.facts.hasWallClock);
  const rows = slowest.map((io, i) => [`${i + 1}`, ...slowestCells(io, time, layer)]);
  const table = [[slowestTitle(figure), ...slowestHeadings(layer)], ...rows];
  const columns = columnPlaces(table, layout);
  const svg = [svgLine(layout.plot.x, top, layout.plot.x + layout.plot.width, top, RULE)];
  let y = top;
  for (const [r, cells] of table.entries()) {
    y += ROW;
    const style = r === 0 ? { size: SIZE, fill: QUIET } : { size: SIZE, fill: INK };
    cells.forEach((cell, i) => {
      const text = shorten(cell, SIZE, MOST_WIDTH);
      if (text !== '') svg.push(svgText(columns[i]!, y, text, style));
    });
  }
  return { svg: svg.join(''), y };
}

function columnPlaces(table: readonly string[][], layout: FigureLayout): number[] {
  let x = layout.plot.x;
  return table[0]!.map((_, column) => {
    const at = x;
    const widths = table.map((cells) => Math.min(MOST_WIDTH, textWidth(cells[column]!, SIZE)));
    x += Math.max(...widths) + GAP;
    return at;
  });
}

/** Draws the numbers of the slowest I/Os in the plot, each at a ring; one that would cover another is left out. */
export function drawMarks(figure: Figure, layout: FigureLayout): string {
  const { map } = figure.live;
  const placed: Place[] = [];
  const marks = figure.contents.slowest.map((io, i) => {
    const value = valueOf(io, map);
    if (value === undefined) return '';
    const isAbove = value >= map.scale.domain.high;
    const y = isAbove ? layout.outlierRow.y + 6 : valueY(layout, map, value);
    const x = timeX(layout, map, io.completeNs);
    if (placed.some((one) => isNear(one, { x, y }))) return '';
    placed.push({ x, y });
    return mark(x, y, String(i + 1), layout);
  });
  return marks.join('');
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Whether one mark is inside the other's ring, or under its number. */
function isNear(a: Place, b: Place): boolean {
  return Math.abs(a.x - b.x) < 4.5 * RADIUS && Math.abs(a.y - b.y) < 2 * RADIUS + 2;
}

/** A ring around the I/O, which stays visible in its middle, with the number next to it. */
function mark(x: number, y: number, text: string, { plot }: FigureLayout): string {
  const isRight = x > plot.x + plot.width - 30;
  const at = isRight ? x - RADIUS - 3 : x + RADIUS + 3;
  const anchor = isRight ? 'end' : 'start';
  const ring = (stroke: string, width: number): string =>
    `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${RADIUS}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`;
  const halo = `<g stroke="#fff" stroke-width="3" stroke-linejoin="round">${svgText(at, y + 4, text, { size: SIZE, anchor, bold: true })}</g>`;
  const label = svgText(at, y + 4, text, { size: SIZE, anchor, bold: true, fill: '#b00020' });
  return ring('#fff', 3.5) + ring('#b00020', 1.6) + halo + label;
}

function valueOf(io: SingleIo, { metric, shares }: Heatmap): number | undefined {
  switch (metric) {
    case 'device':
      return io.deviceNs;
    case 'queue':
      return io.queueNs;
    case 'total':
      return io.totalNs;
    case 'size':
      return io.bytes === 0 ? undefined : io.bytes;
    case 'offset':
      return offsetOf(io, shares);
    case 'file-offset':
      return io.fileOffset;
    case 'utilization':
      return undefined;
  }
}

/** On the axis: in bytes, or as a share of its disk; undefined where the size of the disk is not known. */
function offsetOf({ sector, dev }: SingleIo, shares: DiskShares | undefined): number | undefined {
  if (sector === undefined) return undefined;
  const bytes = sector * SECTOR_BYTES;
  if (shares === undefined) return bytes;
  const size = shares.disks.find((disk) => disk.dev === dev)?.sizeBytes;
  return size === undefined ? undefined : bytes / size;
}
