import { describe, expect, it } from 'vitest';
import { createCellBlock } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { windowOf } from '../../src/ui/picture/picture-window.ts';

/** Rows that are lettered from the top; the axis is on row 9 of 11, and bin 0 above it. */
const AXIS_ROW = 9;
const picture = { rowOf: (bin: number) => AXIS_ROW - 1 - bin, axisRow: AXIS_ROW };

function lettered(): CellBlock {
  const block = createCellBlock(3, 11);
  for (let y = 0; y < 11; y++) block.glyph.fill(65 + y, y * 3, y * 3 + 3);
  return block;
}

function rowsOf(marks: { low: number; high: number } | undefined, height: number): string {
  const cells = marks && {
    cursor: { column: 1, bin: marks.low },
    anchor: { column: 0, bin: marks.high },
  };
  const window = windowOf(lettered(), picture, cells ?? {}, height);
  return Array.from({ length: height }, (_, y) =>
    String.fromCodePoint(window.glyph[y * 3 + 2]!),
  ).join('');
}

describe('the part of a picture above a panel', () => {
  it('above a panel, the top of the picture and its axis are visible while nothing is marked further down', () => {
    expect(rowsOf(undefined, 5)).toBe('ABCDJ');
    expect(rowsOf({ low: 7, high: 8 }, 5)).toBe('ABCDJ');
  });

  it('above a panel, the picture is visible down to the marked box and its outline', () => {
    expect(rowsOf({ low: 4, high: 5 }, 5)).toBe('CDEFJ');
    expect(rowsOf({ low: 0, high: 0 }, 5)).toBe('FGHIJ');
  });

  it('above a panel, the upper end of a box higher than the space is visible', () => {
    expect(rowsOf({ low: 0, high: 7 }, 5)).toBe('ABCDJ');
    expect(rowsOf({ low: 0, high: 5 }, 5)).toBe('CDEFJ');
  });

  it('above a panel, a single row has no room for the axis', () => {
    expect(rowsOf(undefined, 1)).toBe('A');
  });
});
