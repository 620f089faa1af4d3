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

const BRAILLE = 0x2800;
/** Column and row of the dot of each bit. */
const DOTS: readonly (readonly [column: number, row: number])[] = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
];

function brailleParts(dots: number): Part[] {
  return DOTS.filter((_, bit) => (dots & (1 << bit)) !== 0).map(([column, row]) => [
    column * 4 + 1,
    row * 2 + 0.5,
    2,
    1,
  ]);
}

/**
 * What a block element or a braille pattern fills of its cell; undefined for every other character.
 * Drawn by geometry, because fonts leave gaps between blocks and have braille of other widths. The shades U+2591 to U+2593 are not among them.
 */
export function blockParts(codePoint: number): readonly Part[] | undefined {
  if (codePoint >= BRAILLE && codePoint <= BRAILLE + 0xff) return brailleParts(codePoint - BRAILLE);
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
