import { expect, it } from 'vitest';
import { visibleDifferences } from '../terminal/compare-cells.ts';
import { HeadlessSession } from './fixtures/headless-session.ts';
import { ENTER } from './fixtures/keys.ts';

/** The header counts what comes after a freeze; a new screen has seen nothing come. */
const HEADER_ROWS = 2;

it.each([
  ['a heat map', ''],
  ['stacked heat maps', 'V'],
])(
  'the rates of %s frozen within a column are per time of the whole column once it has passed',
  async (_, layout) => {
    const session = new HeadlessSession(1, 120, 40);
    session.wait(12.01e9);
    // Nothing of it completes in the rest of the column, so the map stays as it is.
    session.type(`/lat>300ms${ENTER}${layout} `);
    await session.shown();
    session.wait(1e9);
    const { seen } = await session.shown();
    const differences = visibleDifferences(await session.drawnFromScratch(), seen);
    const rowOf = (difference: string): number => Number(/y (\d+):/.exec(difference)![1]);
    expect(differences.filter((one) => rowOf(one) >= HEADER_ROWS)).toEqual([]);
    session.dispose();
  },
);
