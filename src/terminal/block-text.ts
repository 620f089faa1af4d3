import type { CellBlock } from '../base/cell-block.ts';
import { DEFAULT_COLOR, SPACE } from '../base/cell-block.ts';

/** Consecutive cells of a line that look the same. */
export interface CellRun {
  readonly text: string;
  readonly fg: number;
  readonly bg: number;
  readonly attr: number;
}

/** The cells as lines of runs, without trailing blanks; without `color`, a line is one run. */
export function blockLines(block: CellBlock, color: boolean): CellRun[][] {
  return Array.from({ length: block.height }, (_, y) => {
    const runs: CellRun[] = [];
    const end = lineEnd(block, y, color);
    for (let from = y * block.width; from < end;) {
      const to = color ? runEnd(block, from, end) : end;
      const text = String.fromCodePoint(...block.glyph.subarray(from, to));
      runs.push({ text, fg: block.fg[from]!, bg: block.bg[from]!, attr: block.attr[from]! });
      from = to;
    }
    return runs;
  });
}

function runEnd({ fg, bg, attr }: CellBlock, from: number, end: number): number {
  let to = from + 1;
  while (to < end && fg[to] === fg[from] && bg[to] === bg[from] && attr[to] === attr[from]) to++;
  return to;
}

/** Index after the last visible cell of line `y`. */
function lineEnd(block: CellBlock, y: number, color: boolean): number {
  let end = (y + 1) * block.width;
  while (end > y * block.width && isBlank(block, end - 1, color)) end--;
  return end;
}

function isBlank(block: CellBlock, i: number, color: boolean): boolean {
  if (block.glyph[i] !== SPACE) return false;
  return !color || (block.bg[i] === DEFAULT_COLOR && block.attr[i] === 0);
}
