import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detailRect, layoutScreen, overlayRect } from '../../src/ui/layout-screen.ts';

const size = fc.record({
  width: fc.integer({ min: 40, max: 500 }),
  height: fc.integer({ min: 12, max: 200 }),
});
const anySize = fc.record({
  width: fc.integer({ min: 1, max: 500 }),
  height: fc.integer({ min: 1, max: 200 }),
});

describe('layoutScreen', () => {
  it('the screen layout covers every line once, from top to bottom', () => {
    fc.assert(
      fc.property(size, ({ width, height }) => {
        const { header, pane, tables, status } = layoutScreen(width, height);
        let y = 0;
        for (const rect of [header, pane, tables, status]) {
          expect(rect).toMatchObject({ x: 0, y, width });
          y += rect.height;
        }
        expect(y).toBe(height);
      }),
    );
  });

  it('the screen layout gives the picture most room, and the tables a heading and two rows', () => {
    fc.assert(
      fc.property(size, ({ width, height }) => {
        const { header, pane, tables } = layoutScreen(width, height);
        expect(pane.height).toBeGreaterThan(Math.max(header.height, tables.height));
        expect(tables.height).toBeGreaterThanOrEqual(3);
      }),
    );
  });

  it('the screen layout keeps all rectangles inside the screen down to one cell', () => {
    fc.assert(
      fc.property(anySize, ({ width, height }) => {
        const { header, pane, tables, status } = layoutScreen(width, height);
        for (const rect of [header, pane, tables, status]) {
          expect(rect.x + rect.width).toBeLessThanOrEqual(width);
          expect(rect.y + rect.height).toBeLessThanOrEqual(height);
        }
      }),
    );
  });

  it('the screen layout gives a screen that is too small to its message', () => {
    expect(layoutScreen(39, 12).tooSmall).toBe(true);
    expect(layoutScreen(40, 11).tooSmall).toBe(true);
    expect(layoutScreen(40, 12).tooSmall).toBe(false);
    expect(layoutScreen(1, 1).status).toEqual({ x: 0, y: 0, width: 1, height: 1 });
  });

  it('the screen layout puts the help over the picture and the tables', () => {
    const layout = layoutScreen(80, 24);
    expect(overlayRect(layout)).toEqual({ x: 0, y: 2, width: 80, height: 21 });
  });

  it('the screen layout keeps a part of the picture visible next to the drill-down when there is room', () => {
    expect(detailRect(layoutScreen(120, 33))).toEqual(overlayRect(layoutScreen(120, 33)));
    const { y, height } = detailRect(layoutScreen(120, 40));
    expect({ y, height }).toEqual({ y: 16, height: 23 });
  });
});
