import type { CellBlock } from '../../src/base/cell-block.ts';
import { blockLines } from '../../src/terminal/block-text.ts';

/** The cells as lines of plain text. */
export function plainText(block: CellBlock): string {
  return blockLines(block, false)
    .map(([line]) => `${line?.text ?? ''}\n`)
    .join('');
}
