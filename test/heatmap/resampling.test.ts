import { describe, expect, it } from 'vitest';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { INTERVALS_NS } from '../../src/model/metric.ts';
import { columnsOf, createInfo, keyOf } from '../history/fixtures.ts';

const SECOND = 1e9;
const PER_SECOND = 100;
const MINUTES = 10;

/** Widths in seconds that slices of the last minutes may have, as if they were hours old. */
const WIDTHS = [1, 10, 60] as const;

/** Steady I/O of which nothing but slices of one width is left, apart from the last seconds. */
function historyOf(width: number): ReturnType<typeof createHistory> {
  const info = createInfo([keyOf()]);
  const coarsening = width === 1 ? [{ width: 10, age: 1e6 }] : [{ width, age: 5 }];
  const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES, detailRows: 1, coarsening });
  for (let second = 0; second < MINUTES * 60; second++) {
    const rows = Array.from({ length: PER_SECOND }, (_, i) => ({
      completeNs: (second + i / PER_SECOND) * SECOND,
      deviceNs: 100e3 + 1e3 * ((7 * i) % PER_SECOND),
    }));
    history.append(columnsOf(rows));
  }
  return history;
}

describe('old I/O in columns of any width', () => {
  for (const width of WIDTHS) {
    it(`old I/O from slices of ${width} s is drawn in columns of any width`, () => {
      const history = historyOf(width);
      const info = createInfo([keyOf()]);
      for (const columnNs of INTERVALS_NS) {
        const columns = Math.min(600, Math.floor((5 * 60 * SECOND) / columnNs) || 1);
        const live = new LiveHeatmap(history, {
          metric: 'device',
          scale: 'log',
          outlierCut: 0,
          columnNs,
          columns,
          bins: 30,
          filter: compileFilter(NO_FILTER, info.identities, info),
          disks: [],
        });
        live.update(7 * 60 * SECOND - 1);
        const expected = (Math.min(columnNs, MINUTES * 60 * SECOND) / SECOND) * PER_SECOND;
        for (let column = 0; column < columns; column++) {
          const startNs = live.map.startNs + column * columnNs;
          if (startNs < 0 || startNs + columnNs > 9 * 60 * SECOND) continue;
          const count = live.map.columnTotal(column);
          expect(count).toBeGreaterThan(0.5 * expected);
          expect(count).toBeLessThan(1.5 * expected);
        }
      }
    });
  }
});
