/** Names cgroups: the machine when live, the recording in a replay. */
export interface CgroupNames {
  /** Raw, sanitised when it is shown; undefined when it is unknown or no longer known. */
  name(id: number): string | undefined;
}

export const NO_CGROUP_NAMES: CgroupNames = { name: () => undefined };

/** The name of a cgroup to show, or its number if it has no known name. */
export function cgroupName(names: CgroupNames | undefined, id: number): string {
  return names?.name(id) ?? `cgroup ${id}`;
}
