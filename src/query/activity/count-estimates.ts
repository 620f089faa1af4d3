import type { Identity } from '../../model/identity-table.ts';
import { opClassIndex } from '../../model/operation.ts';

interface Cell {
  readonly dev: number;
  passing: number;
  others: number;
}

/**
 * The uncertainty of sums over owners whose shares are estimated. All I/O of a disk and operation class was counted:
 * what one owner has too much, another has too little. So a sum over some owners is as uncertain as the sum over the
 * others, and the sum over all is exact.
 */
export class CountEstimates {
  private readonly cells = new Map<string, Cell>();

  /** `variance` is that of a count of I/Os of `identity`; `passes` is whether they match the filter. */
  add({ dev, cmdFlags }: Identity, variance: number, passes: boolean): void {
    const id = `${dev} ${opClassIndex(cmdFlags)}`;
    const cell = this.cells.get(id) ?? { dev, passing: 0, others: 0 };
    this.cells.set(id, cell);
    if (passes) cell.passing += variance;
    else cell.others += variance;
  }

  /** The variance of the number of I/Os that match, on one disk. */
  varianceOf(dev: number): number {
    return sum([...this.cells.values()].filter((cell) => cell.dev === dev));
  }

  /** The variance over all disks. */
  variance(): number {
    return sum([...this.cells.values()]);
  }
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((all, { passing, others }) => all + Math.min(passing, others), 0);
}
