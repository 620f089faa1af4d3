/** Height of all letters, in rows. */
export const FONT_ROWS = 5;

/** Rows from the top; `#` is painted. Pixels of a heat map are large, so letters are at most five columns wide. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  A: ['.##.', '#..#', '####', '#..#', '#..#'],
  B: ['###.', '#..#', '###.', '#..#', '###.'],
  C: ['.###', '#...', '#...', '#...', '.###'],
  D: ['###.', '#..#', '#..#', '#..#', '###.'],
  E: ['####', '#...', '###.', '#...', '####'],
  F: ['####', '#...', '###.', '#...', '#...'],
  G: ['.###', '#...', '#.##', '#..#', '.###'],
  H: ['#..#', '#..#', '####', '#..#', '#..#'],
  I: ['###', '.#.', '.#.', '.#.', '###'],
  J: ['..##', '...#', '...#', '#..#', '.##.'],
  K: ['#..#', '#.#.', '##..', '#.#.', '#..#'],
  L: ['#...', '#...', '#...', '#...', '####'],
  M: ['#...#', '##.##', '#.#.#', '#...#', '#...#'],
  N: ['#...#', '##..#', '#.#.#', '#..##', '#...#'],
  O: ['.##.', '#..#', '#..#', '#..#', '.##.'],
  P: ['###.', '#..#', '###.', '#...', '#...'],
  Q: ['.##.', '#..#', '#..#', '#.##', '.###'],
  R: ['###.', '#..#', '###.', '#.#.', '#..#'],
  S: ['.###', '#...', '.##.', '...#', '###.'],
  T: ['#####', '..#..', '..#..', '..#..', '..#..'],
  U: ['#..#', '#..#', '#..#', '#..#', '.##.'],
  V: ['#...#', '#...#', '.#.#.', '.#.#.', '..#..'],
  W: ['#...#', '#...#', '#.#.#', '##.##', '#...#'],
  X: ['#...#', '.#.#.', '..#..', '.#.#.', '#...#'],
  Y: ['#...#', '.#.#.', '..#..', '..#..', '..#..'],
  Z: ['####', '..#.', '.#..', '#...', '####'],
  '0': ['.##.', '#.##', '##.#', '#..#', '.##.'],
  '1': ['.#.', '##.', '.#.', '.#.', '###'],
  '2': ['###.', '...#', '.##.', '#...', '####'],
  '3': ['###.', '...#', '.##.', '...#', '###.'],
  '4': ['#..#', '#..#', '####', '...#', '...#'],
  '5': ['####', '#...', '###.', '...#', '###.'],
  '6': ['.##.', '#...', '###.', '#..#', '.##.'],
  '7': ['####', '...#', '..#.', '.#..', '.#..'],
  '8': ['.##.', '#..#', '.##.', '#..#', '.##.'],
  '9': ['.##.', '#..#', '.###', '...#', '.##.'],
  '!': ['#', '#', '#', '.', '#'],
  '.': ['.', '.', '.', '.', '#'],
  '-': ['...', '...', '###', '...', '...'],
  '+': ['...', '.#.', '###', '.#.', '...'],
  ':': ['.', '#', '.', '#', '.'],
  '/': ['...#', '..#.', '.##.', '.#..', '#...'],
  '?': ['###.', '...#', '.##.', '....', '.#..'],
  ' ': ['..', '..', '..', '..', '..'],
};

/** Letters that can be painted. */
export const PAINTABLE = Object.keys(GLYPHS).join('');

/** One column of a picture: whether each row is painted, row 0 at the bottom. */
export type PaintedColumn = readonly boolean[];

/** The letter's columns; undefined for an unknown letter. Lower case is painted as upper case. */
export function glyphColumns(letter: string): PaintedColumn[] | undefined {
  const rows = GLYPHS[letter.toUpperCase()];
  if (rows === undefined) return undefined;
  const bottomUp = [...rows].reverse();
  return Array.from(rows[0] ?? '', (_, column) => bottomUp.map((row) => row[column] === '#'));
}

const GAP: PaintedColumn = Array.from({ length: FONT_ROWS }, () => false);

/** The whole text, with an empty column between letters; undefined if a letter is unknown. */
export function textColumns(text: string): PaintedColumn[] | undefined {
  const glyphs = Array.from(text, glyphColumns);
  if (glyphs.includes(undefined)) return undefined;
  return glyphs.flatMap((glyph, index) => (index === 0 ? glyph! : [GAP, ...glyph!]));
}
