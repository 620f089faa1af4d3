import { asciiKey } from './ascii-key.ts';
import type { InputEvent, PasteEvent, StatusEvent } from './input-event.ts';

/** `CSI 201 ~` */
const END = '\x1b[201~';
/** The answer to the question for the status, which may come between two pieces of a paste. */
const STATUS_ANSWER = '\x1b[0n';

const ESC = 0x1b;

/** Maximum length in bytes. Paths (PATH_MAX) and readable filters are not longer. */
const MAX_PASTE = 4096;

/** Ctrl-C, Ctrl-Z and Ctrl-\, which end or stop a program at any time. */
const ENDING_KEYS = new Set([0x03, 0x1a, 0x1c]);

/**
 * The text between the marks of a paste. Nothing in it is a key, because otherwise the author of the text could
 * press keys: not even Ctrl-C, after which the rest would go to the shell.
 */
export class PasteCollector {
  private bytes: number[] = [];
  /**
   * Bytes that may become one of the two sequences. Only their first byte is ESC, so a failed match starts at most one
   * other.
   */
  private held = '';
  private isTooLong = false;
  private last = 0;

  /** Returns the whole paste at its end. */
  add(byte: number): PasteEvent | StatusEvent | undefined {
    this.held += String.fromCharCode(byte);
    if (this.held === END) return this.take();
    if (this.held === STATUS_ANSWER) {
      this.held = '';
      return { kind: 'status' };
    }
    if (!END.startsWith(this.held) && !STATUS_ANSWER.startsWith(this.held)) this.release(byte);
    return undefined;
  }

  /**
   * Call when the end of the paste is missing after a long pause. If the last character is a key that must always
   * work, it was typed after the paste.
   */
  breakOff(): InputEvent[] {
    const last = this.held === '' ? this.last : this.held.charCodeAt(this.held.length - 1);
    const pasted = this.take();
    return ENDING_KEYS.has(last) ? [pasted, asciiKey(last)] : [pasted];
  }

  private release(byte: number): void {
    const isStart = byte === ESC;
    const text = isStart ? this.held.slice(0, -1) : this.held;
    for (let i = 0; i < text.length; i++) this.keep(text.charCodeAt(i));
    this.held = isStart ? '\x1b' : '';
  }

  private keep(byte: number): void {
    this.last = byte;
    if (this.bytes.length < MAX_PASTE) this.bytes.push(byte);
    else this.isTooLong = true;
  }

  private take(): PasteEvent {
    const text = this.isTooLong ? undefined : asOneLine(Buffer.from(this.bytes).toString('utf8'));
    this.bytes = [];
    this.held = '';
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
