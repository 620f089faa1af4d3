/** Who can name a cgroup; live that is the machine, in a replay the recording. */
export interface CgroupNames {
  /** Raw, sanitised where it meets the terminal; undefined when it is not known (any more). */
  name(id: number): string | undefined;
}

export const NO_CGROUP_NAMES: CgroupNames = { name: () => undefined };

/** The name of a cgroup for people, who may have to do with its number. */
export function cgroupName(names: CgroupNames, id: number): string {
  return names.name(id) ?? `cgroup ${id}`;
}
