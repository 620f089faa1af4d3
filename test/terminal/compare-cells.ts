import { Attribute, DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';

/** What a blank shows of its attributes. */
const SEEN_ON_BLANKS = Attribute.inverse | Attribute.underline;

/** Which of the two halves of a cell a glyph fills with its foreground: upper, lower. */
const FILLED_HALVES = new Map<number, readonly [boolean, boolean]>([
  [0x20, [false, false]],
  [0x2580, [true, false]],
  [0x2584, [false, true]],
  [0x2588, [true, true]],
]);

/** Where two screens look different, in words; empty when a person sees the same. */
export function visibleDifferences(left: CellBlock, right: CellBlock): string[] {
  if (left.width !== right.width || left.height !== right.height)
    return [`${left.width}×${left.height} and ${right.width}×${right.height}`];
  const differences: string[] = [];
  for (let index = 0; index < left.glyph.length; index++) {
    const [a, b] = [look(left, index), look(right, index)];
    if (a === b) continue;
    const place = `x ${index % left.width} y ${Math.floor(index / left.width)}`;
    differences.push(`${place}: ${a}, then ${b}`);
  }
  return differences;
}

/** The same for cells that look the same: half blocks can be drawn upside down in swapped colours. */
function look({ glyph, fg, bg, attr }: CellBlock, index: number): string {
  const halves = FILLED_HALVES.get(glyph[index]!);
  const text = fg[index] === DEFAULT_COLOR ? 'default' : String(fg[index]!);
  const ground = bg[index] === DEFAULT_COLOR ? 'none' : String(bg[index]!);
  const bits = attr[index]!;
  if (halves !== undefined && (bits & SEEN_ON_BLANKS) === 0)
    return halves.map((isFilled) => (isFilled ? text : ground)).join(' over ');
  const name = JSON.stringify(String.fromCodePoint(glyph[index]!));
  return `${name} in ${text} on ${ground} with attributes ${bits}`;
}
