import { type CellBlock, createCellBlock } from '../../src/base/cell-block.ts';
import type { SeededRandom } from '../random.ts';

const UPPER_HALF = 0x2580;
const RAMP = [16, 17, 18, 19, 20, 26, 32, 38, 44, 43, 42, 77, 113, 149, 185, 226] as const;

/** A heat map in the making: two noisy bands on a 16-colour ramp, over an empty background. */
export class NoisyHeatmap {
  readonly block: CellBlock;

  constructor(
    width: number,
    height: number,
    private readonly random: SeededRandom,
  ) {
    this.block = createCellBlock(width, height);
    for (let i = 0; i < width; i++) this.scroll();
  }

  /** Moves everything left by one column and adds a new one. */
  scroll(): void {
    const { width, height, glyph, fg, bg } = this.block;
    for (let y = 0; y < height; y++) {
      const row = y * width;
      for (const plane of [glyph, fg, bg]) plane.copyWithin(row, row + 1, row + width);
      glyph[row + width - 1] = UPPER_HALF;
      fg[row + width - 1] = this.level(2 * y);
      bg[row + width - 1] = this.level(2 * y + 1);
    }
  }

  private level(bin: number): number {
    const share = bin / (2 * this.block.height);
    const isBand = (share > 0.2 && share < 0.4) || (share > 0.65 && share < 0.9);
    return RAMP[isBand ? this.random.below(RAMP.length) : 0]!;
  }
}
