import type { DeviceInfo } from '../../model/device.ts';
import { placeOf } from './block-devices.ts';
import type { DiskPlace } from './block-devices.ts';
import { diskFolder, findDisk, listDisks, type Disk } from './disks.ts';
import { parseMounts, readMountinfo } from './mounts.ts';

/** An unknown number is looked up only once per this many requests, because a lookup takes system calls. */
const ASKS_PER_LOOK = 256;

/** Every this many refreshes, attributes of known disks, such as scheduler and mounts, are read again. */
const LOOKS_PER_READING = 8;

/**
 * While the list of mounts stays the same, where they lie is looked up once per this many refreshes: a mounted volume
 * may be moved to another disk. The lookup takes several files per disk, partition and volume.
 */
const LOOKS_PER_LOOKUP = 64;

/** Maximum number of mount points: containers may have many bind mounts. */
const MOST_MOUNTS = 12;
/** Maximum number of volumes: a volume group may have hundreds. */
const MOST_VOLUMES = 32;

type KnownPlace = Pick<DeviceInfo, 'mounts' | 'volumes' | 'liesOn'>;

/** Leaves out empty lists, except for mount points: an empty list means that the disk is known to have none. */
function knownPlace({ mounts, volumes, liesOn }: DiskPlace): KnownPlace {
  return {
    mounts: mounts.slice(0, MOST_MOUNTS),
    ...(volumes.length > 0 && { volumes: volumes.slice(0, MOST_VOLUMES) }),
    ...(liesOn.length > 0 && { liesOn: liesOn.slice(0, MOST_VOLUMES) }),
  };
}

function placeIn({ mounts, volumes, liesOn }: Partial<DeviceInfo> = {}): KnownPlace {
  return { ...(mounts && { mounts }), ...(volumes && { volumes }), ...(liesOn && { liesOn }) };
}

/** A drive without its medium has no size, as a loop device without its file. */
function lastSize(disk: Disk, before: Disk | undefined): Pick<DeviceInfo, 'sizeBytes'> {
  const { sizeBytes } = before ?? {};
  return disk.sizeBytes === 0 && sizeBytes !== undefined ? { sizeBytes } : {};
}

/** The machine's disks, including those that appeared after the start. */
export class DiskTable {
  private disks = new Map<number, Disk>();
  private present: readonly Disk[] = [];
  private readonly unknown = new Map<number, number>();

  private looks = 0;
  /** The disks whose mount points were read last, and the list of mounts at that time. */
  private mountedDisks = '';
  private mountinfoRead = '';

  constructor(
    private readonly sysBlock?: string,
    private readonly mountinfo?: string,
    private readonly sysDev?: string,
    private readonly partitions?: string,
  ) {
    this.refresh();
  }

  /** Reads `/sys/block` again. A disk that is gone keeps its name and size, because its I/O is still shown. */
  refresh(): readonly Disk[] {
    const look = this.looks++;
    const turn = look % LOOKS_PER_READING;
    const kept = this.present.filter((_, index) => index % LOOKS_PER_READING !== turn);
    const known = new Map(kept.map((disk) => [diskFolder(disk), disk]));
    this.present = listDisks(this.sysBlock, (folder) => known.get(folder), this.partitions);
    const placed = this.readPlaces(turn === 0, look % LOOKS_PER_LOOKUP === 0);
    for (const disk of this.present) {
      const before = this.disks.get(disk.dev);
      const place = placed?.get(disk.dev) ?? placeIn(before);
      this.disks.set(disk.dev, { ...disk, ...place, ...lastSize(disk, before) });
    }
    this.unknown.clear();
    return this.present;
  }

  /** Mount points and volumes by disk; undefined when they are as before, or it is too early to read them again. */
  private readPlaces(
    isTurn: boolean,
    isLookupDue: boolean,
  ): ReadonlyMap<number, KnownPlace> | undefined {
    const devs = this.present.map(({ dev }) => dev);
    const disks = devs.join();
    // Hosts of containers have thousands of mounts.
    if (!isTurn && disks === this.mountedDisks) return undefined;
    const text = readMountinfo(this.mountinfo);
    if (text === undefined) return undefined;
    if (!isLookupDue && text === this.mountinfoRead && disks === this.mountedDisks)
      return undefined;
    this.mountedDisks = disks;
    this.mountinfoRead = text;
    const mounts = parseMounts(text);
    return new Map(devs.map((dev) => [dev, knownPlace(placeOf(dev, mounts, this.sysDev))]));
  }

  all(): readonly DeviceInfo[] {
    return [...this.disks.values()];
  }

  /** Numbers of the present disks that are request-based. */
  requestBased(): number[] {
    return this.present.filter(({ requestBased }) => requestBased).map(({ dev }) => dev);
  }

  /** Whether it is known to take bios and make no requests of them. */
  isVolume(dev: number): boolean {
    return this.disks.get(dev)?.requestBased === false;
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
