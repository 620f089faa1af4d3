import { describe, expect, it } from 'vitest';
import { TrendPane } from '../../src/ui/trend/trend-pane.ts';
import type { LoadTrendView } from '../../src/ui/trend/trend-pane.ts';
import { glyphRows } from './cell-text.ts';
import { CLOCK_BASE, createTrend } from './fixtures/trend.ts';

const STYLE = { level: 2, unicode: true } as const;

function textOf(pane: TrendPane, width = 80, height = 21): string {
  return glyphRows(pane.draw(createTrend, CLOCK_BASE, width, height)).join('\n');
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

describe('the pane of the charts', () => {
  it('says that it loads them, then is stale once and has them', async () => {
    const pane = new TrendPane(STYLE);
    expect(pane.takeStale()).toBe(false);
    expect(textOf(pane)).toContain('loading charts…');
    await until(() => pane.takeStale());
    expect(pane.takeStale()).toBe(false);
    expect(textOf(pane)).toContain('I/Os per s');
    pane.dispose();
  });

  it('loads nothing before it is drawn, and once', async () => {
    let loads = 0;
    const load: LoadTrendView = async (style) => {
      loads++;
      const { createTrendView } = await import('../../src/ui/trend/trend-view.ts');
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

  it('says in a sentence why there are none', async () => {
    const load: LoadTrendView = () => Promise.reject(new Error('no such file\nstack'));
    const pane = new TrendPane(STYLE, load);
    textOf(pane);
    await until(() => pane.takeStale());
    expect(textOf(pane)).toContain('the charts cannot be loaded: no such file');
    expect(pane.takeStale()).toBe(false);
  });

  it('says how much room they need', async () => {
    const pane = new TrendPane(STYLE);
    textOf(pane);
    await until(() => pane.takeStale());
    expect(textOf(pane, 58, 20)).toContain('charts need 60×16');
    expect(textOf(pane, 40, 5).split('\n')).toHaveLength(5);
    pane.dispose();
  });

  it('is filled in while it is counted, in steps that are worth drawing', async () => {
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
    expect(glyphRows(filledIn(0.4)!).join('\n')).toContain('counted so far: 40%');
    expect(filledIn(0.45)).toBeUndefined();
    expect(glyphRows(filledIn(1)!).join('\n')).not.toContain('counted');
    expect(pane.isUnfinished).toBe(false);
    pane.dispose();
  });

  it('lets go of charts that arrive too late', async () => {
    const pane = new TrendPane(STYLE);
    textOf(pane);
    pane.dispose();
    await until(() => pane.takeStale());
    expect(textOf(pane)).toContain('loading charts…');
  });
});
