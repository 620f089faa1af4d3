import type { RowLabel } from './axis-labels.ts';

/** Bins [from, to) between two labels, and the row between them that shows their rate. */
export interface RateRange {
  readonly from: number;
  readonly to: number;
  readonly row: number;
}

/** The whole axis, divided at its labels, bottom to top, without empty ranges. */
export function rateRanges(labels: readonly RowLabel[], bins: number, rows: number): RateRange[] {
  const bottom = { row: rows, bin: 0 };
  const top = { row: -1, bin: bins };
  // A label on the bottom row leaves no row for a rate below it.
  const cuts = [bottom, ...labels.filter(({ row }) => row < rows - 1), top];
  return cuts.slice(1).flatMap((upper, i) => {
    const lower = cuts[i]!;
    if (lower.bin >= upper.bin) return [];
    const row = lower.row - Math.floor((lower.row - upper.row) / 2);
    return [{ from: lower.bin, to: upper.bin, row }];
  });
}
