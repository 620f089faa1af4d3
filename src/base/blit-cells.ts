import type { CellBlock } from './cell-block.ts';

/** Copies `source` into `target` with its top left corner at (x, y); the rest is clipped. */
export function blitCells(target: CellBlock, x: number, y: number, source: CellBlock): void {
  const width = Math.max(0, Math.min(source.width, target.width - x));
  const height = Math.min(source.height, target.height - y);
  for (let row = Math.max(0, -y); row < height; row++) {
    const from = row * source.width;
    const to = (y + row) * target.width + x;
    target.glyph.set(source.glyph.subarray(from, from + width), to);
    target.fg.set(source.fg.subarray(from, from + width), to);
    target.bg.set(source.bg.subarray(from, from + width), to);
    target.attr.set(source.attr.subarray(from, from + width), to);
  }
}
