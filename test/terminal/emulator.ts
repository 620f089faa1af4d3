import xterm from '@xterm/headless';
import type { IBufferCell, Terminal } from '@xterm/headless';
import {
  Attribute,
  createCellBlock,
  DEFAULT_COLOR,
  TRUE_COLOR,
} from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';

/** DEC private modes that a full-screen program sets and must give back. */
export const PrivateMode = {
  autowrap: 7,
  cursorVisible: 25,
  mouseButtons: 1000,
  mouseMotion: 1002,
  mouseSgr: 1006,
  focusEvents: 1004,
  alternateScreen: 1049,
  bracketedPaste: 2004,
  synchronizedOutput: 2026,
} as const;

const SET_AT_POWER_ON: ReadonlySet<number> = new Set([
  PrivateMode.autowrap,
  PrivateMode.cursorVisible,
]);

/** The alternate screen without autowrap, as a full-screen program has it. */
export const FULL_SCREEN = '\x1b[?1049h\x1b[?7l';

/** Parameter of ED, "erase in display". */
const ENTIRE_SCREEN = 2;

/** A terminal without a window: takes what a program writes and knows what a person would see. */
export class Emulator {
  readonly terminal: Terminal;
  private readonly modes = new Map<number, boolean>();

  /** `prelude`: what a program has sent before, such as `FULL_SCREEN`. */
  constructor(columns: number, rows: number, prelude = '') {
    this.terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 1000,
      allowProposedApi: true,
    });
    this.watchModes('h', true);
    this.watchModes('l', false);
    if (prelude !== '') this.terminal.write(prelude);
  }

  get columns(): number {
    return this.terminal.cols;
  }

  get rows(): number {
    return this.terminal.rows;
  }

  /** Answers the question for the background, 0xrrggbb, as xterm does; otherwise it is silent. */
  answerBackground(rgb: number): void {
    const channels = [16, 8, 0].map((shift) => {
      const channel = ((rgb >> shift) & 0xff).toString(16).padStart(2, '0');
      return channel + channel;
    });
    this.terminal.parser.registerOscHandler(11, (text) => {
      if (text === '?') this.terminal.input(`\x1b]11;rgb:${channels.join('/')}\x07`, false);
      return true;
    });
  }

  /** Answers to the program's questions (size, attributes), to be sent back to it. */
  onReply(listener: (reply: string) => void): void {
    this.terminal.onData(listener);
  }

  /** Settles once the data is on the screen. */
  write(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.terminal.write(data, resolve);
    });
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
  }

  /** The visible rows as text, without blanks at their ends. */
  screen(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: this.rows },
      (_, y) => active.getLine(active.viewportY + y)?.translateToString(true) ?? '',
    );
  }

  cells(): CellBlock {
    const block = createCellBlock(this.columns, this.rows);
    const { active } = this.terminal.buffer;
    let cell: IBufferCell | undefined;
    for (let index = 0; index < block.glyph.length; index++) {
      const y = Math.floor(index / block.width);
      cell = active.getLine(active.viewportY + y)?.getCell(index % block.width, cell);
      if (cell !== undefined) copyCell(block, index, cell);
    }
    return block;
  }

  /** Called whenever the whole screen is about to be cleared, while it still shows what was there. */
  onClear(listener: () => void): { dispose: () => void } {
    return this.terminal.parser.registerCsiHandler({ final: 'J' }, (params) => {
      if (params[0] === ENTIRE_SCREEN) listener();
      return false;
    });
  }

  /** Whether a DEC private mode is on, be it by the program or from power on. */
  isModeSet(mode: number): boolean {
    return this.modes.get(mode) ?? SET_AT_POWER_ON.has(mode);
  }

  dispose(): void {
    this.terminal.dispose();
  }

  private watchModes(final: 'h' | 'l', value: boolean): void {
    this.terminal.parser.registerCsiHandler({ prefix: '?', final }, (params) => {
      for (const mode of params.flat()) this.modes.set(mode, value);
      return false;
    });
  }
}

function copyCell(block: CellBlock, index: number, cell: IBufferCell): void {
  if (Array.from(cell.getChars()).length > 1)
    throw new Error(`cell ${index} holds several characters: ${JSON.stringify(cell.getChars())}`);
  const isSecondHalf = cell.getWidth() === 0;
  block.glyph[index] = isSecondHalf ? 0 : cell.getCode() || 0x20;
  block.fg[index] = colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  block.bg[index] = colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  block.attr[index] =
    (cell.isBold() ? Attribute.bold : 0) |
    (cell.isDim() ? Attribute.dim : 0) |
    (cell.isItalic() ? Attribute.italic : 0) |
    (cell.isUnderline() ? Attribute.underline : 0) |
    (cell.isInverse() ? Attribute.inverse : 0);
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number): number {
  if (isRgb) return TRUE_COLOR | value;
  return isPalette ? value : DEFAULT_COLOR;
}
