import type { DeviceInfo } from '../model/device.ts';
import { diskFolder, findDisk, listDisks, type Disk } from './disks.ts';

/** An unknown number is looked up again only after so many questions: each look costs system calls. */
const ASKS_PER_LOOK = 256;

/** The scheduler and the like of a known disk are read again once in so many looks. */
const LOOKS_PER_READING = 8;

/** The machine's disks, including those that came after the start. */
export class DiskTable {
  private disks = new Map<number, Disk>();
  private present: readonly Disk[] = [];
  private readonly unknown = new Map<number, number>();

  private looks = 0;

  constructor(private readonly sysBlock?: string) {
    this.refresh();
  }

  /** Looks at `/sys/block` anew. A disk that has gone keeps its name: its past is still shown. */
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

  /** The disks whose I/O the kernel makes requests of, as far as they are there. */
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
