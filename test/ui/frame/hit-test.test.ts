import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { layoutPane } from '../../../src/raster/pane-layout.ts';
import { createKeyDecoder } from '../../../src/terminal/keys.ts';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { hitTest } from '../../../src/ui/frame/hit-test.ts';
import { layoutScreen } from '../../../src/ui/layout-screen.ts';
import { placeTables } from '../../../src/ui/tables/table-places.ts';
import { ToggleMenu } from '../../../src/ui/dialogs/toggle-menu.tsx';
import type { Action } from '../../../src/view/action.ts';
import { EMPTY_LINE } from '../../../src/view/line-editor.ts';
import { TOGGLES } from '../../../src/view/keys/toggles.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { PickState, ViewState } from '../../../src/view/state.ts';
import { REPORT } from '../fixtures/chrome-state.ts';
import { ESCAPE_AT_ONCE } from '../../e2e/support/key-bytes.ts';
import { shownLines } from '../fixtures/shown-dialog.tsx';
import { mouseBytes, HeadlessSession } from '../fixtures/headless-session.ts';
import { rowIn } from '../fixtures/row-in.ts';

const WIDTH = 120;
const HEIGHT = 40;
const LAYOUT = layoutScreen(WIDTH, HEIGHT);
const PANE = layoutPane(LAYOUT.pane.width, LAYOUT.pane.height, { unicode: true, color: true });
const MAP = { x: LAYOUT.pane.x + PANE.map.x, y: LAYOUT.pane.y + PANE.map.y };

/** What a report of the mouse means; `code` as xterm sends it. */
function hit(
  code: number,
  x: number,
  y: number,
  change: Partial<ViewState> = {},
): readonly Action[] {
  const view = { ...DEFAULT_VIEW, ...change };
  const [event] = createKeyDecoder().decode(Buffer.from(mouseBytes(code, x, y)));
  if (event?.kind !== 'mouse') throw new Error('not a report of the mouse');
  const tables = placeTables(REPORT, view, WIDTH);
  return hitTest(event, {
    view,
    layout: LAYOUT,
    isDrawing: false,
    pane: PANE,
    tables,
    keyAt: () => undefined,
    singleAt: () => undefined,
    inFlightAt: () => undefined,
    pickLength: 9,
  });
}

const LEFT = 0;
const DRAG = 32;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;
const SHIFT = 4;
const CTRL = 16;

