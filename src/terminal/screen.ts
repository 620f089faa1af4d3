import type { CellBlock } from '../base/cell-block.ts';
import { Differ } from './differ.ts';
import { Grid, type GridOptions, type Rect, SPACE, type Style } from './grid.ts';
import { ShiftHints } from './scroll.ts';

const DEFAULT_OPTIONS: GridOptions = { colors: '256', unicode: true };

/**
 * The terminal's picture, in cells. Callers paint what is to be shown, as often as they like; `encode` compares it
 * with what the terminal shows. Frames may be skipped at any time: the next one includes all changes.
 */
export class Screen {
  private readonly grid: Grid;
  private readonly differ = new Differ();
  private readonly hints = new ShiftHints();

  constructor(width: number, height: number, options: Partial<GridOptions> = {}) {
    this.grid = new Grid(width, height, { ...DEFAULT_OPTIONS, ...options });
  }

  /** What will be shown, after sanitising and colour reduction; read only. */
  get cells(): CellBlock {
    return this.grid.cells;
  }

  get width(): number {
    return this.grid.cells.width;
  }

  get height(): number {
    return this.grid.cells.height;
  }

  /** Starts with a blank picture of the new size; everything has to be painted again. */
  resize(width: number, height: number): void {
    this.grid.resize(width, height);
    this.invalidate();
  }

  /** Paints a rectangle with one glyph, by default spaces. */
  fill(rect: Rect, style: Style = {}, glyph = SPACE): void {
    this.grid.fill(rect, style, glyph);
  }

  /** Writes one line of text, clipped at the edges. */
  text(x: number, y: number, text: string, style: Style = {}): void {
    this.grid.text(x, y, text, style);
  }

  /** Copies a block, clipped at the edges. */
  blit(block: CellBlock, x: number, y: number): void {
    this.grid.blit(block, x, y);
  }

  /**
   * Reports that the picture inside `rect` has moved left by `columns` (right, if negative), so that the terminal
   * can shift it. The moved picture must still be painted.
   */
  scrolled(rect: Rect, columns: number): void {
    this.hints.add(rect, columns);
  }

  /** The terminal does not show what was sent: the next frame clears it and paints everything. */
  invalidate(): void {
    this.differ.forget();
  }

  /** The bytes that update the terminal; empty if it is up to date. They must be sent. */
  encode(): Uint8Array {
    return this.differ.encode(this.grid.cells, this.hints.take(this.grid.cells));
  }
}
