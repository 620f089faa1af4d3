import type { CellBlock } from '../base/cell-block.ts';
import { DEFAULT_COLOR } from '../base/cell-block.ts';
import { ByteWriter } from './byte-writer.ts';
import { SPACE } from './grid.ts';
import { Pen } from './pen.ts';

/**
 * The cells as lines of text, for a pipe or a file. With `color`, every line ends by resetting the colours; without,
 * it is plain text, without trailing spaces.
 */
export function blockText(block: CellBlock, color: boolean): string {
  const out = new ByteWriter();
  const pen = color ? new Pen(out) : undefined;
  for (let y = 0; y < block.height; y++) {
    const end = lineEnd(block, y, color);
    for (let i = y * block.width; i < end; i++) {
      pen?.set(block.fg[i]!, block.bg[i]!, block.attr[i]!);
      out.glyph(block.glyph[i]!);
    }
    pen?.set(DEFAULT_COLOR, DEFAULT_COLOR, 0);
    out.ascii('\n');
  }
  return Buffer.from(out.take()).toString('utf8');
}

/** Index after the last visible cell of line `y`. */
function lineEnd(block: CellBlock, y: number, color: boolean): number {
  let end = (y + 1) * block.width;
  while (end > y * block.width && isBlank(block, end - 1, color)) end--;
  return end;
}

function isBlank(block: CellBlock, i: number, color: boolean): boolean {
  if (block.glyph[i] !== SPACE) return false;
  return !color || (block.bg[i] === DEFAULT_COLOR && block.attr[i] === 0);
}
