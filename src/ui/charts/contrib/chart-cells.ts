import { DEFAULT_COLOR } from '../../../base/cell-block.ts';
import type { CellBlock } from '../../../base/cell-block.ts';
import { safeGlyph } from '../../../base/sanitize.ts';
import type { Ink } from '../../../raster/put-text.ts';
import { putText, toAscii } from '../../../raster/put-text.ts';
import type { Theme } from '../../text/theme.ts';
import type { BlessedCell } from './offscreen-screen.ts';
import { FILLS, inksOf, LETTERS, penOf } from './pens.ts';
import type { Pen } from './pens.ts';

const NO_PEN = 0x1ff;
const BRAILLE = 0x2800;
/** Braille dots of a cell: its left side, its upper left half, and those of a corner. */
const LEFT_DOTS = 0x47;
const CORNER_DOTS = 0x13;
/** Without colours a line carries its letter, every so many cells. */
const LETTER_EVERY = 6;
const SPARKS = '▁▂▃▄▅▆▇█';
const ASCII_SPARKS = '_.-~=+*#';

/** How charts look on this terminal. */
export interface ChartStyle {
  readonly theme: Pick<Theme, 'level' | 'background'>;
  readonly unicode: boolean;
}

/** Copies blessed's cells, with the look of each pen. */
export class ChartCells {
  private readonly inks: ReturnType<typeof inksOf>;

  constructor(
    readonly block: CellBlock,
    private readonly style: ChartStyle,
  ) {
    this.inks = inksOf(style.theme);
  }

  /** Writes text in the colour of a pen. */
  write(x: number, y: number, text: string, pen: Pen = 'text', attr = 0): void {
    const ink = this.inks[pen];
    const shown = this.style.unicode ? text : toAscii(text.replaceAll('·', '.').replace('≥', '>'));
    putText(this.block, x, y, shown, { ...ink, attr: (ink.attr ?? 0) | attr });
  }

  /** The sample of a line in a legend. */
  mark(pen: Pen): string {
    return this.style.unicode && this.style.theme.level > 0 ? '━' : LETTERS[pen];
  }

  /** The sample of a bar in a legend. */
  filling(pen: Pen): string {
    if (!this.style.unicode) return LETTERS[pen];
    return this.style.theme.level > 0 ? '█' : (FILLS[pen] ?? '█');
  }

  copy(cell: BlessedCell | undefined, x: number, y: number): void {
    if (cell === undefined || x >= this.block.width || y >= this.block.height) return;
    const [attributes, character] = cell;
    const background = attributes & NO_PEN;
    const foreground = (attributes >> 9) & NO_PEN;
    if (background !== NO_PEN) this.fill(x, y, penOf(background));
    else if (character !== ' ') this.draw(x, y, character, penOf(foreground));
  }

  private fill(x: number, y: number, pen: Pen): void {
    const { theme, unicode } = this.style;
    const ink = this.inks[pen];
    if (theme.level === 0) this.put(x, y, unicode ? (FILLS[pen] ?? '█') : LETTERS[pen], ink);
    else this.put(x, y, ' ', { ...ink, fg: DEFAULT_COLOR }, ink.fg);
  }

  private draw(x: number, y: number, character: string, pen: Pen): void {
    const dots = character.charCodeAt(0) - BRAILLE;
    const ink = this.inks[pen];
    if (dots < 0 || dots > 0xff) this.put(x, y, this.textOf(character), ink);
    else if (pen === 'axis') this.put(x, y, this.axisOf(dots), ink);
    else this.put(x, y, this.lineOf(x, character, pen), ink);
  }

  private lineOf(x: number, character: string, pen: Pen): string {
    const { theme, unicode } = this.style;
    if (!unicode || (theme.level === 0 && x % LETTER_EVERY === 0)) return LETTERS[pen];
    return character;
  }

  /** The character of an axis, the same as in the picture. */
  private axisOf(dots: number): string {
    const isUpright = (dots & LEFT_DOTS) === LEFT_DOTS;
    if (!this.style.unicode) return isUpright ? '|' : '-';
    if (isUpright) return '│';
    return (dots & CORNER_DOTS) === CORNER_DOTS ? '└' : '─';
  }

  private textOf(character: string): string {
    if (this.style.unicode) return character;
    const height = SPARKS.indexOf(character);
    return height < 0 ? toAscii(character) : ASCII_SPARKS.charAt(height);
  }

  private put(x: number, y: number, glyph: string, ink: Ink, bg = DEFAULT_COLOR): void {
    const { block } = this;
    const at = y * block.width + x;
    block.glyph[at] = safeGlyph(glyph.codePointAt(0) ?? 0);
    block.fg[at] = ink.fg ?? DEFAULT_COLOR;
    block.bg[at] = bg;
    block.attr[at] = ink.attr ?? 0;
  }
}
