import { join } from 'node:path';
import { MOST_CGROUPS, type MachinePressure } from '../../model/machine-pressure.ts';
import type { MachineCgroups } from './cgroups.ts';
import { readIoPressure } from './io-pressure.ts';

/** Notes how long tasks waited for storage, for cgroups that were seen with I/O. */
export class CgroupStalls {
  /** In the order in which they were last seen. */
  private readonly watched = new Set<number>();

  constructor(
    private readonly cgroups: Pick<MachineCgroups, 'name' | 'folder'>,
    private readonly pressure: Pick<MachinePressure, 'putCgroup'>,
  ) {}

  /**
   * Reads the pressure of cgroups. `seen` has the ids of those with I/O now; those with earlier I/O are read as well.
   */
  look(seen: Iterable<number>, nowNs: () => number): void {
    for (const cgroup of seen) this.watch(cgroup);
    for (const cgroup of this.watched) this.note(cgroup, nowNs());
  }

  private watch(cgroup: number): void {
    this.watched.delete(cgroup);
    if (this.watched.size === MOST_CGROUPS) this.watched.delete([...this.watched][0]!);
    this.watched.add(cgroup);
  }

  private note(cgroup: number, atNs: number): void {
    if (this.cgroups.name(cgroup) === undefined) return;
    const folder = this.cgroups.folder(cgroup);
    // Some cgroups are gone, and kernels may be without pressure stall information.
    const found = folder === undefined ? undefined : readIoPressure(join(folder, 'io.pressure'));
    if (found === undefined) this.watched.delete(cgroup);
    else this.pressure.putCgroup({ cgroup, atNs, ...found });
  }
}
