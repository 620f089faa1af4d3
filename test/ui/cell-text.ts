import { Attribute, DEFAULT_COLOR, TRUE_COLOR } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';

/** The glyphs of a block, one line of text per row. */
export function glyphRows(block: CellBlock): string[] {
  return rowsOf(block, (at) => String.fromCodePoint(block.glyph[at] ?? 0));
}

/** How cells look, one character each: `.` plain, a letter per look otherwise, as `legend` says. */
export function styleRows(block: CellBlock, legend: Map<string, string>): string[] {
  return rowsOf(block, (at) => {
    const look = lookOf(block, at);
    if (look === 'plain') return '.';
    const known = legend.get(look) ?? String.fromCharCode(0x41 + legend.size);
    legend.set(look, known);
    return known;
  });
}

function rowsOf({ width, height }: CellBlock, cell: (at: number) => string): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => cell(y * width + x)).join(''),
  );
}

function lookOf({ fg, bg, attr }: CellBlock, at: number): string {
  const words = Object.entries(Attribute)
    .filter(([, bit]) => ((attr[at] ?? 0) & bit) !== 0)
    .map(([name]) => name);
  if (fg[at] !== DEFAULT_COLOR) words.push(`fg ${colorName(fg[at] ?? 0)}`);
  if (bg[at] !== DEFAULT_COLOR) words.push(`bg ${colorName(bg[at] ?? 0)}`);
  return words.length === 0 ? 'plain' : words.join(' ');
}

function colorName(color: number): string {
  return color >= TRUE_COLOR ? `#${(color - TRUE_COLOR).toString(16)}` : String(color);
}
