import { createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import type { MapCell } from '../../view/state.ts';
import { blitCells } from '../../base/blit-cells.ts';
import type { PictureView } from './picture-view.ts';

/**
 * The part of a picture that fits `height` rows, under a panel that covers the rest: its times or x axis,
 * and above them the rows from the top, or from further down where the marks would be hidden otherwise.
 */
export function windowOf(
  block: CellBlock,
  { rowOf, axisRow }: Pick<PictureView, 'rowOf' | 'axisRow'>,
  { cursor, anchor = cursor }: { readonly cursor?: MapCell; readonly anchor?: MapCell },
  height: number,
): CellBlock {
  const window = createCellBlock(block.width, height);
  const hasAxis = axisRow !== undefined && height > 1;
  const room = hasAxis ? height - 1 : height;
  const marked = [cursor, anchor].flatMap((cell) => (cell === undefined ? [] : [rowOf(cell.bin)]));
  // Includes the outline. For a box that is higher than the window, its upper end.
  const [top, bottom] = [Math.min(...marked) - 1, Math.max(...marked) + 1];
  const first = Math.max(0, Math.min(top, bottom + 1 - room));
  const last = (axisRow ?? block.height) - room;
  blitCells(window, 0, -Math.min(first, Math.max(0, last)), block);
  if (hasAxis) blitCells(window, 0, height - 1, rowAt(block, axisRow));
  return window;
}

function rowAt(block: CellBlock, y: number): CellBlock {
  const row = createCellBlock(block.width, 1);
  blitCells(row, 0, -y, block);
  return row;
}
