import { afterEach, describe, expect, it } from 'vitest';
import { createCellBlock } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { blitCells } from '../../src/ui/blit-cells.ts';
import { createChrome } from '../../src/ui/chrome.tsx';
import type { Chrome, ChromeState } from '../../src/ui/chrome.tsx';
import { createTheme } from '../../src/ui/theme.ts';
import type { ColorLevel } from '../../src/ui/theme.ts';
import type { ActionContext } from '../../src/view/action.ts';
import { KEY_TABLE } from '../../src/view/key-table.ts';
import { reduce } from '../../src/view/reduce.ts';
import { glyphRows, styleRows } from './cell-text.ts';
import { EMPTY_REPORT, HOSTILE_NAMES, STATE } from './fixtures/chrome-state.ts';
import { movingState } from './fixtures/moving-state.ts';

const open: Chrome[] = [];

function chromeOf(width: number, height: number, level: ColorLevel = 2): Chrome {
  const chrome = createChrome({ theme: createTheme(level), bindings: KEY_TABLE }, width, height);
  open.push(chrome);
  return chrome;
}

afterEach(() => {
  for (const chrome of open.splice(0)) chrome.dispose();
});

/** The whole screen, with the picture left blank. */
function screenOf(chrome: Chrome, state: ChromeState, width: number, height: number): CellBlock {
  const screen = createCellBlock(width, height);
  for (const { x, y, block } of chrome.draw(state)) blitCells(screen, x, y, block);
  return screen;
}

function glyphs(state: ChromeState, width: number, height: number): string {
  const screen = screenOf(chromeOf(width, height), state, width, height);
  return glyphRows(screen)
    .map((row) => `${row}|\n`)
    .join('');
}

/** The world of a reducer that only scrolls. */
const CONTEXT: Omit<ActionContext, 'listRows' | 'listHeight'> = {
  nowNs: 0,
  startNs: 0,
  wallNowMs: 0,
  columns: 80,
  bins: 20,
  pickIds: [],
  rowTerms: undefined,
  completion: () => undefined,
  layoutProblem: () => undefined,
  notableCell: () => undefined,
  isCounting: () => false,
  fullerBin: ({ lowBin }) => lowBin,
  findRows: () => [],
  worst: () => undefined,
  cellOfWorst: () => ({ column: 0, bin: 0 }),
  mapOf: () => ({ bins: 1, fullestBin: () => 0 }),
  boxOf: () => ({ metric: 'device', startNs: 0, endNs: 1, low: 0, high: 1 }),
};

const STATES: Record<string, ChromeState> = {
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
      notice: 'frozen; tracing goes on; Space resumes',
    },
    fidelity: { inPicture: 0.99996, inDetail: 0.4321, lost: 12_345 },
  },
};

const SIZES = [
  [40, 12],
  [80, 24],
  [120, 30],
  [200, 50],
] as const;

describe('the chrome', () => {
  it.each(SIZES)('looks right at %i×%i', async (width, height) => {
    const screens = Object.entries(STATES).map(
      ([name, state]) => `${name}\n${glyphs(state, width, height)}`,
    );
    await expect(screens.join('\n')).toMatchFileSnapshot(`../../snapshots/ui/chrome-${width}.txt`);
  });

  it.each([0, 1, 2] as const)('marks what matters at colour level %i', async (level) => {
    const legend = new Map<string, string>();
    const screens = [STATES['live']!, STATES['demo']!].map((state) => {
      const screen = screenOf(chromeOf(120, 16, level), state, 120, 16);
      return [...glyphRows(screen), ...styleRows(screen, legend)].join('\n');
    });
    const looks = [...legend].map(([look, letter]) => `${letter} = ${look}`);
    await expect([...screens, ...looks, ''].join('\n')).toMatchFileSnapshot(
      `../../snapshots/ui/colors-${level}.txt`,
    );
  });

  it.each(SIZES)(
    'lays the help over the picture and the tables at %i×%i',
    async (width, height) => {
      const help = { ...STATE, view: { ...STATE.view, mode: 'help' as const, helpTop: 3 } };
      await expect(glyphs(help, width, height)).toMatchFileSnapshot(
        `../../snapshots/ui/overlay-${width}.txt`,
      );
    },
  );

  it('says what it needs on a terminal that is too small', () => {
    expect(glyphs(STATE, 39, 5).trimEnd()).toMatch(/^terminal too small: 40×12 needed +\|/);
    expect(glyphs(STATE, 24, 2)).toMatch(/^too small: 40×12 needed \|/);
    expect(glyphs(STATE, 6, 1)).toBe('40×12 |\n');
    expect(glyphs(STATE, 1, 1)).toBe('!|\n');
  });

  it('covers everything but the picture, and nothing of it', () => {
    for (const [width, height] of SIZES) {
      const chrome = chromeOf(width, height);
      const covered = chrome.draw(STATE).reduce((rows, { block }) => rows + block.height, 0);
      expect(covered).toBe(height - chrome.layout.pane.height);
    }
  });

  it('draws the same whatever it drew before', () => {
    const chrome = chromeOf(120, 30);
    for (let step = 0; step < 20; step++) {
      chrome.resize(40 + step * 9, 12 + step);
      chrome.draw(movingState(step));
    }
    chrome.resize(80, 24);
    const again = screenOf(chrome, STATE, 80, 24);
    expect(again).toEqual(screenOf(chromeOf(80, 24), STATE, 80, 24));
  });

  it('keeps its lines whatever names come in', () => {
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

  it('tells the reducer how far its lists scroll', () => {
    const chrome = chromeOf(80, 24);
    expect(chrome.scrollSize(STATE)).toEqual({ listRows: 5, listHeight: 5 });
    const help = { ...STATE, view: { ...STATE.view, mode: 'help' as const } };
    const size = chrome.scrollSize(help);
    expect(size.listHeight).toBe(20);
    const end = reduce(help.view, { type: 'scroll', by: 'end' }, { ...CONTEXT, ...size });
    const shown = glyphRows(screenOf(chrome, { ...help, view: end }, 80, 24));
    expect(shown[2]).toContain(`-${size.listRows} of ${size.listRows}`);
  });
});
