import { asciiKey } from './ascii-key.ts';
import type { InputEvent, PasteEvent } from './input-event.ts';

/** `CSI 201 ~`. ESC is found at its start alone, so a part that fails begins at most one other. */
const END = Buffer.from('\x1b[201~');

/** In bytes. No path (PATH_MAX) is longer, nor a filter that a person can read. */
const MAX_PASTE = 4096;

/** Ctrl-C, Ctrl-Z and Ctrl-\, which end or stop a program whatever it is doing. */
const ENDING_KEYS = new Set([0x03, 0x1a, 0x1c]);

/**
 * What comes between the marks of a paste. Nothing in it is a key, for whoever wrote the text could
 * otherwise press keys with it: not even Ctrl-C, after which the rest would go to the shell.
 */
export class PasteCollector {
  private bytes: number[] = [];
  private matched = 0;
  private isTooLong = false;
  private last = 0;

  /** The whole paste once its end has come. */
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
   * The end has not come, and nothing else for long. What a person did last then was no part of the
   * paste if it was one of the keys that must always work.
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
 * Line breaks, tabs and foreign blanks become blanks; control characters, invisible ones (bidi marks,
 * joiners) and what is not UTF-8 are left out.
 */
function asOneLine(text: string): string {
  const visible = text.replace(/[\s\x85]+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}\ufffd]/gu, '');
  return visible.trim();
}
