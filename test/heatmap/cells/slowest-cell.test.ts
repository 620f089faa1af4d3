import { describe, expect, it } from 'vitest';
import { slowestCell } from '../../../src/heatmap/cells/notable-cell.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import { createSyntheticSource } from '../../../src/trace/synthetic/synthetic-source.ts';

const PICTURE = {
  metric: 'total',
  scale: 'log',
  outlierCut: 0.001,
  columnNs: 1e9,
  columns: 60,
  bins: 40,
} as const;

function monitorAt(nowNs: number): Monitor {
  const source = createSyntheticSource({
    pattern: 'mixed',
    seed: 3,
    clock: { nowNs: () => nowNs },
    identities: new IdentityTable(),
    clockBase: { monotonicNs: 0n, wallNs: 0n },
  });
  const monitor = new Monitor({ source, historyBytes: 64 * 2 ** 20, filter: NO_FILTER });
  while (!monitor.pump());
  return monitor;
}

describe('the cell of the slowest I/O', () => {
  it('the slowest cell contains the slowest I/O of the whole history', () => {
    const monitor = monitorAt(40e9);
    const slowestIo = monitor.slowest()!;
    const { map } = monitor.show(PICTURE, 40e9);
    const cell = slowestCell(map, slowestIo.atNs, slowestIo.withinNs);
    const slowest = Math.max(
      ...Array.from({ length: map.columns }, (_, column) => map.maxValue(column) ?? 0),
    );
    expect(map.maxValue(cell.column)).toBe(slowest);
    // Times of single I/Os are kept in 32 bits, of which 24 count.
    expect(Math.abs(slowest / slowestIo.latencyNs - 1)).toBeLessThan(2 ** -23);
    expect(map.count(cell.column, cell.bin) + map.aboveCount(cell.column)).toBeGreaterThan(0);
  });

  it('the slowest cell is found near a moment that is known only roughly', () => {
    const monitor = monitorAt(40e9);
    const { map } = monitor.show(PICTURE, 40e9);
    const { atNs } = monitor.slowest()!;
    expect(slowestCell(map, atNs - 3e9, 5e9)).toEqual(slowestCell(map, atNs, 0));
  });
});
