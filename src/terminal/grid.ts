import {
  type CellBlock,
  createCellBlock,
  DEFAULT_COLOR,
  FULL,
  LOWER_HALF,
  SPACE,
  UPPER_HALF,
} from '../base/cell-block.ts';
import { REPLACEMENT, safeGlyph, sanitizeText } from '../base/sanitize.ts';
import { type ColorDepth, ColorMap } from './color.ts';
import { SHOWS_ON_SPACE } from './pen.ts';

const LAST_BLOCK_ELEMENT = 0x259f;
const ALL_ATTRIBUTES = 31;

/** Columns [x, x + width) of rows [y, y + height). */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Colours as in `CellBlock`, attributes as bits of `Attribute`; absent values are defaults. */
export interface Style {
  readonly fg?: number;
  readonly bg?: number;
  readonly attr?: number;
}

export interface GridOptions {
  readonly colors: ColorDepth;
  /** False replaces everything outside ASCII, for terminals without UTF-8. */
  readonly unicode: boolean;
  /** Whether a coloured blank is drawn as a full block: for terminals without bright backgrounds. */
  readonly fullBlocksOnly: boolean;
}

/**
 * The picture that the terminal is to show. Everything that reaches it passes through `put`: the only place where
 * text is sanitised and colours are reduced to those that the terminal supports. Cells that look the same are stored
 * the same, so the differ sends nothing for an invisible difference.
 */
export class Grid {
  cells: CellBlock;
  private readonly colors: ColorMap;
  private readonly unicode: boolean;
  private readonly fullBlocksOnly: boolean;

  constructor(width: number, height: number, options: GridOptions) {
    this.cells = createCellBlock(width, height);
    this.colors = new ColorMap(options.colors);
    this.unicode = options.unicode;
    this.fullBlocksOnly = options.fullBlocksOnly;
  }

  resize(width: number, height: number): void {
    this.cells = createCellBlock(width, height);
  }

  fill(rect: Rect, style: Style, glyph: number): void {
    const { width } = this.cells;
    const clipped = clip(rect, this.cells);
    for (let y = clipped.y; y < clipped.y + clipped.height; y++) {
      const row = y * width;
      for (let x = clipped.x; x < clipped.x + clipped.width; x++) {
        this.putStyled(row + x, glyph, style);
      }
    }
  }

  text(x: number, y: number, text: string, style: Style): void {
    const { width, height } = this.cells;
    if (y < 0 || y >= height) return;
    const safe = sanitizeText(text);
    const end = Math.min(safe.length, width - x);
    for (let i = Math.max(0, -x); i < end; i++) {
      this.putStyled(y * width + x + i, safe.charCodeAt(i), style);
    }
  }

  blit(block: CellBlock, x: number, y: number): void {
    const target = clip({ x, y, width: block.width, height: block.height }, this.cells);
    const { glyph, fg, bg, attr } = block;
    for (let row = target.y; row < target.y + target.height; row++) {
      let from = (row - y) * block.width + target.x - x;
      let to = row * this.cells.width + target.x;
      for (const end = to + target.width; to < end; to++, from++) {
        this.put(to, glyph[from]!, fg[from]!, bg[from]!, attr[from]!);
      }
    }
  }

  private putStyled(index: number, glyph: number, style: Style): void {
    this.put(index, glyph, style.fg ?? DEFAULT_COLOR, style.bg ?? DEFAULT_COLOR, style.attr ?? 0);
  }

  private put(index: number, codePoint: number, front: number, back: number, bits: number): void {
    let glyph = codePoint > SPACE && codePoint < 0x7f ? codePoint : this.drawable(codePoint);
    let fg = this.colors.map(front);
    let bg = this.colors.map(back);
    let attr = bits & ALL_ATTRIBUTES;
    if (attr === 0 && glyph >= UPPER_HALF && glyph <= LAST_BLOCK_ELEMENT) {
      if (fg === bg && fg !== DEFAULT_COLOR) {
        glyph = SPACE;
      } else if (glyph === LOWER_HALF && fg !== DEFAULT_COLOR && bg !== DEFAULT_COLOR) {
        glyph = UPPER_HALF;
        const lower = fg;
        fg = bg;
        bg = lower;
      }
    }
    if (glyph === SPACE && (attr & SHOWS_ON_SPACE) === 0) {
      if (this.fullBlocksOnly && bg !== DEFAULT_COLOR) {
        glyph = FULL;
        fg = bg;
        bg = DEFAULT_COLOR;
      } else {
        fg = DEFAULT_COLOR;
        attr = 0;
      }
    }
    const { cells } = this;
    cells.glyph[index] = glyph;
    cells.fg[index] = fg;
    cells.bg[index] = bg;
    cells.attr[index] = attr;
  }

  private drawable(codePoint: number): number {
    const glyph = safeGlyph(codePoint);
    return glyph < 0x7f || this.unicode ? glyph : (ASCII_FOR.get(glyph) ?? REPLACEMENT);
  }
}

/** The part of `rect` inside the block; possibly empty. */
export function clip(rect: Rect, { width, height }: CellBlock): Rect {
  const x = Math.max(0, Math.min(width, rect.x));
  const y = Math.max(0, Math.min(height, rect.y));
  return {
    x,
    y,
    width: Math.max(0, Math.min(width, rect.x + rect.width) - x),
    height: Math.max(0, Math.min(height, rect.y + rect.height) - y),
  };
}

/** ASCII replacements for the glyphs that ioheat itself uses. */
const ASCII_FOR = new Map<number, number>(
  [
    ['─━┄┅┈┉═╌', '-'],
    ['│┃┆┇┊┋║┤├┼╎', '|'],
    ['┌┐└┘┬┴╭╮╯╰', '+'],
    ['█▓▒▉▊▋▌▐■▪', '#'],
    ['▀', '"'],
    ['▄▁▂▃', '_'],
    ['▅▆▇', '='],
    ['░·•', '.'],
    ['…', '.'],
    ['◆', '*'],
    ['←◀◂', '<'],
    ['→▶▸', '>'],
    ['↑▲▴', '^'],
    ['↓▼▾', 'v'],
    ['–—−', '-'],
    ['µμ', 'u'],
    ['×', 'x'],
    ['‘’', "'"],
    ['“”', '"'],
    ['≤', '<'],
    ['≥', '>'],
  ].flatMap(([glyphs, ascii]) =>
    Array.from(glyphs!).map((glyph) => [glyph.codePointAt(0)!, ascii!.charCodeAt(0)] as const),
  ),
);
