import { expect, it } from 'vitest';
import { visibleDifferences } from '../terminal/compare-cells.ts';
import { HeadlessSession } from './fixtures/headless-session.ts';
import { ENTER } from './fixtures/keys.ts';

it.each([
  [80, 24],
  [120, 40],
])(
  'saving a box from the drill-down leaves nothing of it around the prompt, at %i by %i',
  async (width, height) => {
    const session = new HeadlessSession(1, width, height);
    session.wait(12e9);
    for (const keys of [`v${ENTER}`, 'D', '\x1b']) {
      session.type(keys);
      const { seen } = await session.shown();
      expect(visibleDifferences(await session.drawnFromScratch(), seen)).toEqual([]);
    }
    expect(session.view.mode).toBe('drillDown');
    session.dispose();
  },
);
