import { unknownDeviceName } from '../../model/device.ts';
import { nearerRoot, readMounts, type Mount } from '../machine/mounts.ts';

/** There is at most one reading per this many ms. */
const READ_EVERY_MS = 20;
/** Some hosts have thousands of mounts, so readings take at most this share of the time. */
const MOST_SHARE = 0.02;

/** Completes paths within a file system to paths of this machine, by where the file system is mounted. */
export class MountPaths {
  private mounts: readonly Mount[] = [];
  /** File systems that had no mount at the last reading, such as those of containers. */
  private readonly unmounted = new Set<number>();
  private nextMs = -Infinity;

  /** `nowMs` must not go backwards. */
  constructor(
    private readonly nowMs: () => number,
    private readonly read: () => readonly Mount[] | undefined = readMounts,
  ) {}

  /** Reads the mounts again, unless the last reading is very recent. */
  refresh(): void {
    if (this.nowMs() >= this.nextMs) this.readAgain();
  }

  private readAgain(): void {
    const nowMs = this.nowMs();
    this.unmounted.clear();
    this.mounts = this.read() ?? this.mounts;
    const readMs = this.nowMs();
    this.nextMs = readMs + Math.max(READ_EVERY_MS, (readMs - nowMs) / MOST_SHARE);
  }

  isMounted(dev: number): boolean {
    return this.mounts.some((mount) => mount.dev === dev);
  }

  /**
   * `inside` is the path from the root of the file system. If the file system has no mount point here, as that of a
   * container, the path names it by its device number.
   */
  pathOf(dev: number, inside: string): string {
    this.refresh();
    // A file system must be mounted before its files are used, so this one may have been mounted since the last
    // reading.
    if (!this.isMounted(dev) && !this.unmounted.has(dev)) this.readAgain();
    const found = this.mounts
      .filter((mount) => mount.dev === dev && isBelow(inside, mount.root))
      .reduce<Mount | undefined>(nearerRoot, undefined);
    if (found === undefined) {
      this.unmounted.add(dev);
      return `${inside} of ${unknownDeviceName(dev)}`;
    }
    const { point, root } = found;
    const rest = root === '/' ? inside : inside.slice(root.length);
    return point === '/' ? rest || '/' : point + rest;
  }
}

function isBelow(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}
