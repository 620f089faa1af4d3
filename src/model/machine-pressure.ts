import { PressureBook, type KnownPressure, type PressureSample } from './pressure.ts';

/** How many cgroups are kept, and of each so many samples, which are an hour: 6 MB. */
export const MOST_CGROUPS = 64;
const MOST_OF_CGROUP = 3600;

export interface CgroupPressureSample extends PressureSample {
  /** Id of the cgroup. */
  readonly cgroup: number;
}

/** What is known of a machine as it is read. Of too many cgroups, the one without news for the longest is forgotten. */
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
