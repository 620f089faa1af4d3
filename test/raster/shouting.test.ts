import { describe, expect, it } from 'vitest';
import { OUTLIER_CUTS } from '../../src/model/metric.ts';
import { draw, planes } from './fixtures.ts';

/** Seconds in which somebody shouts, see the pattern; the last column holds second 70. */
const SHOUTS = [20, 34];
const SECONDS = 70;
const SPIKE_NS = 1e9;

/**
 * The article's example: 8,000 fast I/Os a second and two spikes above one second, which hold hardly
 * more than one I/O in a thousand.
 */
describe('two spikes above a second', () => {
  for (const outlierCut of OUTLIER_CUTS) {
    const name = outlierCut === 0 ? 'none' : String(outlierCut * 100);
    it(`two spikes above a second are visible with outliers cut at ${outlierCut * 100} %`, async () => {
      const { live, block } = draw({
        pattern: 'shouting',
        seconds: SECONDS,
        width: 100,
        height: 16,
        spec: { outlierCut },
      });
      const { map } = live;
      const isOnAxis = map.scale.domain.high > SPIKE_NS;
      if (outlierCut === 0) expect(isOnAxis).toBe(true);
      for (const shout of SHOUTS) {
        const columns = [shout, shout + 1].map((second) => map.columns - 1 - SECONDS + second);
        const spikes = columns.map((column) => {
          let count = isOnAxis ? 0 : map.aboveCount(column);
          const from = Math.min(map.bins, map.scale.binOf(SPIKE_NS));
          for (let bin = from; bin < map.bins; bin++) count += map.count(column, bin);
          return count;
        });
        expect(Math.max(...spikes)).toBeGreaterThan(0);
        expect(Math.max(...columns.map((column) => map.maxValue(column)!))).toBeGreaterThan(
          SPIKE_NS,
        );
      }
      const quiet = map.columns - 1 - SECONDS + 50;
      expect(map.maxValue(quiet)!).toBeLessThan(SPIKE_NS / 100);
      await expect(planes(block)).toMatchFileSnapshot(
        `../../snapshots/raster/shouting-${name}.txt`,
      );
    });
  }
});
