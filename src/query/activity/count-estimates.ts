import type { Identity } from '../../model/identity-table.ts';
import { opClassIndex } from '../../model/operation.ts';

interface Cell {
  readonly dev: number;
  passing: number;
  others: number;
}

/**
 * How sure the sums over owners are, where the share of each owner is estimated. All I/O of a disk and class of
 * operations was counted: what one owner has too much, another has too little. So a sum over some owners is as sure as
 * the sum over the others, and the sum over all is exact.
 */
export class CountEstimates {
  private readonly cells = new Map<string, Cell>();

  /** `variance`: of a count of I/O of `identity`, which passes the filter or not. */
  add({ dev, cmdFlags }: Identity, variance: number, passes: boolean): void {
    const id = `${dev} ${opClassIndex(cmdFlags)}`;
    const cell = this.cells.get(id) ?? { dev, passing: 0, others: 0 };
    this.cells.set(id, cell);
    if (passes) cell.passing += variance;
    else cell.others += variance;
  }

  /** Of the number of I/Os that pass, on one disk. */
  varianceOf(dev: number): number {
    return sum([...this.cells.values()].filter((cell) => cell.dev === dev));
  }

  /** The same on all disks. */
  variance(): number {
    return sum([...this.cells.values()]);
  }
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((all, { passing, others }) => all + Math.min(passing, others), 0);
}
