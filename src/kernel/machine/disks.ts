import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSystemError } from '../../base/system-error.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { deviceMajor, deviceMinor, packDevice, type DeviceInfo } from '../../model/device.ts';
import { diskOfPath, hiddenDevs, NvmePaths } from './nvme-paths.ts';

const SYS_BLOCK = '/sys/block';

/** A disk of this machine, as `/sys/block` shows it. */
export interface Disk extends DeviceInfo {
  /**
   * Whether the kernel makes requests of its I/O. Other disks (dm, md, zram, pmem) pass bios on or serve them
   * themselves: they are volumes.
   */
  readonly requestBased: boolean;
  /** Requests that can be in flight or queued at once, over all hardware queues. */
  readonly requestLimit: number;
}

/**
 * All but NVMe disks with paths, whose I/O is that of the paths. `known`: the disk as it was read before. It is returned unchanged if its number and size are the same; reading all
 * attributes takes four times as long. `partitions`: a file that has numbers and sizes of all disks, so that it is
 * read instead of two files for each known one. `diskstats`: the file that has the numbers of hidden paths.
 */
export function listDisks(
  sysBlock = SYS_BLOCK,
  known: (folder: string) => Disk | undefined = () => undefined,
  partitions = sysBlock === SYS_BLOCK ? PARTITIONS : undefined,
  diskstats?: string,
): Disk[] {
  const sizes = partitions === undefined ? undefined : readSizes(partitions);
  const names = readdirSync(sysBlock);
  const paths = new NvmePaths(names);
  const devs = paths.areAny ? hiddenDevs(diskstats) : undefined;
  return names
    .filter((name) => !paths.hasPaths(name))
    .map((name) => {
      const folder = join(sysBlock, name);
      const before = known(name);
      if (diskOfPath(name) !== undefined)
        return pathAsBefore(folder, paths.titleOf(name), devs?.get(name), before);
      return before !== undefined && isAsBefore(folder, before, sizes) ? before : readDisk(folder);
    })
    .filter((disk) => disk !== undefined);
}

function isAsBefore(folder: string, before: Disk, sizes: Sizes | undefined): boolean {
  const now = sizes?.get(basename(folder).replaceAll('!', '/'));
  if (now !== undefined) return now.dev === before.dev && now.kib === kibOf(before);
  // Most machines have loop devices without a file: the list leaves out what is empty.
  if (sizes !== undefined && before.sizeBytes === 0) return true;
  return readDev(folder) === before.dev && readSize(folder) === before.sizeBytes;
}

/** Sizes as in `/proc/partitions`, by the kernel's name: disks and partitions that have a size. */
type Sizes = ReadonlyMap<string, { readonly dev: number; readonly kib: number }>;

const PARTITIONS = '/proc/partitions';

function readSizes(path: string): Sizes | undefined {
  try {
    return parseSizes(readFileSync(path, 'latin1'));
  } catch (cause) {
    rethrowUnlessAbsent(cause);
    return undefined;
  }
}

function parseSizes(text: string): Sizes {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/));
  return new Map(
    rows
      .filter((fields) => fields.length === 4)
      .map(([major, minor, kib, name]) => [
        name!,
        { dev: packDevice(Number(major), Number(minor)), kib: Number(kib) },
      ]),
  );
}

function kibOf({ sizeBytes = NaN }: Disk): number {
  return Math.floor(sizeBytes / 1024);
}

/** A disk by number, whenever it appeared; undefined when there is none (any more). */
export function findDisk(dev: number, sysDev = SYS_DEV, diskstats?: string): Disk | undefined {
  const folder = folderOf(dev, sysDev, diskstats);
  if (folder === undefined) return undefined;
  const name = basename(folder);
  if (diskOfPath(name) === undefined) return readDisk(folder);
  return readPath(folder, new NvmePaths(readdirSync(dirname(folder))).titleOf(name), dev);
}

export const SYS_DEV = '/sys/dev/block';

/** The folder of a disk or partition by number. That of a hidden path is the one in `/sys/block`. */
export function folderOf(dev: number, sysDev: string, diskstats?: string): string | undefined {
  try {
    const number = `${deviceMajor(dev)}:${deviceMinor(dev)}`;
    return join(sysDev, readlinkSync(join(sysDev, number)));
  } catch (cause) {
    rethrowUnlessAbsent(cause);
    const found = [...hiddenDevs(diskstats)].find(([, hidden]) => hidden === dev);
    return found && join(sysDev, '../../block', found[0]);
  }
}

