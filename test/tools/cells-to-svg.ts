import { Attribute } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { blockParts } from './block-shapes.ts';
import { blend, cellColors, DARK, hex } from './picture-colors.ts';
import type { Ground } from './picture-colors.ts';

/** Half a cell is a square, as in most terminals. */
const CELL_WIDTH = 8;
const CELL_HEIGHT = 16;
/** A character of DejaVu Sans Mono and of Menlo is 0.602 of the font size wide. */
const FONT_SIZE = 13.29;
const BASELINE = 12.5;
const FONTS = "'DejaVu Sans Mono','Menlo','Liberation Mono','Consolas',monospace";
const MARGIN = 8;
const SPACE = 0x20;
const LIGHT_SHADE = 0x2591;
const DARK_SHADE = 0x2593;

/** Rectangles of one colour as one path; neighbours are joined. */
class Paths {
  private readonly data = new Map<number, string[]>();
  private readonly open = new Map<number, [x: number, y: number, width: number, height: number]>();

  add(color: number, x: number, y: number, width: number, height: number): void {
    const last = this.open.get(color);
    if (last !== undefined && last[1] === y && last[3] === height && last[0] + last[2] === x) {
      last[2] += width;
      return;
    }
    this.close(color);
    this.open.set(color, [x, y, width, height]);
  }

  toString(): string {
    for (const color of [...this.open.keys()]) this.close(color);
    return [...this.data]
      .map(([color, parts]) => `<path fill="${hex(color)}" d="${parts.join('')}"/>\n`)
      .join('');
  }

  private close(color: number): void {
    const rectangle = this.open.get(color);
    if (rectangle === undefined) return;
    this.open.delete(color);
    const [x, y, width, height] = rectangle;
    const part = `M${x} ${y}h${width}v${height}h${-width}z`;
    const parts = this.data.get(color);
    if (parts === undefined) this.data.set(color, [part]);
    else parts.push(part);
  }
}

/** A terminal screen as a picture that stays sharp at any size. */
export function cellsToSvg(block: CellBlock, ground = DARK): string {
  const width = block.width * CELL_WIDTH + 2 * MARGIN;
  const height = block.height * CELL_HEIGHT + 2 * MARGIN;
  const backgrounds = new Paths();
  const blocks = new Paths();
  const texts: string[] = [];
  for (let y = 0; y < block.height; y++) {
    addBackgrounds(block, y, ground, backgrounds);
    addBlocks(block, y, ground, blocks);
    addTexts(block, y, ground, texts);
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}">\n` +
    `<rect width="${width}" height="${height}" rx="6" fill="${hex(ground.background)}"/>\n` +
    `<g transform="translate(${MARGIN} ${MARGIN})">\n` +
    `<g shape-rendering="crispEdges">\n${String(backgrounds)}${String(blocks)}</g>\n` +
    `<g font-family="${FONTS}" font-size="${FONT_SIZE}">\n${texts.join('\n')}\n</g>\n</g>\n</svg>\n`
  );
}

function addBackgrounds(block: CellBlock, y: number, ground: Ground, paths: Paths): void {
  for (let x = 0; x < block.width; x++) {
    const { bg } = cellColors(block, y * block.width + x, ground);
    if (bg !== ground.background) {
      paths.add(bg, x * CELL_WIDTH, y * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT);
    }
  }
}

function addBlocks(block: CellBlock, y: number, ground: Ground, paths: Paths): void {
  for (let x = 0; x < block.width; x++) {
    const index = y * block.width + x;
    const glyph = block.glyph[index]!;
    const { fg, bg } = cellColors(block, index, ground);
    const left = x * CELL_WIDTH;
    const top = y * CELL_HEIGHT;
    if (glyph >= LIGHT_SHADE && glyph <= DARK_SHADE) {
      const shade = blend(fg, bg, (glyph - LIGHT_SHADE + 1) / 4);
      paths.add(shade, left, top, CELL_WIDTH, CELL_HEIGHT);
    }
    for (const [px, py, width, height] of blockParts(glyph) ?? []) {
      paths.add(fg, left + px, top + py * 2, width, height * 2);
    }
  }
}

function addTexts(block: CellBlock, y: number, ground: Ground, texts: string[]): void {
  let x = 0;
  while (x < block.width) {
    const end = wordEnd(block, y, x);
    if (end > x) texts.push(word(block, y, x, end, ground));
    x = Math.max(end, x + 1);
  }
}

/** Words are placed one by one, so that a font of another width cannot shift a column. */
function wordEnd(block: CellBlock, y: number, from: number): number {
  const row = y * block.width;
  let x = from;
  while (
    x < block.width &&
    isText(block.glyph[row + x]!) &&
    hasSameStyle(block, row + from, row + x)
  )
    x++;
  return x;
}

function isText(glyph: number): boolean {
  const isShade = glyph >= LIGHT_SHADE && glyph <= DARK_SHADE;
  return glyph !== SPACE && !isShade && blockParts(glyph) === undefined;
}

function hasSameStyle(block: CellBlock, a: number, b: number): boolean {
  return (
    block.fg[a] === block.fg[b] && block.bg[a] === block.bg[b] && block.attr[a] === block.attr[b]
  );
}

function word(block: CellBlock, y: number, from: number, to: number, ground: Ground): string {
  const index = y * block.width + from;
  const glyphs = [...block.glyph.subarray(index, index + to - from)].filter((glyph) => glyph !== 0);
  const { fg } = cellColors(block, index, ground);
  const text = escapeXml(String.fromCodePoint(...glyphs));
  return (
    `<text x="${from * CELL_WIDTH}" y="${y * CELL_HEIGHT + BASELINE}" fill="${hex(fg)}" ` +
    `textLength="${(to - from) * CELL_WIDTH}"${style(block.attr[index]!)}>${text}</text>`
  );
}

function style(attr: number): string {
  const bold = (attr & Attribute.bold) === 0 ? '' : ' font-weight="bold"';
  const italic = (attr & Attribute.italic) === 0 ? '' : ' font-style="italic"';
  const underline = (attr & Attribute.underline) === 0 ? '' : ' text-decoration="underline"';
  return bold + italic + underline;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.codePointAt(0) ?? 0};`);
}
