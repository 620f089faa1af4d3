/** No log has longer lines; the rest of one is not read. */
const LINE_CHARACTERS = 1 << 12;

/** What some editors put before the first line of a text in UTF-8, one character per byte. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** A text without the mark that may stand before it. */
export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/** Pieces of bytes in, lines out, one character per byte, without their ends. */
export class LineSplitter {
  private text = '';
  private at = 0;
  private isFirst = true;
  /** The beginning of a line whose end has not come. */
  private rest = '';
  /** Lines whose end was cut off because they were too long. */
  cut = 0;

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

  /** What was written after the last line's end. */
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
    if (whole.length <= LINE_CHARACTERS) return whole;
    this.cut++;
    return whole.slice(0, LINE_CHARACTERS);
  }
}
