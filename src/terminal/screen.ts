import { SPACE } from '../base/cell-block.ts';
import type { CellBlock } from '../base/cell-block.ts';
import { Differ } from './differ.ts';
import { clip, Grid, type GridOptions, type Rect, type Style } from './grid.ts';
import { ShiftHints } from './scroll.ts';

const DEFAULT_OPTIONS: GridOptions = { colors: '256', unicode: true, fullBlocksOnly: false };

/**
 * The terminal's picture, in cells. Callers paint what is to be shown, as often as they like; `encode` compares it
 * with what the terminal shows. Frames may be skipped at any time: the next one includes all changes.
 */
export class Screen {
  private readonly grid: Grid;
  private readonly differ = new Differ();
  private readonly hints = new ShiftHints();
  /** Rows that are written first. */
  private first: readonly number[] = [];

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
    this.first = [];
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

  /** Call it when the terminal does not show what was sent: the next frame clears it and paints everything. */
  invalidate(): void {
    this.differ.forget();
  }

  /** The rows of these rectangles come before the others where a frame has to be sent in parts. */
  writeFirst(rects: readonly Rect[]): void {
    this.first = rects.flatMap((rect) => {
      const { y, height } = clip(rect, this.grid.cells);
      return Array.from({ length: height }, (_, row) => y + row);
    });
  }

  /** Whether the last bytes were only a part of the frame. */
  get isCut(): boolean {
    return this.differ.isCut;
  }

  /**
   * The bytes that update the terminal, cut at about `maxBytes`; empty if it is up to date. They must be sent.
   */
  encode(maxBytes = Infinity): Uint8Array {
    const { cells } = this.grid;
    const shifts = this.hints.take(cells);
    if (maxBytes === Infinity) return this.differ.encode(cells, shifts);
    return this.differ.encodePart(cells, shifts, maxBytes, this.first);
  }
}
