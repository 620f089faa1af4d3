import { createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import type { Line } from './span.ts';
import type { Theme } from './theme.ts';

/** Lines as cells; clipped, and padded with blanks. */
export function lineBlock(
  lines: readonly Line[],
  theme: Theme,
  width: number,
  height = lines.length,
): CellBlock {
  const block = createCellBlock(width, height);
  for (const [y, line] of lines.slice(0, height).entries()) putLine(block, 0, y, line, theme);
  return block;
}

/** Writes a line into a block from (x, y), clipped. */
export function putLine(block: CellBlock, x: number, y: number, line: Line, theme: Theme): void {
  let at = x;
  for (const { text, role } of line) {
    const { fg, attr } = theme.look(role);
    // Text is sanitised: one code unit is one column.
    for (let i = 0; i < text.length && at < block.width; i++, at++) {
      const cell = y * block.width + at;
      block.glyph[cell] = text.charCodeAt(i);
      block.fg[cell] = fg;
      block.attr[cell] = attr;
    }
  }
}
