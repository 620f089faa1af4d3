import { readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packDevice } from '../../model/device.ts';
import { folderOf, readLine, rethrowUnlessAbsent, SYS_DEV } from './disks.ts';
import { mountOf } from './mounts.ts';
import type { Mount } from './mounts.ts';
import { diskAbovePath, folderWithPartitions } from './nvme-paths.ts';

/** A disk, a partition or a volume. */
export interface BlockDevice {
  readonly dev: number | undefined;
  /** The kernel's name: `dm-0`. */
  readonly name: string;
  /** The name of a device-mapper volume that its creator gave it: `vg0-home`. For other devices, the kernel's name. */
  readonly title: string;
}

export function blockDevice(folder: string): BlockDevice {
  const [major, minor] = readLine(join(folder, 'dev'))?.split(':').map(Number) ?? [];
  const name = basename(folder).replaceAll('!', '/');
  return {
    dev: major === undefined || minor === undefined ? undefined : packDevice(major, minor),
    name,
    title: readLine(join(folder, 'dm/name')) ?? name,
  };
}

/** The folders of the partitions of a disk, which are in the folder of the disk. */
export function partitionsOf(folder: string): string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => readLine(join(path, 'partition')) !== undefined)
    .sort((a, b) => partitionNumber(a) - partitionNumber(b));
}

function partitionNumber(folder: string): number {
  return Number(readLine(join(folder, 'partition')));
}

/** Folders of the volumes that are built on a device; links to elsewhere in `/sys`. */
export function holdersOf(folder: string): string[] {
  return namesIn(join(folder, 'holders')).map((name) => join(folder, 'holders', name));
}

/**
 * Whether a file system is on a device. One over several disks has a number of its own, and one of the disks as its
 * source.
 */
export function isOn(mount: Mount, { dev, name, title }: BlockDevice): boolean {
  return (
    mount.dev === dev ||
    mount.source === `/dev/${name}` ||
    (title !== name && mount.source === `/dev/mapper/${title}`)
  );
}

/** Maximum depth of volumes on volumes: LVM on LUKS on RAID is three. */
const MOST_LAYERS = 8;

/** What is on a disk, and what it lies on. */
export interface DiskPlace {
  /** Mount points of file systems on the disk itself, its partitions, and the volumes on these. */
  readonly mounts: readonly string[];
  /** See `DeviceInfo`. */
  readonly volumes: readonly string[];
  readonly liesOn: readonly string[];
}

const NOWHERE: DiskPlace = { mounts: [], volumes: [], liesOn: [] };

export function placeOf(
  dev: number,
  mounts: readonly Mount[],
  sysDev = SYS_DEV,
  diskstats?: string,
): DiskPlace {
  const found = folderOf(dev, sysDev, diskstats);
  if (found === undefined) return NOWHERE;
  const disk = folderWithPartitions(found);
  const own = [disk, ...partitionsOf(disk)];
  let layer = own;
  const all = new Set(layer);
  for (let depth = 0; layer.length > 0 && depth < MOST_LAYERS; depth++) {
    layer = layer.flatMap(holdersOf).filter((folder) => !all.has(folder));
    for (const folder of layer) all.add(folder);
  }
  const devices = [...all].map(blockDevice);
  const on = mounts.filter((mount) => devices.some((device) => isOn(mount, device)));
  const above = [diskAbovePath(found)].filter((name) => name !== undefined);
  const volumes = devices.slice(own.length).map(({ title }) => title);
  return {
    mounts: [...new Set(on.map(({ point }) => point))],
    volumes: [...new Set([...above, ...volumes])],
    liesOn: disksBelow(disk, mounts, sysDev),
  };
}

/**
 * The disks below a device: for a partition, its disk; for a loop device, the disk or volume with its file, if that has
 * a file system.
 */
function disksBelow(folder: string, mounts: readonly Mount[], sysDev: string): readonly string[] {
  const below = namesIn(join(folder, 'slaves')).map((name) =>
    wholeDisk(linkedFolder(join(folder, 'slaves'), name)),
  );
  const file = readLine(join(folder, 'loop/backing_file'));
  const of = file === undefined ? undefined : mountOf(file, mounts);
  const under = of && folderOf(of.dev, sysDev);
  const all = under === undefined ? below : [...below, wholeDisk(under)];
  return [...new Set(all)].sort();
}

function wholeDisk(folder: string): string {
  const isPartition = readLine(join(folder, 'partition')) !== undefined;
  return blockDevice(isPartition ? dirname(folder) : folder).title;
}

function linkedFolder(folder: string, name: string): string {
  try {
    return join(folder, readlinkSync(join(folder, name)));
  } catch (cause) {
    rethrowUnlessAbsent(cause);
    return join(folder, name);
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    rethrowUnlessAbsent(cause);
    return [];
  }
}
