import { countedTogether } from '../../model/counted-together.ts';
import type { Identity } from '../../model/identity-table.ts';

/** Variances of counts of I/O that was counted together and then divided. */
interface Cell {
  all: number;
  /** Those of I/O that matches the filter, by device number. */
  readonly passing: Map<number, number>;
}

/**
 * The uncertainty of sums over owners whose shares are estimated. What was counted together is known exactly: what one
 * owner has too much, another has too little. So a sum over some owners is as uncertain as the sum over the others, and
 * the sum over all is exact.
 */
export class CountEstimates {
  private readonly cells = new Map<string, Cell>();

  /** `variance` is that of a count of I/Os of `identity`; `passes` is whether they match the filter. */
  add(identity: Identity, variance: number, passes: boolean): void {
    const id = countedTogether(identity);
    const cell = this.cells.get(id) ?? { all: 0, passing: new Map<number, number>() };
    this.cells.set(id, cell);
    cell.all += variance;
    const { dev } = identity;
    if (passes) cell.passing.set(dev, (cell.passing.get(dev) ?? 0) + variance);
  }

  /** The variance of the number of I/Os that match, on one disk. */
  varianceOf(dev: number): number {
    return this.sum(({ passing }) => passing.get(dev) ?? 0);
  }

  /** The variance over all disks. */
  variance(): number {
    return this.sum(({ passing }) => [...passing.values()].reduce((a, b) => a + b, 0));
  }

  /** Adds up, over all cells, the variance of a part of each. */
  private sum(partOf: (cell: Cell) => number): number {
    return [...this.cells.values()].reduce((sum, cell) => {
      const part = partOf(cell);
      return sum + Math.min(part, cell.all - part);
    }, 0);
  }
}
