import { DEFAULT_COLOR, TRUE_COLOR } from '../base/cell-block.ts';
import { FIRST_16, paletteRgb } from '../base/xterm-colors.ts';

/** Number of colours that the terminal supports: none, 16, 256, or 24 bits. */
export const COLOR_DEPTHS = ['none', '16', '256', 'truecolor'] as const;
export type ColorDepth = (typeof COLOR_DEPTHS)[number];

/** Converts any cell colour to one that the terminal supports. */
export class ColorMap {
  private readonly palette: Int16Array;

  constructor(private readonly depth: ColorDepth) {
    this.palette = Int16Array.from({ length: 256 }, (_, color) => reduce(color, depth));
  }

  map(color: number): number {
    return color >= 0 && color <= 0xff ? this.palette[color]! : this.mapOther(color);
  }

  private mapOther(color: number): number {
    return color === DEFAULT_COLOR ? DEFAULT_COLOR : reduce(color, this.depth);
  }
}

function reduce(color: number, depth: ColorDepth): number {
  switch (depth) {
    case 'none':
      return DEFAULT_COLOR;
    case '16':
      return to16(validColor(color));
    case '256':
      return to256(validColor(color));
    case 'truecolor':
      return validColor(color);
  }
}

/** Invalid colours become the default colour. */
function validColor(color: number): number {
  if (color < 0) return DEFAULT_COLOR;
  if (color <= 0xff) return color;
  return color >= TRUE_COLOR && color <= (TRUE_COLOR | 0xffffff) ? color : DEFAULT_COLOR;
}

function to256(color: number): number {
  if (color < TRUE_COLOR) return color;
  const red = (color >> 16) & 0xff;
  const green = (color >> 8) & 0xff;
  const blue = color & 0xff;
  const cube = 16 + 36 * cubeStep(red) + 6 * cubeStep(green) + cubeStep(blue);
  const grey = 232 + greyStep((red + green + blue) / 3);
  return distance(PALETTE[cube]!, color) <= distance(PALETTE[grey]!, color) ? cube : grey;
}

function to16(color: number): number {
  if (color < 16) return color;
  return color < TRUE_COLOR ? PALETTE_TO_16[color]! : nearest16(color);
}

function cubeStep(channel: number): number {
  if (channel < 48) return 0;
  return channel < 115 ? 1 : Math.min(5, Math.floor((channel - 35) / 40));
}

function greyStep(level: number): number {
  return Math.max(0, Math.min(23, Math.round((level - 8) / 10)));
}

const PALETTE = Int32Array.from({ length: 256 }, (_, index) => paletteRgb(index));
const PALETTE_TO_16 = Uint8Array.from(PALETTE, nearest16);

function nearest16(rgb: number): number {
  let best = 0;
  for (let index = 1; index < 16; index++) {
    if (distance(FIRST_16[index]!, rgb) < distance(FIRST_16[best]!, rgb)) best = index;
  }
  return best;
}

/** The squared distance in RGB; bits above the three channels are ignored. */
function distance(a: number, b: number): number {
  const red = ((a >> 16) & 0xff) - ((b >> 16) & 0xff);
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff);
  const blue = (a & 0xff) - (b & 0xff);
  return red * red + green * green + blue * blue;
}
