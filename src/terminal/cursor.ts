import { type ByteWriter, decimalLength } from './byte-writer.ts';

const UNKNOWN = -1;

const BACKSPACE = 0x08;
const CARRIAGE_RETURN = 0x0d;

/** Up to this many columns are cheaper to step back one at a time than to jump over. */
const MAX_BACKSPACES = 3;

/** Where the terminal's cursor is, and the shortest way to move it. Positions count from 0. */
export class Cursor {
  private x = UNKNOWN;
  private y = UNKNOWN;

  constructor(private readonly out: ByteWriter) {}

  forget(): void {
    this.x = UNKNOWN;
  }

  /**
   * The number of columns from the cursor to (x, y); undefined if that is in another row, or the position is unknown.
   */
  gapTo(x: number, y: number): number | undefined {
    return this.x === UNKNOWN || this.y !== y ? undefined : x - this.x;
  }

  /** Call after writing a character that is one column wide and not in the last column. */
  advance(): void {
    this.x++;
  }

  moveTo(x: number, y: number): void {
    if (this.x === x && this.y === y) return;
    if (this.x !== UNKNOWN && this.relativeCost(x, y) < absoluteCost(x, y)) {
      this.writeVertical(y - this.y);
      this.writeHorizontal(x);
    } else {
      this.writeAbsolute(x, y);
    }
    this.x = x;
    this.y = y;
  }

  private relativeCost(x: number, y: number): number {
    const rows = Math.abs(y - this.y);
    return (rows === 0 ? 0 : sequenceCost(rows)) + this.horizontalCost(x);
  }

  private horizontalCost(x: number): number {
    const columns = x - this.x;
    if (columns === 0) return 0;
    if (x === 0) return 1;
    if (columns < 0 && columns >= -MAX_BACKSPACES) return -columns;
    return Math.min(sequenceCost(Math.abs(columns)), sequenceCost(x + 1));
  }

  private writeVertical(rows: number): void {
    if (rows !== 0) this.sequence(Math.abs(rows), rows > 0 ? 'B' : 'A');
  }

  private writeHorizontal(x: number): void {
    const columns = x - this.x;
    if (columns === 0) return;
    if (x === 0) this.out.byte(CARRIAGE_RETURN);
    else if (columns < 0 && columns >= -MAX_BACKSPACES) this.backspace(-columns);
    else if (sequenceCost(Math.abs(columns)) <= sequenceCost(x + 1)) {
      this.sequence(Math.abs(columns), columns > 0 ? 'C' : 'D');
    } else this.sequence(x + 1, 'G');
  }

  private backspace(columns: number): void {
    for (let i = 0; i < columns; i++) this.out.byte(BACKSPACE);
  }

  private writeAbsolute(x: number, y: number): void {
    this.out.ascii('\x1b[');
    if (y > 0 || x > 0) this.out.decimal(y + 1);
    if (x > 0) {
      this.out.byte(0x3b);
      this.out.decimal(x + 1);
    }
    this.out.ascii('H');
  }

  private sequence(count: number, final: string): void {
    writeCounted(this.out, count, final);
  }
}

/** Writes a control sequence with a count, which is omitted if it is 1. */
export function writeCounted(out: ByteWriter, count: number, final: string): void {
  out.ascii('\x1b[');
  if (count !== 1) out.decimal(count);
  out.ascii(final);
}

/** The number of bytes that `writeCounted` writes. */
export function sequenceCost(count: number): number {
  return count === 1 ? 3 : 3 + decimalLength(count);
}

function absoluteCost(x: number, y: number): number {
  if (x > 0) return 4 + decimalLength(y + 1) + decimalLength(x + 1);
  return y > 0 ? 3 + decimalLength(y + 1) : 3;
}