describe('a click', () => {
  it('a click in the map means the cell under it, counted from the lower left', () => {
    const bottom = MAP.y + PANE.map.height - 1;
    expect(hit(LEFT, MAP.x, bottom)).toEqual([
      { type: 'pointAt', at: { column: 0, lowBin: 0, highBin: 1 } },
    ]);
    const { bins } = PANE;
    expect(hit(LEFT, WIDTH - 1, MAP.y)).toEqual([
      { type: 'pointAt', at: { column: PANE.map.width - 1, lowBin: bins - 2, highBin: bins - 1 } },
    ]);
  });

  it('a click in the outlier row means its bin', () => {
    const { bins } = PANE;
    expect(hit(LEFT, MAP.x + 3, MAP.y - 1)).toEqual([
      { type: 'pointAt', at: { column: 3, lowBin: bins, highBin: bins } },
    ]);
  });

  it('a click on a row selects it, and on a heading sorts by its column', () => {
    const { y } = LAYOUT.tables;
    expect(hit(LEFT, 10, y + 2)).toEqual([
      { type: 'pointAtRow', pane: 'processes', row: { ...rowIn(REPORT, 1), line: 1 } },
    ]);
    const heading = placeTables(REPORT, DEFAULT_VIEW, WIDTH)[0]!
      .lines(6)[0]!
      .map(({ text }) => text)
      .join('');
    expect(hit(LEFT, heading.indexOf('P99'), y)).toEqual([
      { type: 'sortBy', sort: { pane: 'processes', by: 'p99' } },
    ]);
    const disks = placeTables(REPORT, DEFAULT_VIEW, WIDTH)[1]!;
    expect(hit(LEFT, disks.x + 3, y)).toEqual([
      { type: 'sortBy', sort: { pane: 'disks', by: 'name' } },
    ]);
  });

  it('a click on the header, or with another button, does nothing', () => {
    expect(hit(LEFT, 5, 0)).toEqual([]);
    expect(hit(2, MAP.x, MAP.y)).toEqual([]);
  });

  it('a click on a hint presses its key, and on the metric of the header shows the next', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    const click = (word: string): void => {
      const y = session.lines().findIndex((line) => line.includes(word));
      session.type(mouseBytes(LEFT, session.lines()[y]!.indexOf(word), y));
    };
    click('Space: freeze');
    expect(session.view.frozenAtNs).toBeDefined();
    click('PAUSED');
    expect(session.view.frozenAtNs).toBeUndefined();
    expect(session.view.metric).toBe('total');
    click('TOTAL');
    expect(session.view.metric).not.toBe('total');
    session.dispose();
  });

  it('a click in the menu of kinds toggles the one under it', () => {
    const menu = { mode: 'toggles' } as const;
    const element = createElement(ToggleMenu, { filter: DEFAULT_VIEW.filter, width: WIDTH });
    const line = shownLines(element, WIDTH).join('');
    for (const { names, asks } of TOGGLES)
      for (const at of [line.indexOf(` ${names[0]}`), line.indexOf(names[0]) + names[0].length - 1])
        expect(hit(LEFT, at, HEIGHT - 2, menu)).toEqual([{ type: 'toggleTerm', term: asks }]);
    expect(hit(LEFT, 0, HEIGHT - 2, menu)).toEqual([]);
    expect(hit(LEFT, WIDTH - 1, HEIGHT - 2, menu)).toEqual([]);
    expect(hit(LEFT, 8, HEIGHT - 3, menu)).toEqual([]);
  });

  it('a click does nothing while a line is typed', () => {
    for (const mode of ['filter', 'goto', 'find'] as const)
      for (let y = 0; y < HEIGHT; y++) expect(hit(LEFT, 30, y, { mode })).toEqual([]);
  });

  it('a click in a list goes to the entry, or marks it', () => {
    const pick: PickState = {
      ...{ what: 'disk', opened: [], query: EMPTY_LINE, row: 0, chosen: [], invert: false },
    };
    const list = { mode: 'pick', pick } as const;
    const y = LAYOUT.pane.y + 2 + 3;
    expect(hit(LEFT, 12, y, list)).toEqual([{ type: 'pointAtEntry', row: 3, line: 3 }]);
    expect(hit(LEFT, 3, y, list)).toEqual([{ type: 'markEntry', row: 3, line: 3 }]);
    expect(hit(LEFT, 12, LAYOUT.pane.y + 2 + 9, list)).toEqual([]);
    const columns = { mode: 'columns' } as const;
    expect(hit(LEFT, 12, LAYOUT.pane.y + 3, columns)).toEqual([
      { type: 'toggleColumn', at: { row: 2, line: 2 } },
    ]);
  });

  it('a click on a hint that explains several keys presses none of them', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type('o');
    const y = HEIGHT - 1;
    session.type(mouseBytes(LEFT, session.lines()[y]!.indexOf('capital letter'), y));
    expect(session.view).toMatchObject({ mode: 'toggles', highlight: { kind: 'everything' } });
    session.dispose();
  });

  it('the hint of Tab names the next map only where maps fit above each other', () => {
    for (const [height, isThere] of [
      [HEIGHT, true],
      [12, false],
    ] as const) {
      const session = new HeadlessSession(1, WIDTH, height);
      session.wait(12e9);
      session.type('Vv');
      session.wait(0);
      expect(session.lines()[height - 1]!.includes('Tab: next map')).toBe(isThere);
      session.dispose();
    }
  });

  it('a click in the list of actions goes to the entry, and a second one does it', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type(':palette');
    const click = (text: string): void => {
      const y = session.lines().findIndex((line) => line.includes(text));
      session.type(mouseBytes(LEFT, 12, y));
    };
    for (const palette of ['grey', 'spectrum', 'heat'] as const) {
      click(`palette: ${palette}`);
      expect(session.view.mode).toBe('actions');
      expect(session.lines().join('\n')).toContain(`▸ palette: ${palette}`);
    }
    click('palette: heat');
    expect(session.view).toMatchObject({ mode: 'main', palette: 'heat' });
    session.type(':');
    session.type(mouseBytes(WHEEL_DOWN, 12, LAYOUT.pane.y + 3));
    expect(session.view.actions).toMatchObject({ row: 1 });
    session.type(mouseBytes(LEFT, 12, LAYOUT.pane.y));
    expect(session.view.mode).toBe('actions');
    session.dispose();
  });
});

