import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Attribute, createCellBlock, DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import type { PaneLayout } from '../../src/raster/pane-layout.ts';
import { drawCursor } from '../../src/ui/picture/draw-cursor.ts';
import { MARK_COLOR, MARKED_TEXT_COLORS } from '../../src/ui/picture/mark-pixels.ts';
import { contrast } from '../tools/color-difference.ts';
import { rgbOfCell } from '../tools/xterm-colors.ts';
import type { MapCell } from '../../src/view/state.ts';
import { glyphRows, styleRows } from './cell-text.ts';

const STYLES = {
  halves: { unicode: true, color: true },
  coloured: { unicode: false, color: true },
  shades: { unicode: true, color: false },
} as const;
type Style = (typeof STYLES)[keyof typeof STYLES];

const DATA = 226;

/** A pane with I/O in two bands and one busy column, and times below. */
function paneOf(layout: PaneLayout, style: Style): CellBlock {
  const block = createCellBlock(layout.width, layout.height);
  for (let column = 0; column < layout.map.width; column++)
    for (let bin = 0; bin < layout.bins; bin++)
      if (bin % 6 < 2 || column === 3) putData(block, layout, style, column, bin);
  const times = '14:02:10┘';
  for (const [x, glyph] of Array.from(times).entries())
    block.glyph[(layout.timeRow ?? 0) * layout.width + layout.map.x + x] = glyph.codePointAt(0)!;
  return block;
}

function putData(
  block: CellBlock,
  { map, binsPerRow }: PaneLayout,
  style: Style,
  column: number,
  bin: number,
): void {
  const y = map.y + map.height - 1 - Math.floor(bin / binsPerRow);
  const index = y * block.width + map.x + column;
  if (!style.color) block.glyph[index] = '▒'.codePointAt(0)!;
  else if (binsPerRow === 1) block.bg[index] = DATA;
  else {
    const isFull = block.fg[index] !== DEFAULT_COLOR;
    block.glyph[index] = (isFull ? '█' : bin % 2 === 0 ? '▄' : '▀').codePointAt(0)!;
    block.fg[index] = DATA;
  }
}

function drawn(style: Style, cursor: MapCell, anchor?: MapCell): string {
  const layout = layoutPane(30, 12, style);
  const block = paneOf(layout, style);
  drawCursor(block, layout, style, cursor, anchor);
  const legend = new Map<string, string>();
  const looks = styleRows(block, legend);
  return [...glyphRows(block), ...looks, ...[...legend].map(([look, mark]) => `${mark} = ${look}`)]
    .map((row) => `${row}\n`)
    .join('');
}

const CASES: Record<string, [MapCell, MapCell?]> = {
  'cross-hair': [{ column: 12, bin: 5 }],
  'cross-hair on I/O': [{ column: 3, bin: 6 }],
  box: [
    { column: 14, bin: 9 },
    { column: 8, bin: 4 },
  ],
  'box of one pixel': [
    { column: 5, bin: 6 },
    { column: 5, bin: 6 },
  ],
  'box at the corner': [
    { column: 0, bin: 0 },
    { column: 4, bin: 2 },
  ],
};

