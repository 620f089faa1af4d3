import type { Background } from '../base/background.ts';
import type { CellBlock } from '../base/cell-block.ts';
import { DEFAULT_COLOR } from '../base/cell-block.ts';

/** Colour and attributes of text. */
export interface Ink {
  readonly fg?: number;
  readonly attr?: number;
}

/** Greys for secondary text, with a contrast of at least 4.5:1. */
export const QUIET_COLORS: Readonly<Record<Background, number>> = {
  dark: 247,
  light: 242,
  unknown: 243,
};

const ASCII_FOR: Readonly<Record<string, string>> = {
  µ: 'u',
  '│': '|',
  '┊': '|',
  '╎': '|',
  '┤': '+',
  '┘': "'",
  '└': '`',
  '▸': '>',
  '×': 'x',
  '–': '-',
  '→': '>',
  '▀': '^',
  '█': '#',
  '◆': '*',
  '…': '.',
};

/** Writes text of narrow characters, clipped at the edge of the block. */
export function putText(block: CellBlock, x: number, y: number, text: string, ink: Ink = {}): void {
  if (y < 0 || y >= block.height) return;
  let at = x;
  for (const character of text) {
    if (at >= block.width) return;
    if (at >= 0) putCell(block, at, y, character.codePointAt(0)!, ink);
    at++;
  }
}

function putCell(block: CellBlock, x: number, y: number, glyph: number, ink: Ink): void {
  const index = y * block.width + x;
  block.glyph[index] = glyph;
  block.fg[index] = ink.fg ?? DEFAULT_COLOR;
  block.attr[index] = ink.attr ?? 0;
}

/** The same text in ASCII. */
export function toAscii(text: string): string {
  return text.replace(/[^ -~]/g, (character) => ASCII_FOR[character] ?? '?');
}
