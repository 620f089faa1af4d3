import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSystemError } from '../../base/system-error.ts';
import { readDiskstats } from './diskstats.ts';

/**
 * An NVMe disk that several controllers may reach takes bios and passes each to one of its paths, which makes the request.
 * The kernel hides the paths: they are in `/sys/block`, as `nvme0c1n1` for the path of `nvme0n1` through controller 1, but
 * without a number there and without a place in `/sys/dev/block`. (`nvme_mpath_set_disk_name` in drivers/nvme/host/multipath.c)
 */
const PATH = /^(nvme\d+)c\d+(n\d+)$/;

/** The disk of which this is a path; undefined if it is no path. */
export function diskOfPath(name: string): string | undefined {
  const [, subsystem, namespace] = PATH.exec(name) ?? [];
  return subsystem === undefined ? undefined : `${subsystem}${namespace}`;
}

/** The folder that has the partitions of a disk and what is on them: that of the disk, also for a path in `/sys/block`. */
export function folderWithPartitions(folder: string): string {
  const disk = diskOfPath(basename(folder));
  return disk === undefined ? folder : join(dirname(folder), disk);
}

/** What the names of `/sys/block` say about paths. */
export class NvmePaths {
  /** The number of paths of each disk that has some. */
  private readonly counts = new Map<string, number>();

  constructor(names: readonly string[]) {
    for (const name of names) {
      const disk = diskOfPath(name);
      if (disk !== undefined) this.counts.set(disk, (this.counts.get(disk) ?? 0) + 1);
    }
  }

  /** Whether it is a disk all of whose I/O is that of its paths. */
  hasPaths(name: string): boolean {
    return this.counts.has(name);
  }

  get areAny(): boolean {
    return this.counts.size > 0;
  }

  /** A path that is the only one of its disk has the name that people know; one of several keeps its own. */
  titleOf(name: string): string {
    const disk = diskOfPath(name);
    return disk !== undefined && this.counts.get(disk) === 1 ? disk : name;
  }
}

/** The disk above the path in this folder of `/sys/block`, if the path is one of several, so that their names differ. */
export function diskAbovePath(folder: string): string | undefined {
  const name = basename(folder);
  const disk = diskOfPath(name);
  if (disk === undefined) return undefined;
  const title = new NvmePaths(readdirSync(dirname(folder))).titleOf(name);
  return title === disk ? undefined : disk;
}

/**
 * The numbers of hidden paths by name, from the only list that has them; empty if that cannot be read. `diskstats`: another
 * file than that of this machine.
 */
export function hiddenDevs(diskstats?: string): ReadonlyMap<string, number> {
  try {
    const all = [...readDiskstats(diskstats).values()];
    return new Map(all.filter(({ name }) => PATH.test(name)).map(({ name, dev }) => [name, dev]));
  } catch (cause) {
    if (isSystemError(cause)) return new Map();
    throw cause;
  }
}
