/** No log has longer lines; the rest of a longer one is skipped. */
const LINE_CHARACTERS = 1 << 12;

/** Byte order mark, which some editors put at the start of UTF-8 files, as one character per byte. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** A text without a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/** Splits bytes into lines without their line ends, one character per byte. */
export class LineSplitter {
  private text = '';
  private at = 0;
  private isFirst = true;
  /** The start of an incomplete line. */
  private rest = '';

  push(piece: Uint8Array): void {
    const fresh = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1');
    this.text = this.text.slice(this.at) + fresh;
    this.at = 0;
  }

  next(): string | undefined {
    const end = this.text.indexOf('\n', this.at);
    if (end < 0) {
      this.keep();
      return undefined;
    }
    const line = this.rest + this.text.slice(this.at, end);
    this.at = end + 1;
    this.rest = '';
    return this.finished(line);
  }

  /** The text after the last line end. */
  last(): string | undefined {
    const line = this.rest;
    this.rest = '';
    return line === '' ? undefined : this.finished(line);
  }

  private keep(): void {
    const room = LINE_CHARACTERS + 1 - this.rest.length;
    this.rest += this.text.slice(this.at, this.at + room);
    this.text = '';
    this.at = 0;
  }

  private finished(line: string): string {
    const text = this.isFirst ? withoutMark(line) : line;
    this.isFirst = false;
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    return whole.slice(0, LINE_CHARACTERS);
  }
}
