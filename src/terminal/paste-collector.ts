import { asciiKey } from './ascii-key.ts';
import type { InputEvent, PasteEvent } from './input-event.ts';

/** `CSI 201 ~`. Only its first byte is ESC, so a failed match starts at most one other. */
const END = Buffer.from('\x1b[201~');

/** In bytes. Paths (PATH_MAX) and readable filters are not longer. */
const MAX_PASTE = 4096;

/** Ctrl-C, Ctrl-Z and Ctrl-\, which end or stop a program at any time. */
const ENDING_KEYS = new Set([0x03, 0x1a, 0x1c]);

/**
 * The text between the marks of a paste. Nothing in it is a key, because otherwise the author of the text could
 * press keys: not even Ctrl-C, after which the rest would go to the shell.
 */
export class PasteCollector {
  private bytes: number[] = [];
  private matched = 0;
  private isTooLong = false;
  private last = 0;

  /** Returns the whole paste at its end. */
  add(byte: number): PasteEvent | undefined {
    this.last = byte;
    if (byte === END[this.matched]) {
      this.matched++;
      return this.matched === END.length ? this.take() : undefined;
    }
    for (const part of END.subarray(0, this.matched)) this.keep(part);
    this.matched = byte === END[0] ? 1 : 0;
    if (this.matched === 0) this.keep(byte);
    return undefined;
  }

  /**
   * Call when the end of the paste is missing after a long pause. If the last character is a key that must always
   * work, it was typed after the paste.
   */
  breakOff(): InputEvent[] {
    const { last } = this;
    const pasted = this.take();
    return ENDING_KEYS.has(last) ? [pasted, asciiKey(last)] : [pasted];
  }

  private keep(byte: number): void {
    if (this.bytes.length < MAX_PASTE) this.bytes.push(byte);
    else this.isTooLong = true;
  }

  private take(): PasteEvent {
    const text = this.isTooLong ? undefined : asOneLine(Buffer.from(this.bytes).toString('utf8'));
    this.bytes = [];
    this.matched = 0;
    this.isTooLong = false;
    this.last = 0;
    return { kind: 'paste', text };
  }
}

/**
 * Line breaks, tabs and other whitespace become spaces; control characters, invisible ones (bidi marks, joiners) and
 * invalid UTF-8 are removed.
 */
function asOneLine(text: string): string {
  const visible = text.replace(/[\s\x85]+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}\ufffd]/gu, '');
  return visible.trim();
}
