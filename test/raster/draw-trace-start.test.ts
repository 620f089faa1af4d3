import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCellBlock } from '../../src/base/cell-block.ts';
import { drawTraceStart } from '../../src/raster/draw-trace-start.ts';
import { drawPane } from '../../src/raster/draw-pane.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import type { PaneStyle } from '../../src/raster/pane-style.ts';
import { CLOCK_BASE, COLOR, draw, glyphAt } from './fixtures.ts';

const COLUMNS = 65;
const NAME = 'tracing began 14:02:11';

function screen(startNs: number, style: PaneStyle = COLOR): string[] {
  const layout = layoutPane(80, 13, style);
  const block = createCellBlock(80, 13);
  const traceStart = { atNs: 0, name: 'tracing began' };
  const options = { style, clockBase: CLOCK_BASE, frozenAtNs: undefined, traceStart };
  const span = { startNs, columns: COLUMNS, columnNs: 1e9 };
  drawTraceStart({ block, layout, options, span });
  return Array.from({ length: layout.map.height }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) =>
      glyphAt(block, layout.map.x + column, layout.map.y + row),
    ).join(''),
  );
}

describe('the start of a trace', () => {
  it('the start of a trace is a line in the column before the first, in every row, with its time on the left', () => {
    const rows = screen(-40e9);
    expect(rows.map((row) => row.indexOf('┊'))).toEqual(rows.map(() => 39));
    const named = rows.filter((row) => row.includes(NAME));
    expect(named).toHaveLength(1);
    expect(named[0]?.trim()).toBe(`${NAME} ┊`);
  });

  it('the line at the start of a trace scrolls with the picture as long as it fits, whole or not at all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: COLUMNS }), (column) => {
        const [before, after] = [screen(-column * 1e9), screen(-(column - 1) * 1e9)];
        for (const [y, row] of before.entries()) {
          const isGone = after[y]!.trim() === '┊';
          const shown = isGone ? row.replace(NAME, ' '.repeat(NAME.length)) : row;
          expect(after[y]!.trimEnd()).toBe(shown.slice(1).trimEnd());
        }
      }),
    );
  });

  it('the line at the start of a trace disappears when the first column reaches the left edge', () => {
    expect(screen(0).join('').trim()).toBe('');
    expect(screen(50e9).join('').trim()).toBe('');
    expect(screen(-66e9).join('').trim()).toBe('');
  });

  it('the line at the start of a trace is drawn with ASCII where there is nothing else', () => {
    const rows = screen(-40e9, { ...COLOR, unicode: false, color: false });
    expect(rows.every((row) => row[39] === '|')).toBe(true);
  });

  it('the line at the start of a trace covers no I/O', () => {
    const { live, layout } = draw({ pattern: 'two-bands', seconds: 20, width: 80, height: 13 });
    const options = { style: COLOR, clockBase: CLOCK_BASE, frozenAtNs: undefined };
    const without = drawPane(live, layout, options);
    const traceStart = { atNs: 0, name: 'tracing began' };
    const { glyph, fg, bg } = drawPane(live, layout, { ...options, traceStart });
    for (const [at, before] of without.glyph.entries()) {
      if (before === 0x20) continue;
      expect([glyph[at], fg[at], bg[at]]).toEqual([before, without.fg[at], without.bg[at]]);
    }
    expect(String.fromCodePoint(...glyph)).toContain(NAME);
  });
});
