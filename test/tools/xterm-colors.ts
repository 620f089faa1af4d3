import { TRUE_COLOR } from '../../src/base/cell-block.ts';
import { paletteRgb } from '../../src/base/xterm-colors.ts';

/** 0xrrggbb of a cell's colour from 16 on: cube, greys, or exact. */
export function rgbOfCell(color: number): number {
  if (color < 16) throw new Error(`the user chooses what colour ${color} is`);
  return color >= TRUE_COLOR ? color & 0xffffff : paletteRgb(color);
}
