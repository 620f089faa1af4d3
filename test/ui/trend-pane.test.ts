import { describe, expect, it } from 'vitest';
import { TrendPane } from '../../src/ui/charts/trend-pane.ts';
import type { LoadTrendView } from '../../src/ui/charts/trend-pane.ts';
import { glyphRows } from './cell-text.ts';
import { CLOCK_BASE, createTrend } from './fixtures/trend.ts';
import { createTheme } from '../../src/ui/text/theme.ts';

const STYLE = { theme: createTheme(2), unicode: true } as const;

function textOf(pane: TrendPane, width = 80, height = 21): string {
  return glyphRows(pane.draw(createTrend, CLOCK_BASE, width, height)).join('\n');
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

describe('the pane of the charts', () => {
  it('the charts say that they are loading, and are drawn when loaded', async () => {
    const pane = new TrendPane(STYLE);
    expect(pane.takeStale()).toBe(false);
    expect(textOf(pane)).toContain('loading charts…');
    await until(() => pane.takeStale());
    expect(pane.takeStale()).toBe(false);
    expect(textOf(pane)).toContain('I/Os per s');
    pane.dispose();
  });

  it('the code of the charts is loaded when they are first drawn, and once', async () => {
    let loads = 0;
    const load: LoadTrendView = async (style) => {
      loads++;
      const { createTrendView } = await import('../../src/ui/charts/trend-view.ts');
      return createTrendView(style);
    };
    const pane = new TrendPane(STYLE, load);
    expect(loads).toBe(0);
    textOf(pane);
    textOf(pane);
    await until(() => pane.takeStale());
    textOf(pane);
    expect(loads).toBe(1);
    pane.dispose();
  });

  it('the charts say in a sentence why they cannot be loaded', async () => {
    const load: LoadTrendView = () => Promise.reject(new Error('no such file\nstack'));
    const pane = new TrendPane(STYLE, load);
    textOf(pane);
    await until(() => pane.takeStale());
    expect(textOf(pane)).toContain('cannot load the charts: no such file');
    expect(pane.takeStale()).toBe(false);
  });

  it('the charts say how much room they need', async () => {
    const pane = new TrendPane(STYLE);
    textOf(pane);
    await until(() => pane.takeStale());
    expect(textOf(pane, 58, 20)).toContain('charts need 60×16');
    expect(textOf(pane, 40, 5).split('\n')).toHaveLength(5);
    pane.dispose();
  });

  it('the charts are redrawn while they are counted, in steps that are worth drawing', async () => {
    const pane = new TrendPane(STYLE);
    textOf(pane);
    await until(() => pane.takeStale());
    const at = (countedShare: number) => () => createTrend({ countedShare });
    const filledIn = (share: number) => pane.fillIn(at(share), CLOCK_BASE, 80, 21);
    expect(pane.isUnfinished).toBe(false);
    expect(filledIn(0.2)).toBeUndefined();
    pane.draw(at(0.2), CLOCK_BASE, 80, 21);
    expect(pane.isUnfinished).toBe(true);
    expect(filledIn(0.25)).toBeUndefined();
    expect(glyphRows(filledIn(0.4)!).join('\n')).toContain('loading 40%');
    expect(filledIn(0.45)).toBeUndefined();
    expect(glyphRows(filledIn(1)!).join('\n')).not.toContain('counted');
    expect(pane.isUnfinished).toBe(false);
    pane.dispose();
  });

  it('charts that are loaded after they were closed are dropped', async () => {
    const pane = new TrendPane(STYLE);
    textOf(pane);
    pane.dispose();
    await until(() => pane.takeStale());
    expect(textOf(pane)).toContain('loading charts…');
  });
});