describe('the wheel', () => {
  it('the wheel scrolls time over the picture and the charts, and zooms it with Shift or Ctrl', () => {
    for (const mode of ['main', 'trend'] as const) {
      expect(hit(WHEEL_UP, MAP.x, MAP.y, { mode })).toEqual([
        { type: 'scrollTime', by: 'earlier' },
      ]);
      for (const held of [SHIFT, CTRL])
        expect(hit(WHEEL_DOWN + held, MAP.x, MAP.y, { mode })).toEqual([
          { type: 'stepInterval', step: 1 },
        ]);
    }
  });

  it('the wheel moves the selected row of the table under it', () => {
    expect(hit(WHEEL_DOWN, WIDTH - 2, LAYOUT.tables.y + 1)).toEqual([
      { type: 'focusPane', pane: 'disks' },
      { type: 'moveRow', by: 'row' },
    ]);
  });

  it('the wheel scrolls the help by some lines', () => {
    expect(hit(WHEEL_DOWN, 9, 9, { mode: 'help' })).toEqual(
      Array(3).fill({ type: 'scroll', by: 'row' }),
    );
  });
});

describe('the mouse', () => {
  it('dragging the mouse draws a box, and a click into it opens it', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type(mouseBytes(LEFT, MAP.x + 60, MAP.y + 10));
    expect(session.view).toMatchObject({ mode: 'cursor', anchor: undefined, heldForCursor: true });
    session.type(mouseBytes(DRAG, MAP.x + 70, MAP.y + 4));
    session.type(mouseBytes(LEFT, MAP.x + 70, MAP.y + 4, true));
    const { cursor, anchor } = session.view;
    expect([anchor?.column, cursor?.column]).toEqual([60, 70]);
    expect(cursor!.bin - anchor!.bin + 1).toBe(7 * PANE.binsPerRow);
    session.type(mouseBytes(LEFT, MAP.x + 65, MAP.y + 7));
    expect(session.view.mode).toBe('drillDown');
    session.dispose();
  });

  it('dragging beyond the map keeps the box in it', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type(mouseBytes(LEFT, MAP.x + 60, MAP.y + 10));
    session.type(mouseBytes(DRAG, 0, HEIGHT - 1));
    expect(session.view.cursor).toEqual({ column: 0, bin: 0 });
    session.dispose();
  });

  it('dragging draws no box where it did not start in the picture', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type('v');
    const { cursor } = session.view;
    for (const [x, y] of [
      [10, LAYOUT.tables.y + 1],
      [2, MAP.y + 5],
      [5, 0],
    ] as const) {
      session.type(mouseBytes(LEFT, x, y) + mouseBytes(DRAG, MAP.x + 70, MAP.y + 4));
      expect(session.view).toMatchObject({ mode: 'cursor', cursor, anchor: undefined });
    }
    session.dispose();
  });

  it('a click left of the picture highlights the values between two labels, and again ends it', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    const row = (label: string): number =>
      session.lines().findIndex((line) => line.includes(` ${label}┤`));
    expect(row('1ms')).toBeGreaterThan(row('10ms') + 1);
    const between = mouseBytes(LEFT, 2, row('10ms') + 1);
    session.type(between);
    // The labels lie at the nearest edges of bins.
    expect(formatFilter(session.view.highlight)).toMatchInlineSnapshot(
      `"lat>=904.736us lat<11.052952ms"`,
    );
    expect(session.view.cursor).toBeUndefined();
    session.type(between);
    expect(session.view.highlight.kind).toBe('everything');
    session.dispose();
  });

  it('a click at the label of the outlier row highlights what is above the axis', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type(mouseBytes(LEFT, 2, MAP.y - 1));
    expect(formatFilter(session.view.highlight)).toMatch(/^lat>=\S+$/);
    session.dispose();
  });

  it('pointing at a map of a stack reads off that map', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type('V');
    const { pane } = LAYOUT;
    const seen = Array.from({ length: pane.height / 3 }, (_, y) => {
      session.type(mouseBytes(LEFT, MAP.x + 60, pane.y + 3 * y) + ESCAPE_AT_ONCE.repeat(2));
      return session.view.metric;
    });
    expect([...new Set(seen)]).toEqual(['total', 'offset', 'size']);
    session.type(mouseBytes(LEFT, MAP.x + 60, pane.y + 3));
    expect(session.view).toMatchObject({ mode: 'cursor', metric: 'total' });
    const { column } = session.view.cursor!;
    session.type(mouseBytes(LEFT, MAP.x + 70, pane.y + pane.height - 5));
    expect(session.view).toMatchObject({ mode: 'cursor', metric: 'size', anchor: undefined });
    expect(session.view.cursor?.column).toBe(column + 10);
    session.dispose();
  });

  it('a click left of another map of a stack highlights there, with the cross-hair in its column', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type('Vv');
    const { column } = session.view.cursor!;
    const { pane } = LAYOUT;
    session.type(mouseBytes(LEFT, 2, pane.y + pane.height - 5));
    expect(session.view).toMatchObject({ mode: 'cursor', metric: 'size', cursor: { column } });
    expect(formatFilter(session.view.highlight)).toMatch(/size/);
    session.type('\r');
    expect(session.view.mode).toBe('drillDown');
    session.dispose();
  });

  it('pointing at disk lanes reads off each, whatever its height', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    session.type('VVVVV');
    expect(session.view.layout).toBe('disks');
    const { pane } = LAYOUT;
    const bins = Array.from({ length: pane.height - 2 }, (_, y) => {
      session.type(ESCAPE_AT_ONCE.repeat(2) + mouseBytes(LEFT, WIDTH - 9, pane.y + y));
      return session.view.cursor?.bin;
    });
    const lanes = [...new Set(bins.filter((bin) => bin !== undefined))];
    expect(lanes).toEqual([2, 1, 0]);
    const heights = lanes.map((lane) => bins.filter((bin) => bin === lane).length);
    expect(new Set(heights).size).toBe(1);
    session.type(mouseBytes(LEFT, WIDTH - 9, pane.y + 1) + mouseBytes(LEFT, WIDTH - 9, pane.y + 2));
    expect(session.view.mode).toBe('drillDown');
    expect(session.view.drillDown?.where?.length).toBe(1);
    session.dispose();
  });

  it('the picture stays frozen when wheeled to the present with the cross-hair', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(30e9);
    session.type(mouseBytes(LEFT, MAP.x + 60, MAP.y + 10));
    for (let i = 0; i < 3; i++) session.type(mouseBytes(WHEEL_DOWN, MAP.x + 60, MAP.y + 10));
    session.wait(2e9);
    expect(session.view).toMatchObject({ mode: 'cursor', frozenAtNs: 30e9 });
    session.type(ESCAPE_AT_ONCE);
    expect(session.view).toMatchObject({ mode: 'main', frozenAtNs: undefined });
    session.dispose();
  });

  it('the cross-hair stays at its moment when the wheel changes the width of columns', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(60e9);
    for (const column of [PANE.map.width - 1, 60, 3]) {
      session.type(mouseBytes(LEFT, MAP.x + column, MAP.y + 10));
      const { startNs, endNs } = session.box();
      const atNs = Math.min((startNs + endNs) / 2, 60e9);
      for (const code of [WHEEL_DOWN, WHEEL_DOWN, WHEEL_UP, WHEEL_UP, WHEEL_UP, WHEEL_UP]) {
        const { intervalNs } = session.view;
        session.type(mouseBytes(code + CTRL, MAP.x + column, MAP.y + 10));
        if (session.view.intervalNs === intervalNs) continue;
        const box = session.box();
        expect(box.endNs - box.startNs).toBe(session.view.intervalNs);
        // The middle of a column twice as wide may lie in another of the narrow ones next to it.
        expect(Math.abs((box.startNs + box.endNs) / 2 - atNs)).toBeLessThanOrEqual(500e6);
      }
      session.type('q');
      expect(session.view.frozenAtNs).toBeUndefined();
    }
    session.dispose();
  });

  it('a second click on a row filters by it', () => {
    const session = new HeadlessSession(1, WIDTH, HEIGHT);
    session.wait(12e9);
    const click = mouseBytes(LEFT, 10, LAYOUT.tables.y + 1);
    session.type(click);
    expect(session.view).toMatchObject({ processRow: { place: 0 }, filterStack: [] });
    session.type(click);
    expect(session.view.filterStack).toHaveLength(1);
    session.dispose();
  });
});
