import type { History } from '../../history/history.ts';
import type { Heatmap } from './heatmap.ts';
import type { HeatmapDisk } from './heatmap-spec.ts';

/**
 * Counts disks by utilization, from one visible column to the right edge. Only the elapsed part of the current
 * column is considered.
 */
export function countDisks(
  map: Heatmap,
  data: Pick<History, 'busySeries' | 'utilization'>,
  disks: readonly HeatmapDisk[],
  fromColumn: number,
  nowNs: number,
): void {
  for (let column = fromColumn; column < map.columns; column++) map.empty(map.firstColumn + column);
  const startNs = map.startNs + fromColumn * map.columnNs;
  for (const { dev } of disks) {
    const shares = data.busySeries(dev, startNs, map.endNs, map.columnNs);
    if (shares === undefined) continue;
    for (let column = fromColumn; column < map.columns; column++) {
      const atNs = map.startNs + column * map.columnNs;
      if (atNs + map.columnNs <= 0 || atNs >= nowNs) continue;
      const isWhole = atNs + map.columnNs <= nowNs;
      const share = isWhole ? shares[column - fromColumn] : data.utilization(dev, atNs, nowNs);
      if (share !== undefined) countDisk(map, column, share);
    }
  }
  map.version++;
}

function countDisk(map: Heatmap, column: number, share: number): void {
  const { scale, bins } = map;
  // 100 % is the upper end of the domain, and is drawn in the last bin.
  const bin = share === scale.domain.high ? bins - 1 : scale.binOf(share);
  map.counts[map.indexOf(column) + bin]!++;
  const slot = map.slotOf(map.firstColumn + column);
  map.columnMax[slot] = Math.max(map.columnMax[slot]!, share);
}
