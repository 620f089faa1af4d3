import { describe, expect, it } from 'vitest';
import { createCellBlock } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { drawNotes, notedColumns } from '../../src/raster/draw-notes.ts';
import type { NotedColumn } from '../../src/raster/draw-notes.ts';
import { putText, toAscii } from '../../src/raster/put-text.ts';

const TIMES = '         14:02:00┘           14:02:20┘       now';
const STYLE = { unicode: true, color: false };

/** Two rows of a map, and the times below it. */
function drawn(
  noted: readonly NotedColumn[],
  cursor?: number,
  style = STYLE,
  times = TIMES,
): string[] {
  const block = createCellBlock(TIMES.length, 3);
  putText(block, 0, 1, '█'.repeat(TIMES.length));
  putText(block, 0, 2, style.unicode ? times : toAscii(times));
  const place = { x: 0, width: TIMES.length, timeRow: 2 };
  drawNotes(block, place, noted, cursor, style);
  return linesOf(block);
}

function linesOf({ width, height, glyph }: CellBlock): string[] {
  return Array.from({ length: height }, (_, y) =>
    String.fromCodePoint(...glyph.subarray(y * width, (y + 1) * width)),
  );
}

describe('notes in the picture', () => {
  it('notes in the picture have a line that covers no I/O, a mark, and their text up to the next time', () => {
    const lines = drawn([{ column: 20, text: 'deploy' }]);
    expect(lines[0]!.trimEnd()).toBe(`${' '.repeat(20)}╎`);
    expect(lines[1]).toBe('█'.repeat(TIMES.length));
    expect(lines[2]).toBe('         14:02:00┘  ◆ deploy 14:02:20┘       now');
  });

  it('that are too long for the gap are shortened, and left out where nothing can be read', () => {
    const text = 'deploy of the shop';
    expect(drawn([{ column: 19, text }])[2]).toBe(
      '         14:02:00┘ ◆ deploy… 14:02:20┘       now',
    );
    expect(drawn([{ column: 26, text }])[2]).toBe(
      '         14:02:00┘        ◆  14:02:20┘       now',
    );
  });

  it('remove the time that their mark would make another one', () => {
    expect(drawn([{ column: 12, text: 'deploy' }])[2]).toBe(
      '            ◆ deploy         14:02:20┘       now',
    );
  });

  it('remove the whole of a date, and a time whose mark is in ASCII', () => {
    const dates = TIMES.replace('  14:02:00┘', '2026-01-31┘');
    expect(drawn([{ column: 14, text: 'deploy' }], undefined, STYLE, dates)[2]).toBe(
      '              ◆ deploy       14:02:20┘       now',
    );
    const ascii = { ...STYLE, unicode: false };
    for (const column of [12, 17])
      expect(drawn([{ column, text: '' }], undefined, ascii)[2]!.trimStart()).toMatch(
        /^\* +14:02:20' +now$/,
      );
  });

  it('notes in the picture are shown in full over the times where the cursor is', () => {
    const text = 'deploy of the shop';
    expect(drawn([{ column: 19, text }], 19)[2]).toBe(
      '         14:02:00┘ ◆ deploy of the shop      now',
    );
    expect(drawn([{ column: 40, text }], 40)[2]).toBe(
      '         14:02:00┘   deploy of the shop ◆    now',
    );
  });

  it('notes in the picture leave the time of the right edge', () => {
    const lines = drawn([{ column: TIMES.length - 2, text: 'just now' }]);
    expect(lines[2]).toBe(TIMES);
    expect(lines[0]).toContain('╎');
  });

  it('notes in the picture of one column are one text, without characters that act on a terminal', () => {
    const notes = [
      { atNs: 5e9, text: 'one' },
      { atNs: 5.5e9, text: 'two\x1b[2J' },
      { atNs: 7e9, text: 'three' },
    ];
    expect(notedColumns(notes, 3e9, 1e9)).toEqual([
      { column: 2, text: 'one; two?[2J' },
      { column: 4, text: 'three' },
    ]);
  });

  it('notes in the picture are ASCII where the terminal has nothing else', () => {
    const lines = drawn([{ column: 20, text: 'deploy' }], undefined, { ...STYLE, unicode: false });
    expect(lines[0]!.trim()).toBe('|');
    expect(lines[2]).toContain('* deploy');
  });
});
