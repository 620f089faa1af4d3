const FIRST_CAPACITY = 1 << 14;

/** A growing buffer of bytes to send; reused frame after frame. */
export class ByteWriter {
  private bytes = new Uint8Array(FIRST_CAPACITY);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** Takes the bytes as a copy, because a slow terminal may still be receiving it when the next frame is encoded. */
  take(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.grow();
    this.bytes[this.length++] = value;
  }

  ascii(text: string): void {
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  /** Writes an integer ≥ 0 in decimal. */
  decimal(value: number): void {
    if (value >= 10) this.decimal((value / 10) | 0);
    this.byte(0x30 + (value % 10));
  }

  /** Writes a sanitised code point (below U+10000) in UTF-8. */
  glyph(codePoint: number): void {
    if (codePoint < 0x80) {
      this.byte(codePoint);
    } else if (codePoint < 0x800) {
      this.byte(0xc0 | (codePoint >> 6));
      this.byte(0x80 | (codePoint & 0x3f));
    } else {
      this.byte(0xe0 | (codePoint >> 12));
      this.byte(0x80 | ((codePoint >> 6) & 0x3f));
      this.byte(0x80 | (codePoint & 0x3f));
    }
  }

  /** Keeps the shorter of two equivalent sequences, [from, middle) and [middle, end). */
  keepShorter(from: number, middle: number): void {
    const second = this.length - middle;
    if (second < middle - from) {
      this.bytes.copyWithin(from, middle, this.length);
      this.length = from + second;
    } else {
      this.length = middle;
    }
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** The number of bytes that `decimal` writes. */
export function decimalLength(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) digits++;
  return digits;
}

/** The number of bytes that `glyph` writes. */
export function glyphLength(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  return codePoint < 0x800 ? 2 : 3;
}
