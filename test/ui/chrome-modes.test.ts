import { afterEach, describe, expect, it } from 'vitest';
import { createCellBlock } from '../../src/base/cell-block.ts';
import { allOf, term } from '../../src/filter/filter.ts';
import { formatFilter } from '../../src/filter/language/format.ts';
import { blitCells } from '../../src/base/blit-cells.ts';
import { Chrome } from './fixtures/chrome.ts';
import type { FrameState } from '../../src/ui/frame/frame-state.ts';
import { layoutScreen } from '../../src/ui/layout-screen.ts';
import { createTheme } from '../../src/ui/text/theme.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import { lineOf } from '../../src/view/line-editor.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import type { ViewState } from '../../src/view/state.ts';
import { glyphRows } from './cell-text.ts';
import { ESTIMATED, EXACT } from './fixtures/box-report.ts';
import { STATE } from './fixtures/chrome-state.ts';
import { rowIn } from './fixtures/row-in.ts';

const open: Chrome[] = [];

afterEach(() => {
  for (const chrome of open.splice(0)) chrome.dispose();
});

/** The whole screen with the picture left as dots, so that what lies over it shows. */
function rows(state: FrameState, width: number, height: number): string[] {
  const chrome = new Chrome({ theme: createTheme(0), bindings: KEY_TABLE });
  const layout = layoutScreen(width, height);
  open.push(chrome);
  const screen = createCellBlock(width, height);
  const { pane } = layout;
  screen.glyph.fill('·'.codePointAt(0)!, pane.y * width, (pane.y + pane.height) * width);
  for (const { x, y, block } of chrome.draw(state, layout)) blitCells(screen, x, y, block);
  return glyphRows(screen);
}

function inMode(view: Partial<ViewState>, more: Partial<FrameState> = {}): FrameState {
  return { ...STATE, ...more, view: { ...STATE.view, ...view } };
}

const FILTER = allOf([term('op', '=', 'read'), term('flag', '=', 'sync')]);
const TYPED = lineOf('disk=sda l');
const CANDIDATES = ['lat>', 'disk='].map((text) => ({ text, description: `about ${text}` }));

const STATES: Record<string, FrameState> = {
  'a selected row': inMode({ processRow: rowIn(STATE.report, 2) }),
  'a selected disk': inMode({
    focus: 'disks',
    diskRow: rowIn(STATE.report, 0, { ...DEFAULT_VIEW, focus: 'disks' }),
    processRow: rowIn(STATE.report, 1),
  }),
  pick: inMode({
    mode: 'pick',
    pick: {
      ...{ what: 'process', opened: [], query: lineOf('s'), row: 1 },
      ...{ chosen: ['892'], invert: false },
    },
  }),
  filter: inMode(
    { mode: 'filter', prompt: { line: TYPED, problem: undefined } },
    { candidates: CANDIDATES },
  ),
  goto: inMode({
    mode: 'goto',
    prompt: { line: lineOf('noon'), problem: { column: 0, message: '"noon" is not a time' } },
  }),
  toggles: inMode({ mode: 'toggles', filter: FILTER }, { filterText: formatFilter(FILTER) }),
  cursor: inMode({ mode: 'cursor', cursor: { column: 1, bin: 1 } }),
  'drill-down': inMode({ mode: 'drillDown', drillDown: EXACT.box }, { drillDown: EXACT }),
  'drill-down of long ago': inMode(
    { mode: 'drillDown', drillDown: ESTIMATED.box },
    { drillDown: ESTIMATED },
  ),
};

describe('the chrome in its modes', () => {
  it.each([
    [40, 12],
    [80, 24],
    [120, 30],
    [200, 50],
  ])('the whole screen looks right in each mode at %i×%i', async (width, height) => {
    const screens = Object.entries(STATES).map(
      ([name, state]) => `${name}\n${rows(state, width, height).join('|\n')}|\n`,
    );
    await expect(screens.join('\n')).toMatchFileSnapshot(`../../snapshots/ui/modes-${width}.txt`);
  });

  it.each<[string, Partial<ViewState>]>([
    ['everything', {}],
    ['the frozen window', { frozenAtNs: 1e9 }],
    ['the box', { frozenAtNs: 1e9, promptFor: 'cursor', cursor: { column: 1, bin: 1 } }],
  ])('the prompt of the key that saves the history says that it saves %s', (part, view) => {
    const prompt = { line: lineOf('past.ioheat'), problem: undefined };
    const shown = rows(inMode({ mode: 'save', prompt, ...view }), 80, 24).join('\n');
    expect(shown).toContain(`save ${part} to: past.ioheat`);
  });

  it('the three figures of completeness are visible in every mode', () => {
    for (const state of Object.values(STATES))
      expect(rows(state, 80, 24).at(-1)).toContain('pic 100% det 100% lost 0');
  });
});
