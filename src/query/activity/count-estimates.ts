import { countedTogether } from '../../model/counted-together.ts';
import type { Identity } from '../../model/identity.ts';

/** Variances of counts of I/O that was counted together and then divided. */
interface Cell<Group> {
  all: number;
  /** Those of I/O that matches the filter. */
  passing: number;
  /** The same by group. */
  readonly byGroup: Map<Group, number>;
}

/**
 * The uncertainty of sums over owners whose shares are estimated. What was counted together is known exactly: what one
 * owner has too much, another has too little. So a sum over some owners is as uncertain as the sum over the others, and
 * the sum over all is exact. A group is a disk, a process or whatever else has a sum of its own.
 */
export class CountEstimates<Group> {
  private readonly cells = new Map<string, Cell<Group>>();

  /** `variance` is that of a count of I/Os of `identity`; `groups` has them. Undefined if they do not match the filter. */
  add(identity: Identity, variance: number, groups: readonly Group[] | undefined): void {
    if (variance === 0) return;
    const id = countedTogether(identity);
    const cell = this.cells.get(id) ?? { all: 0, passing: 0, byGroup: new Map<Group, number>() };
    this.cells.set(id, cell);
    cell.all += variance;
    if (groups === undefined) return;
    cell.passing += variance;
    for (const group of groups) cell.byGroup.set(group, (cell.byGroup.get(group) ?? 0) + variance);
  }

  /** The variance of the number of I/Os that match, in one group. */
  varianceOf(group: Group): number {
    return this.sum(({ byGroup }) => byGroup.get(group) ?? 0);
  }

  /** The variance over all of them. */
  variance(): number {
    return this.sum(({ passing }) => passing);
  }

  /** Adds up, over all cells, the variance of a part of each. */
  private sum(partOf: (cell: Cell<Group>) => number): number {
    return [...this.cells.values()].reduce((sum, cell) => {
      const part = partOf(cell);
      return sum + Math.min(part, cell.all - part);
    }, 0);
  }
}