function pathAsBefore(
  folder: string,
  title: string,
  dev: number | undefined,
  before: Disk | undefined,
): Disk | undefined {
  const isSame = before?.dev === dev && before?.name === title;
  return isSame && readSize(folder) === before.sizeBytes ? before : readPath(folder, title, dev);
}

/** A hidden path of an NVMe disk: it is called as the disk if it is the only one. */
function readPath(folder: string, title: string, dev: number | undefined): Disk | undefined {
  const kernelName = basename(folder);
  const path = dev === undefined ? undefined : readAttributes(folder, dev, kernelName);
  if (path === undefined || title === kernelName) return path;
  const callsDev = optional('callsDev', readDev(join(dirname(folder), title)));
  return { ...path, name: title, kernelName, ...callsDev };
}

/** The folder of a disk in `/sys/block`: slashes of its name are replaced, because file names have none. */
export function diskFolder({
  name,
  kernelName = name,
}: Pick<DeviceInfo, 'name' | 'kernelName'>): string {
  return kernelName.replaceAll('/', '!');
}

/** Whether the kernel counts the I/O of a disk; `folder`: see `diskFolder`. */
export function hasStatistics(folder: string): boolean {
  return readLine(join(SYS_BLOCK, folder, 'queue/iostats')) === '1';
}

function readDisk(folder: string): Disk | undefined {
  const dev = readDev(folder);
  const kernelName = basename(folder).replaceAll('!', '/');
  return dev === undefined ? undefined : readAttributes(folder, dev, kernelName);
}

function readAttributes(folder: string, dev: number, kernelName: string): Disk {
  const queue = join(folder, 'queue');
  const title = readLine(join(folder, 'dm/name'));
  return {
    dev,
    name: title ?? kernelName,
    ...optional('kernelName', title === undefined ? undefined : kernelName),
    ...optional('sizeBytes', readSize(folder)),
    ...optional('rotational', flag(readLine(join(queue, 'rotational')))),
    ...optional('scheduler', currentScheduler(readLine(join(queue, 'scheduler')))),
    ...optional('model', readLine(join(folder, 'device/model'))),
    requestBased: existsSync(join(folder, 'mq')),
    requestLimit: requestLimit(folder),
  };
}

/** The device number; undefined for hidden disks, which have none. */
function readDev(folder: string): number | undefined {
  const number = readLine(join(folder, 'dev'))?.split(':').map(Number);
  return number?.length === 2 ? packDevice(number[0]!, number[1]!) : undefined;
}

function readSize(folder: string): number | undefined {
  return scaled(readLine(join(folder, 'size')), SECTOR_BYTES);
}

function requestLimit(folder: string): number {
  const perQueue = scaled(readLine(join(folder, 'queue/nr_requests')), 1) ?? 0;
  return perQueue * Math.max(1, hardwareQueues(join(folder, 'mq')));
}

function hardwareQueues(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch (cause) {
    rethrowUnlessAbsent(cause);
    return 0;
  }
}

/** `none [mq-deadline] kyber` → `mq-deadline`. */
function currentScheduler(line: string | undefined): string | undefined {
  return line === undefined ? undefined : (/\[([^\]]+)\]/.exec(line)?.[1] ?? line);
}

function flag(line: string | undefined): boolean | undefined {
  return line === undefined ? undefined : line === '1';
}

function scaled(line: string | undefined, factor: number): number | undefined {
  return line !== undefined && /^\d+$/.test(line) ? Number(line) * factor : undefined;
}

function optional<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

/** The first line of a file of `/sys`; undefined if it is absent, empty or not readable. */
export function readLine(path: string): string | undefined {
  try {
    const line = readFileSync(path, 'utf8').trim();
    return line === '' ? undefined : line;
  } catch (cause) {
    rethrowUnlessAbsent(cause);
    return undefined;
  }
}

/** Disks come and go while they are read: a file that is not there is an answer. */
export function rethrowUnlessAbsent(cause: unknown): void {
  if (!isSystemError(cause)) throw cause;
}
