import { type CellBlock, createCellBlock } from '../base/cell-block.ts';
import { safeGlyph } from '../base/sanitize.ts';
import { endOfSequence, ESCAPE } from './escape-sequence.ts';
import { applySgr, createSgrState, type SgrState } from './sgr.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SMALL_M = 0x6d;
const LEFT_BRACKET = 0x5b;

/**
 * Parses a frame of lines, colours and attributes, as Ink writes it, into cells; what exceeds the size is truncated.
 * All other escape sequences, including hyperlinks, are dropped. Text is sanitised, one column per code point, so
 * names from outside must be sanitised before layout for columns to line up.
 */
export function parseAnsi(text: string, width: number, height: number): CellBlock {
  const block = createCellBlock(width, height);
  const style = createSgrState();
  let x = 0;
  let y = 0;
  let i = 0;
  while (i < text.length && y < height) {
    const code = text.charCodeAt(i);
    if (code === ESCAPE) {
      const end = endOfSequence(text, i);
      if (isSgr(text, i, end)) applySgr(style, text, i + 2, end - 1);
      i = end;
    } else if (code === LINE_FEED) {
      y++;
      x = 0;
      i++;
    } else if (code === CARRIAGE_RETURN) {
      x = 0;
      i++;
    } else {
      const codePoint = text.codePointAt(i)!;
      if (x < width) writeCell(block, y * width + x, safeGlyph(codePoint), style);
      x++;
      i += codePoint > 0xffff ? 2 : 1;
    }
  }
  return block;
}

/** `CSI … m` with only digits and separators: `CSI > … m` and similar have other meanings. */
function isSgr(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start + 1) !== LEFT_BRACKET || text.charCodeAt(end - 1) !== SMALL_M)
    return false;
  for (let i = start + 2; i < end - 1; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x3b) return false;
  }
  return true;
}

function writeCell(block: CellBlock, index: number, glyph: number, style: SgrState): void {
  block.glyph[index] = glyph;
  block.fg[index] = style.fg;
  block.bg[index] = style.bg;
  block.attr[index] = style.attr;
}
