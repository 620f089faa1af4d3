/** A part of a cell, in eighths of its width and height: x, y, width, height. */
export type Part = readonly [x: number, y: number, width: number, height: number];

const UPPER_LEFT: Part = [0, 0, 4, 4];
const UPPER_RIGHT: Part = [4, 0, 4, 4];
const LOWER_LEFT: Part = [0, 4, 4, 4];
const LOWER_RIGHT: Part = [4, 4, 4, 4];

/** U+2596 to U+259F. */
const QUADRANTS: readonly (readonly Part[])[] = [
  [LOWER_LEFT],
  [LOWER_RIGHT],
  [UPPER_LEFT],
  [UPPER_LEFT, LOWER_LEFT, LOWER_RIGHT],
  [UPPER_LEFT, LOWER_RIGHT],
  [UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT],
  [UPPER_LEFT, UPPER_RIGHT, LOWER_RIGHT],
  [UPPER_RIGHT],
  [UPPER_RIGHT, LOWER_LEFT],
  [UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT],
];

/**
 * What a block element fills of its cell; undefined for every other character. Drawn by geometry,
 * because fonts leave gaps between blocks. The shades U+2591 to U+2593 are not among them.
 */
export function blockParts(codePoint: number): readonly Part[] | undefined {
  if (codePoint === 0x2580) return [[0, 0, 8, 4]];
  if (codePoint >= 0x2581 && codePoint <= 0x2588) {
    const height = codePoint - 0x2580;
    return [[0, 8 - height, 8, height]];
  }
  if (codePoint >= 0x2589 && codePoint <= 0x258f) return [[0, 0, 0x2590 - codePoint, 8]];
  if (codePoint === 0x2590) return [[4, 0, 4, 8]];
  if (codePoint === 0x2594) return [[0, 0, 8, 1]];
  if (codePoint === 0x2595) return [[7, 0, 1, 8]];
  return QUADRANTS[codePoint - 0x2596];
}