describe('the cursor on the picture', () => {
  it.each(Object.entries(STYLES))(
    'the cursor on the picture looks right in %s',
    async (name, style) => {
      const { bins } = layoutPane(30, 12, style);
      const lane: [MapCell, MapCell?] = [{ column: 12, bin: bins }];
      const upToLane: [MapCell, MapCell?] = [
        { column: 8, bin: bins },
        { column: 12, bin: bins - 2 },
      ];
      const all = { ...CASES, lane, 'box up to the lane': upToLane };
      const shown = Object.entries(all).map(
        ([title, cells]) => `${title}\n${drawn(style, ...cells)}`,
      );
      await expect(shown.join('\n')).toMatchFileSnapshot(`../../snapshots/ui/cursor-${name}.txt`);
    },
  );

  const anyPane = fc.record({
    width: fc.integer({ min: 10, max: 60 }),
    height: fc.integer({ min: 4, max: 20 }),
    style: fc.constantFrom(...Object.values(STYLES)),
    column: fc.nat(),
    bin: fc.nat(),
    far: fc.option(fc.record({ column: fc.nat(), bin: fc.nat() }), { nil: undefined }),
  });

  function within({ map, bins }: PaneLayout, { column, bin }: MapCell): MapCell {
    return { column: column % Math.max(1, map.width), bin: bin % (bins + 1) };
  }

  it('the cursor is visible in every cell of the map and of the outlier row, over I/O and over nothing', () => {
    fc.assert(
      fc.property(anyPane, ({ width, height, style, far, ...near }) => {
        const layout = layoutPane(width, height, style);
        const before = paneOf(layout, style);
        const after = paneOf(layout, style);
        const cursor = within(layout, near);
        drawCursor(after, layout, style, cursor, far && within(layout, far));
        expect(after).not.toEqual(before);
      }),
    );
  });

  it('no cursor is drawn where there is no map', () => {
    for (const [width, height] of [
      [1, 1],
      [5, 2],
      [30, 1],
    ] as const) {
      const layout = layoutPane(width, height, STYLES.halves);
      const block = createCellBlock(width, height);
      const far = { column: 99, bin: 99 };
      expect(() => {
        drawCursor(block, layout, STYLES.halves, far);
        drawCursor(block, layout, STYLES.halves, far, { column: 0, bin: 0 });
      }).not.toThrow();
    }
  });

  it('the outline of a box covers no I/O in it', () => {
    fc.assert(
      fc.property(anyPane, ({ width, height, far, ...near }) => {
        const style = STYLES.halves;
        const layout = layoutPane(width, height, style);
        const before = paneOf(layout, style);
        const after = paneOf(layout, style);
        const cursor = within(layout, near);
        const anchor = within(layout, far ?? near);
        drawCursor(after, layout, style, cursor, anchor);
        const [left, right] = [cursor.column, anchor.column].toSorted((a, b) => a - b);
        const [low, high] = [cursor.bin, anchor.bin].toSorted((a, b) => a - b);
        for (let column = left!; column <= right!; column++)
          for (let bin = low!; bin <= Math.min(high!, layout.bins - 1); bin++)
            if (halfOf(before, layout, column, bin) === DATA)
              expect(halfOf(after, layout, column, bin)).toBe(DATA);
      }),
    );
  });

  it('the cursor marks the upper and the lower half of a cell differently', () => {
    const layout = layoutPane(30, 12, STYLES.halves);
    for (const bin of [4, 5]) {
      const block = createCellBlock(30, 12);
      drawCursor(block, layout, STYLES.halves, { column: 7, bin });
      expect(halfOf(block, layout, 7, bin)).toBe(MARK_COLOR);
      expect(halfOf(block, layout, 7, bin ^ 1)).not.toBe(MARK_COLOR);
    }
  });

  it.each([
    ['dark', 4.5, [0x000000, 0x002b36]],
    ['light', 4.5, [0xffffff, 0xfdf6e3]],
    ['unknown', 3.5, [0x000000, 0xffffff]],
  ] as const)(
    'the labels under the cursor are legible, background %s',
    (background, least, all) => {
      const layout = layoutPane(30, 12, STYLES.halves);
      const block = createCellBlock(30, 12);
      drawCursor(block, layout, { ...STYLES.halves, background }, { column: 7, bin: 4 });
      const index = layout.timeRow! * 30 + layout.map.x + 7;
      expect(block.fg[index]).toBe(MARKED_TEXT_COLORS[background]);
      for (const behind of all)
        expect(contrast(rgbOfCell(block.fg[index]!), behind)).toBeGreaterThanOrEqual(least);
    },
  );

  it('the cursor is visible without colour', () => {
    const layout = layoutPane(30, 12, STYLES.shades);
    const block = paneOf(layout, STYLES.shades);
    drawCursor(block, layout, STYLES.shades, { column: 7, bin: 2 });
    expect(block.fg.every((color) => color === DEFAULT_COLOR)).toBe(true);
    const { map } = layout;
    const index = (map.y + map.height - 1 - 2) * 30 + map.x + 7;
    expect(block.attr[index]! & Attribute.inverse).not.toBe(0);
  });
});

function halfOf(block: CellBlock, { map }: PaneLayout, column: number, bin: number): number {
  const index = (map.y + map.height - 1 - Math.floor(bin / 2)) * block.width + map.x + column;
  const glyph = String.fromCodePoint(block.glyph[index]!);
  const isFront = glyph === '█' || glyph === (bin % 2 === 1 ? '▀' : '▄');
  return isFront ? block.fg[index]! : block.bg[index]!;
}
