/**
 * A rectangle of terminal cells, row by row, which rasters and text renderers produce and the screen draws. `index =
 * y * width + x`.
 */
export interface CellBlock {
  readonly width: number;
  readonly height: number;
  /** Code points, each one column wide. */
  readonly glyph: Uint32Array;
  /** `DEFAULT_COLOR`, a palette index 0–255, or `TRUE_COLOR | 0xrrggbb`. */
  readonly fg: Int32Array;
  readonly bg: Int32Array;
  /** Bits of `Attribute`. */
  readonly attr: Uint8Array;
}

export const DEFAULT_COLOR = -1;
export const TRUE_COLOR = 0x1000000;

export const Attribute = { bold: 1, dim: 2, italic: 4, underline: 8, inverse: 16 } as const;

/** Code points that fill a cell: not at all, half and whole. */
export const SPACE = 0x20;
export const UPPER_HALF = 0x2580;
export const LOWER_HALF = 0x2584;
export const FULL = 0x2588;

export function createCellBlock(width: number, height: number): CellBlock {
  const cells = width * height;
  return {
    width,
    height,
    glyph: new Uint32Array(cells).fill(SPACE),
    fg: new Int32Array(cells).fill(DEFAULT_COLOR),
    bg: new Int32Array(cells).fill(DEFAULT_COLOR),
    attr: new Uint8Array(cells),
  };
}
