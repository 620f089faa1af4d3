import { createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { boxOfCells } from '../../heatmap/cells/box-of-cells.ts';
import type { LiveHeatmap } from '../../heatmap/time/live-heatmap.ts';
import { fullerBin, notableCell, slowestCell } from '../../heatmap/cells/notable-cell.ts';
import { drawStack, layoutStack, SHARED_HEIGHT } from '../../raster/draw-stack.ts';
import type { StackedPane } from '../../raster/draw-stack.ts';
import { activeMap, mapTitle } from '../../view/stack.ts';
import type { StackedMap } from '../../view/stack.ts';
import type { MapCell } from '../../view/state.ts';
import { blitCells } from '../../base/blit-cells.ts';
import { drawReadout, readoutLine, readoutOf } from './cursor-readout.ts';
import { drawCursor, drawMoment, markTimesAt, rowOf } from './draw-cursor.ts';
import { once, paneOptions, stampOf } from './picture-view.ts';
import type { PictureParts, PictureView, PointedMap } from './picture-view.ts';
import { axisRanges, pictureOf } from './single-view.ts';

/** Several maps above each other, on one time axis; the cursor is in one of them. */
export function stackedView(parts: PictureParts, stack: readonly StackedMap[]): PictureView {
  const { monitor, view, endNs, height } = parts;
  const isOfLayers = view.layout === 'layers';
  const panes = layoutStack(stack.length, isOfLayers ? 'figures' : 'rates', parts);
  const active = activeMap(stack, view);
  const pictures = stack.map(({ layer, metric }, i) => {
    const valueRange = i === active ? view.valueRange : undefined;
    return { ...pictureOf({ ...view, valueRange, metric }, panes[i]!.layout), layer };
  });
  const shown = once(() => monitor.showAll(pictures, endNs, parts.shouldYield));
  const current = (): LiveHeatmap => shown()[active]!;
  const { layout } = panes[active]!;
  const { map } = layout;
  const pointed = (i: number): PointedMap => ({
    ...pointedPane(panes[i]!),
    ranges: () => axisRanges(shown()[i]!.map, panes[i]!.layout),
  });
  return {
    columns: map.width,
    bins: layout.bins,
    timeColumns: map.width,
    scrolling: { ...map, y: 0, height: height - 1 },
    stamp: () =>
      shown()
        .map((one) => stampOf(one.map.version, one))
        .join(' '),
    startNs: () => current().map.startNs,
    draw: () => drawStacked(parts, panes, shown(), stack, active),
    rowOf: (bin) => panes[active]!.y + (rowOf(layout, bin) ?? map.y),
    axisRow: height - SHARED_HEIGHT,
    pointed: { ...pointed(active), others: othersOf(stack, active, pointed) },
    fullerBin: (at) => fullerBin(current().map, at),
    notableCell: () => notableCell(current().map),
    cellOfSlowest: ({ atNs, withinNs }) => slowestCell(current().map, atNs, withinNs),
    boxOf: (a, b) => boxOfCells(current().map, a.column, b.column, a.bin, b.bin),
  };
}

function othersOf(
  stack: readonly StackedMap[],
  active: number,
  pointed: (i: number) => PointedMap,
): PointedMap['others'] {
  return stack.flatMap((stacked, i) => (i === active ? [] : [{ ...pointed(i), stacked }]));
}

/** Converts from the pane of one map to the whole picture. */
function pointedPane({ layout, y }: StackedPane): PointedMap {
  const { map, outlierRow } = layout;
  return {
    ...layout,
    map: { ...map, y: map.y + y },
    outlierRow: outlierRow === undefined ? undefined : outlierRow + y,
  };
}

function drawStacked(
  parts: PictureParts,
  panes: readonly StackedPane[],
  maps: readonly LiveHeatmap[],
  stack: readonly StackedMap[],
  active: number,
): CellBlock {
  const { monitor, view, width, height, style, theme } = parts;
  const { clockBase } = monitor.source.info;
  const pictures = maps.map((picture, i) => ({
    picture,
    title: mapTitle(view.layout, stack[i]!),
    isActive: i === active,
    layer: stack[i]!.layer,
  }));
  const layers = stack.map(({ layer }) => layer);
  const { blocks, shared } = drawStack(pictures, panes, { ...paneOptions(parts), layers });
  const whole = createCellBlock(width, height);
  const { cursor, anchor } = view;
  const { layout } = panes[active]!;
  if (cursor !== undefined) {
    drawCursor(blocks[active]!, layout, style, cursor, anchor);
    const { layer } = stack[active]!;
    const readout = { ...readoutOf(maps[active]!.map, cursor, anchor), layer };
    const line = readoutLine(readout, clockBase, width);
    drawReadout(shared, { legendRow: 1, width }, line, theme);
    markOthers(blocks, panes, active, style, cursor, anchor);
    markTimesAt(shared, { map: layout.map, timeRow: 0 }, style, cursor, anchor);
  }
  for (const [i, block] of blocks.entries()) blitCells(whole, 0, panes[i]!.y, block);
  blitCells(whole, 0, height - shared.height, shared);
  return whole;
}

/** The same moment in the other maps: a line upwards through what is empty. */
function markOthers(
  blocks: readonly CellBlock[],
  panes: readonly StackedPane[],
  active: number,
  style: PictureParts['style'],
  cursor: MapCell,
  anchor: MapCell | undefined,
): void {
  for (const [i, block] of blocks.entries()) {
    if (i === active) continue;
    for (const { column } of anchor === undefined ? [cursor] : [cursor, anchor])
      drawMoment(block, panes[i]!.layout, style, column);
  }
}
