import { DEFAULT_COLOR, TRUE_COLOR } from '../base/cell-block.ts';

/** How many colours the terminal can show: no colour at all, 16, 256, or 24 bits. */
export const COLOR_DEPTHS = ['none', '16', '256', 'truecolor'] as const;
export type ColorDepth = (typeof COLOR_DEPTHS)[number];

/** Reduces any cell colour to one that the terminal has. */
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

/** Anything that is not a colour is the default colour. */
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

const CUBE_LEVELS = [0, 95, 135, 175, 215, 255] as const;

function cubeStep(channel: number): number {
  if (channel < 48) return 0;
  return channel < 115 ? 1 : Math.min(5, Math.floor((channel - 35) / 40));
}

function greyStep(level: number): number {
  return Math.max(0, Math.min(23, Math.round((level - 8) / 10)));
}

/** xterm's colours; what a person has configured for the first 16 cannot be known. */
const FIRST_16 = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
  0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
] as const;

const PALETTE = Int32Array.from({ length: 256 }, (_, index) => paletteRgb(index));
const PALETTE_TO_16 = Uint8Array.from(PALETTE, nearest16);

function paletteRgb(index: number): number {
  const first = FIRST_16[index];
  if (first !== undefined) return first;
  if (index >= 232) return (8 + (index - 232) * 10) * 0x010101;
  const cube = index - 16;
  const red = CUBE_LEVELS[Math.floor(cube / 36)]!;
  const green = CUBE_LEVELS[Math.floor(cube / 6) % 6]!;
  return (red << 16) | (green << 8) | CUBE_LEVELS[cube % 6]!;
}

function nearest16(rgb: number): number {
  let best = 0;
  for (let index = 1; index < 16; index++) {
    if (distance(FIRST_16[index]!, rgb) < distance(FIRST_16[best]!, rgb)) best = index;
  }
  return best;
}

/** Squared, in RGB; bits above the three channels are ignored. */
function distance(a: number, b: number): number {
  const red = ((a >> 16) & 0xff) - ((b >> 16) & 0xff);
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff);
  const blue = (a & 0xff) - (b & 0xff);
  return red * red + green * green + blue * blue;
}
