import { afterEach, describe, expect, it } from 'vitest';
import { createCellBlock } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { blitCells } from '../../src/base/blit-cells.ts';
import { Chrome } from './fixtures/chrome.ts';
import type { FrameState } from '../../src/ui/frame/frame-state.ts';
import { layoutScreen } from '../../src/ui/layout-screen.ts';
import { createTheme } from '../../src/ui/text/theme.ts';
import type { ColorLevel } from '../../src/ui/text/theme.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import { glyphRows, styleRows } from './cell-text.ts';
import { EMPTY_REPORT, HOSTILE_NAMES, STATE } from './fixtures/chrome-state.ts';
import { movingState } from './fixtures/moving-state.ts';

const open: Chrome[] = [];

function chromeOf(level: ColorLevel = 2): Chrome {
  const chrome = new Chrome({ theme: createTheme(level), bindings: KEY_TABLE });
  open.push(chrome);
  return chrome;
}

afterEach(() => {
  for (const chrome of open.splice(0)) chrome.dispose();
});

/** The whole screen, with the picture left blank. */
function screenOf(chrome: Chrome, state: FrameState, width: number, height: number): CellBlock {
  const screen = createCellBlock(width, height);
  for (const { x, y, block } of chrome.draw(state, layoutScreen(width, height)))
    blitCells(screen, x, y, block);
  return screen;
}

function glyphs(state: FrameState, width: number, height: number): string {
  const screen = screenOf(chromeOf(), state, width, height);
  return glyphRows(screen)
    .map((row) => `${row}|\n`)
    .join('');
}

const STATES: Record<string, FrameState> = {
  live: STATE,
  disks: { ...STATE, view: { ...STATE.view, focus: 'disks' } },
  empty: { ...STATE, report: EMPTY_REPORT },
  demo: {
    ...STATE,
    sourceKind: 'synthetic',
    filterText: 'disk=nvme0n1 op=read',
    view: {
      ...STATE.view,
      frozenAtNs: 9e9,
      processSort: 'pid',
      notice: 'frozen; tracing continues; Space resumes',
    },
    completeness: { inPicture: 0.99996, inDetail: 0.4321, lost: 12_345 },
  },
};

const SIZES = [
  [40, 12],
  [80, 24],
  [120, 30],
  [200, 50],
] as const;

describe('the chrome', () => {
  it.each(SIZES)('the whole screen looks right at %i×%i', async (width, height) => {
    const screens = Object.entries(STATES).map(
      ([name, state]) => `${name}\n${glyphs(state, width, height)}`,
    );
    await expect(screens.join('\n')).toMatchFileSnapshot(`../../snapshots/ui/chrome-${width}.txt`);
  });

  it.each([0, 1, 2] as const)('the screen marks what matters at colour level %i', async (level) => {
    const legend = new Map<string, string>();
    const screens = [STATES['live']!, STATES['demo']!].map((state) => {
      const screen = screenOf(chromeOf(level), state, 120, 16);
      return [...glyphRows(screen), ...styleRows(screen, legend)].join('\n');
    });
    const looks = [...legend].map(([look, letter]) => `${letter} = ${look}`);
    await expect([...screens, ...looks, ''].join('\n')).toMatchFileSnapshot(
      `../../snapshots/ui/colors-${level}.txt`,
    );
  });

  it.each(SIZES)('the help covers the picture and the tables at %i×%i', async (width, height) => {
    const help = { ...STATE, view: { ...STATE.view, mode: 'help' as const, helpTop: 3 } };
    await expect(glyphs(help, width, height)).toMatchFileSnapshot(
      `../../snapshots/ui/overlay-${width}.txt`,
    );
  });

  it('a terminal that is too small shows the size that is needed', () => {
    expect(glyphs(STATE, 39, 5).trimEnd()).toMatch(/^terminal too small: 40×12 needed +\|/);
    expect(glyphs(STATE, 24, 2)).toMatch(/^too small: 40×12 needed \|/);
    expect(glyphs(STATE, 6, 1)).toBe('40×12 |\n');
    expect(glyphs(STATE, 1, 1)).toBe('!|\n');
  });

  it('header, tables and status line cover everything but the picture, and nothing of it', () => {
    for (const [width, height] of SIZES) {
      const layout = layoutScreen(width, height);
      const covered = chromeOf()
        .draw(STATE, layout)
        .reduce((rows, { block }) => rows + block.height, 0);
      expect(covered).toBe(height - layout.pane.height);
    }
  });

  it('a frame does not depend on what was drawn before', () => {
    const chrome = chromeOf();
    for (let step = 0; step < 20; step++)
      chrome.draw(movingState(step), layoutScreen(40 + step * 9, 12 + step));
    const again = screenOf(chrome, STATE, 80, 24);
    expect(again).toEqual(screenOf(chromeOf(), STATE, 80, 24));
  });

  it('the screen keeps its lines whatever the names are', () => {
    const [process] = STATE.report.processes;
    const [disk] = STATE.report.disks;
    const hostile = HOSTILE_NAMES.map((name, index) => ({ name, index }));
    const report = {
      ...STATE.report,
      processes: hostile.map(({ name, index }) => ({
        ...process!,
        comm: name,
        disk: name,
        tgid: index,
        indirect: true,
      })),
      disks: hostile.map(({ name, index }) => ({ ...disk!, disk: name, dev: index })),
    };
    for (const name of HOSTILE_NAMES) {
      const state = { ...STATE, host: name, filterText: `comm=${name}`, report };
      const rows = glyphs(state, 120, 30).split('\n');
      expect(rows).toHaveLength(31);
      for (const row of rows.slice(0, 30)) expect(row).toMatch(/^[\x20-\x7e\xa1-\u2bff]{120}\|$/);
    }
  });
});
