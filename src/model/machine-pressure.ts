import { PressureBook, type KnownPressure, type PressureSample } from './pressure.ts';

/** The number of cgroups that are kept, and the number of samples of each, which is an hour: 6 MB. */
export const MOST_CGROUPS = 64;
const MOST_OF_CGROUP = 3600;

export interface CgroupPressureSample extends PressureSample {
  /** Id of the cgroup. */
  readonly cgroup: number;
}

/**
 * The pressure of this machine and its cgroups as it is read. If there are too many cgroups, the one without news for
 * the longest time is forgotten.
 */
export class MachinePressure extends PressureBook implements KnownPressure {
  readonly cgroups = new Map<number, PressureBook>();

  putCgroup({ cgroup, ...sample }: CgroupPressureSample): void {
    const book = this.cgroups.get(cgroup) ?? new PressureBook(MOST_OF_CGROUP);
    book.put(sample);
    this.cgroups.delete(cgroup);
    if (this.cgroups.size === MOST_CGROUPS) this.cgroups.delete([...this.cgroups.keys()][0]!);
    this.cgroups.set(cgroup, book);
  }
}
