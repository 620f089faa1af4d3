/** Names cgroups: the machine when live, the recording in a replay. */
export interface CgroupNames {
  /** Raw, sanitised when it is shown; undefined when it is unknown or no longer known. */
  name(id: number): string | undefined;
}

export const NO_CGROUP_NAMES: CgroupNames = { name: () => undefined };

/**
 * With several hosts, the ids of host n (from 0) start at n times this, as its device numbers do. The kernel counts up
 * from 1, and would need 32 times 2^32 cgroups for a larger id.
 */
export const CGROUPS_PER_HOST = 2 ** 37;

/** The number of a cgroup on its host. */
export function cgroupNumber(id: number): number {
  return id % CGROUPS_PER_HOST;
}

/** The name of a cgroup to show, or its number if it has no known name. */
export function cgroupName(names: CgroupNames | undefined, id: number): string {
  return names?.name(id) ?? `cgroup ${cgroupNumber(id)}`;
}
