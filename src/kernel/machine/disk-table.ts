import type { DeviceInfo } from '../../model/device.ts';
import { diskFolder, findDisk, listDisks, type Disk } from './disks.ts';

/** An unknown number is looked up only once per this many requests, because a lookup takes system calls. */
const ASKS_PER_LOOK = 256;

/** Every this many refreshes, attributes of known disks, such as the scheduler, are read again. */
const LOOKS_PER_READING = 8;

/** The machine's disks, including those that appeared after the start. */
export class DiskTable {
  private disks = new Map<number, Disk>();
  private present: readonly Disk[] = [];
  private readonly unknown = new Map<number, number>();

  private looks = 0;

  constructor(private readonly sysBlock?: string) {
    this.refresh();
  }

  /** Reads `/sys/block` again. A disk that is gone keeps its name, because its I/O is still shown. */
  refresh(): readonly Disk[] {
    const turn = this.looks++ % LOOKS_PER_READING;
    const kept = this.present.filter((_, index) => index % LOOKS_PER_READING !== turn);
    const known = new Map(kept.map((disk) => [diskFolder(disk.name), disk]));
    this.present = listDisks(this.sysBlock, (folder) => known.get(folder));
    for (const disk of this.present) this.disks.set(disk.dev, disk);
    this.unknown.clear();
    return this.present;
  }

  all(): readonly DeviceInfo[] {
    return [...this.disks.values()];
  }

  /** Numbers of the present disks that are request-based. */
  requestBased(): number[] {
    return this.present.filter(({ requestBased }) => requestBased).map(({ dev }) => dev);
  }

  find(dev: number): DeviceInfo | undefined {
    const known = this.disks.get(dev);
    if (known !== undefined) return known;
    const asks = this.unknown.get(dev) ?? 0;
    this.unknown.set(dev, asks + 1);
    if (asks % ASKS_PER_LOOK !== 0) return undefined;
    const disk = findDisk(dev);
    if (disk !== undefined) this.disks.set(dev, disk);
    return disk;
  }
}
