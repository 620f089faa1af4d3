import xterm from '@xterm/headless';
import {
  Attribute,
  type CellBlock,
  createCellBlock,
  TRUE_COLOR,
} from '../../src/base/cell-block.ts';

type Terminal = InstanceType<typeof xterm.Terminal>;
type Cell = NonNullable<ReturnType<Terminal['buffer']['active']['getNullCell']>>;

/** A terminal emulator that shows what the bytes mean. */
export class Emulator {
  readonly terminal: Terminal;

  /** `prelude` is what a program has sent before: by default, full screen without autowrap. */
  constructor(width: number, height: number, prelude = '\x1b[?1049h\x1b[?7l') {
    this.terminal = new xterm.Terminal({
      cols: width,
      rows: height,
      allowProposedApi: true,
      scrollback: 0,
    });
    this.terminal.write(prelude);
  }

  async write(data: Uint8Array | string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.terminal.write(data, resolve);
    });
  }

  cells(): CellBlock {
    const { cols, rows, buffer } = this.terminal;
    const block = createCellBlock(cols, rows);
    const cell = buffer.active.getNullCell();
    for (let y = 0; y < rows; y++) {
      const line = buffer.active.getLine(buffer.active.viewportY + y)!;
      for (let x = 0; x < cols; x++) readCell(line.getCell(x, cell)!, block, y * cols + x);
    }
    return block;
  }

  /** Visible rows as text, without trailing spaces. */
  text(): string[] {
    const { rows, buffer } = this.terminal;
    const start = buffer.active.viewportY;
    return Array.from({ length: rows }, (_, y) =>
      buffer.active.getLine(start + y)!.translateToString(true),
    );
  }
}

function readCell(cell: Cell, block: CellBlock, i: number): void {
  const chars = cell.getChars();
  if (cell.getWidth() !== 1 || Array.from(chars).length > 1) {
    throw new Error(`cell ${i} is not one column wide: ${JSON.stringify(chars)}`);
  }
  block.glyph[i] = chars === '' ? 0x20 : chars.codePointAt(0)!;
  if (!cell.isFgDefault()) block.fg[i] = cell.getFgColor() | (cell.isFgRGB() ? TRUE_COLOR : 0);
  if (!cell.isBgDefault()) block.bg[i] = cell.getBgColor() | (cell.isBgRGB() ? TRUE_COLOR : 0);
  block.attr[i] =
    (cell.isBold() ? Attribute.bold : 0) |
    (cell.isDim() ? Attribute.dim : 0) |
    (cell.isItalic() ? Attribute.italic : 0) |
    (cell.isUnderline() ? Attribute.underline : 0) |
    (cell.isInverse() ? Attribute.inverse : 0);
}

/**
 * Cells as they look, so that two ways to draw the same compare as equal: a plain space has no
 * foreground, and a half block may be drawn upside down with its colours swapped.
 */
export function appearance(block: CellBlock): string[] {
  return Array.from(block.glyph, (glyph, i) => cellAppearance(block, glyph, i));
}

function cellAppearance(block: CellBlock, glyph: number, i: number): string {
  const attr = block.attr[i]!;
  const colors = [block.fg[i]!, block.bg[i]!];
  const isPlainSpace = glyph === 0x20 && (attr & (Attribute.underline | Attribute.inverse)) === 0;
  if (isPlainSpace) return `space on ${colors[1]!}`;
  if (glyph === 0x2584 && attr === 0 && !colors.includes(-1)) {
    return `▀ ${colors[1]!} ${colors[0]!} 0`;
  }
  return `${String.fromCodePoint(glyph)} ${colors[0]!} ${colors[1]!} ${attr}`;
}

/** "x,y: wanted … shown …" for each cell that differs; empty when the pictures look the same. */
export function differences(wanted: CellBlock, shown: CellBlock): string[] {
  if (wanted.width !== shown.width || wanted.height !== shown.height) {
    return [`sizes ${wanted.width}x${wanted.height} and ${shown.width}x${shown.height}`];
  }
  const left = appearance(wanted);
  const right = appearance(shown);
  return left.flatMap((want, i) =>
    want === right[i]
      ? []
      : [`${i % wanted.width},${Math.floor(i / wanted.width)}: wanted ${want}, shown ${right[i]!}`],
  );
}
