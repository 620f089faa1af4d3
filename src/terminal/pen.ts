import { Attribute, DEFAULT_COLOR, TRUE_COLOR } from '../base/cell-block.ts';
import type { ByteWriter } from './byte-writer.ts';

const { bold, dim, italic, underline, inverse } = Attribute;

/** Attributes that are visible on a space. */
export const SHOWS_ON_SPACE = underline | inverse;

/** The colours and attributes (SGR) of the next character. */
export class Pen {
  private known = false;
  private fg = DEFAULT_COLOR;
  private bg = DEFAULT_COLOR;
  private attr = 0;
  private params = 0;

  constructor(private readonly out: ByteWriter) {}

  /** Call it when other programs may have written: the next change sends everything. */
  forget(): void {
    this.known = false;
  }

  is(fg: number, bg: number, attr: number): boolean {
    return this.known && this.fg === fg && this.bg === bg && this.attr === attr;
  }

  /** Whether a space written now would show only this background. */
  isBackground(bg: number): boolean {
    return this.known && this.bg === bg && (this.attr & SHOWS_ON_SPACE) === 0;
  }

  /** How many of the two colours `set` would send. */
  colorChanges(fg: number, bg: number): number {
    if (!this.known) return 2;
    return (this.fg === fg ? 0 : 1) + (this.bg === bg ? 0 : 1);
  }

  /** Sets the background for spaces and erasing; the foreground does not matter. */
  setBackground(bg: number): void {
    if (this.isBackground(bg)) return;
    if (this.known) this.set(this.fg, bg, this.attr & ~SHOWS_ON_SPACE);
    else this.set(DEFAULT_COLOR, bg, 0);
  }

  set(fg: number, bg: number, attr: number): void {
    if (this.is(fg, bg, attr)) return;
    const start = this.out.length;
    if (!this.known) {
      this.writeFromReset(fg, bg, attr);
    } else {
      this.writeChanges(fg, bg, attr);
      if (this.drops(fg, bg, attr)) {
        const middle = this.out.length;
        this.writeFromReset(fg, bg, attr);
        this.out.keepShorter(start, middle);
      }
    }
    this.known = true;
    this.fg = fg;
    this.bg = bg;
    this.attr = attr;
  }

  /** Whether something returns to its default, so that a reset may be shorter. */
  private drops(fg: number, bg: number, attr: number): boolean {
    if ((this.attr & ~attr) !== 0) return true;
    if (fg === DEFAULT_COLOR && this.fg !== DEFAULT_COLOR) return true;
    return bg === DEFAULT_COLOR && this.bg !== DEFAULT_COLOR;
  }

  private writeFromReset(fg: number, bg: number, attr: number): void {
    this.open();
    if (fg === DEFAULT_COLOR && bg === DEFAULT_COLOR && attr === 0) {
      this.close();
      return;
    }
    this.param(0);
    this.attributesOn(attr);
    if (fg !== DEFAULT_COLOR) this.color(fg, 0);
    if (bg !== DEFAULT_COLOR) this.color(bg, 10);
    this.close();
  }

  private writeChanges(fg: number, bg: number, attr: number): void {
    this.open();
    if (attr !== this.attr) this.changeAttributes(attr);
    if (fg !== this.fg) this.color(fg, 0);
    if (bg !== this.bg) this.color(bg, 10);
    this.close();
  }

  private changeAttributes(attr: number): void {
    const off = this.attr & ~attr;
    let on = attr & ~this.attr;
    if ((off & (bold | dim)) !== 0) {
      // One code turns off bold and dim.
      this.param(22);
      on |= attr & (bold | dim);
    }
    if ((off & italic) !== 0) this.param(23);
    if ((off & underline) !== 0) this.param(24);
    if ((off & inverse) !== 0) this.param(27);
    this.attributesOn(on);
  }

  private attributesOn(on: number): void {
    if ((on & bold) !== 0) this.param(1);
    if ((on & dim) !== 0) this.param(2);
    if ((on & italic) !== 0) this.param(3);
    if ((on & underline) !== 0) this.param(4);
    if ((on & inverse) !== 0) this.param(7);
  }

  /** `shift` is 0 for the foreground and 10 for the background. */
  private color(color: number, shift: number): void {
    if (color === DEFAULT_COLOR) {
      this.param(39 + shift);
    } else if (color < 8) {
      this.param(30 + shift + color);
    } else if (color < 16) {
      this.param(90 + shift + color - 8);
    } else if (color < TRUE_COLOR) {
      this.param(38 + shift);
      this.param(5);
      this.param(color);
    } else {
      this.param(38 + shift);
      this.param(2);
      this.param((color >> 16) & 0xff);
      this.param((color >> 8) & 0xff);
      this.param(color & 0xff);
    }
  }

  private open(): void {
    this.out.ascii('\x1b[');
    this.params = 0;
  }

  private param(value: number): void {
    if (this.params++ > 0) this.out.byte(0x3b);
    this.out.decimal(value);
  }

  private close(): void {
    this.out.byte(0x6d);
  }
}
