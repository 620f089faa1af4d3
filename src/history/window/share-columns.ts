import type { TimeRange } from '../../base/time.ts';
import { countBefore } from '../estimate/even-share.ts';
import { columnOf } from './column-ring.ts';
import type { ColumnRing } from './column-ring.ts';

/**
 * Distributes `count` I/Os that completed in [startNs, endNs) over the columns that it covers, as far as they are in
 * [fromNs, toNs): each column gets its share by time, in whole I/Os.
 */
export function shareColumns(
  ring: ColumnRing,
  { fromNs: startNs, toNs: endNs }: TimeRange,
  count: number,
  seed: number,
  { fromNs, toNs }: TimeRange,
  visit: (column: number, count: number) => void,
): void {
  const { columnNs } = ring;
  const first = columnOf(Math.max(startNs, fromNs, ring.startNs), columnNs);
  const lastNs = Math.min(Math.max(startNs, endNs - 1), toNs - 1, ring.endNs - 1);
  const upTo = (atNs: number): number => countBefore(atNs, count, seed, startNs, endNs);
  let before = upTo(Math.max(fromNs, first * columnNs));
  for (let column = first; column <= columnOf(lastNs, columnNs); column++) {
    const after = upTo(Math.min(toNs, (column + 1) * columnNs));
    if (after > before) visit(column, after - before);
    before = after;
  }
}
