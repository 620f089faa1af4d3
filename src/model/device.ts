const MINOR_BITS = 20;
const MINOR_MASK = (1 << MINOR_BITS) - 1;

/** Packs a device number as the kernel does internally (`MKDEV`: 12 bits major, 20 minor). */
export function packDevice(major: number, minor: number): number {
  return major * (1 << MINOR_BITS) + minor;
}

export function deviceMajor(dev: number): number {
  return dev >>> MINOR_BITS;
}

export function deviceMinor(dev: number): number {
  return dev & MINOR_MASK;
}

/** A disk as the source knows it; unknown values are absent. */
export interface DeviceInfo {
  readonly dev: number;
  /** The name that people use (`sda`, `nvme0n1`, `vg0-data`), raw: sanitised when it is shown. */
  readonly name: string;
  /** The kernel's name of a device-mapper volume: `dm-0`. */
  readonly kernelName?: string;
  /** The number that waits and calls on it have, where its requests have another: of an NVMe disk with one path. */
  readonly callsDev?: number;
  readonly sizeBytes?: number;
  readonly rotational?: boolean;
  readonly scheduler?: string;
  readonly model?: string;
  /** The mount points of file systems on it, raw. */
  readonly mounts?: readonly string[];
  /** For a volume or a loop device, the names of the disks and volumes directly below it, raw. */
  readonly liesOn?: readonly string[];
  /** The names of the volumes above it, directly or through other volumes, raw. */
  readonly volumes?: readonly string[];
  /** The host of this disk, if the trace has several hosts. */
  readonly host?: string;
}

/** Minor numbers of a major. */
export const MINORS = 1 << MINOR_BITS;
/**
 * The major of disks of which a trace has only the name. No driver can have it: the kernel assigns majors below
 * `BLKDEV_MAJOR_MAX`, 512.
 */
export const INVENTED_MAJOR = 4095;
/** The device number of I/O whose disk a log does not name. */
export const UNKNOWN_DEVICE = packDevice(INVENTED_MAJOR, MINOR_MASK);
/** The device numbers of I/O that was counted for several disks, or several volumes, together. */
export const OTHER_DISKS = UNKNOWN_DEVICE - 1;
export const OTHER_VOLUMES = UNKNOWN_DEVICE - 2;
/** The kernel's device numbers have 32 bits. With several hosts, those of host n (from 0) start at n times this. */
export const DEVS_PER_HOST = 2 ** 32;
const UNKNOWN_NAME = 'unknown';
const SHARED_NAMES: ReadonlyMap<number, string> = new Map([
  [OTHER_DISKS, 'other disks'],
  [OTHER_VOLUMES, 'other volumes'],
]);

/** The number of the host of a device; 0 if the trace has one host. */
export function hostNumberOf(dev: number): number {
  return Math.floor(dev / DEVS_PER_HOST);
}

export function isUnknownDevice(dev: number): boolean {
  return dev % DEVS_PER_HOST === UNKNOWN_DEVICE;
}

/** Whether I/O that was only counted under this number may be of any disk. */
export function isSharedDevice(dev: number): boolean {
  return isUnknownDevice(dev) || SHARED_NAMES.has(dev % DEVS_PER_HOST);
}

/** A number for a disk of which a trace has only the name: the same for the same name in every trace, unless it is taken. */
export function inventDevice(name: string, isTaken: (dev: number) => boolean): number {
  let minor = nameHash(name) % MINORS;
  for (;;) {
    const dev = packDevice(INVENTED_MAJOR, minor);
    if (!isTaken(dev) && !isSharedDevice(dev)) return dev;
    minor = (minor + 1) % MINORS;
  }
}

/** FNV-1a. */
function nameHash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++)
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}

/** The name of a device number that is in no table. */
export function unknownDeviceName(dev: number): string {
  const shared = SHARED_NAMES.get(dev % DEVS_PER_HOST);
  return shared ?? `${deviceMajor(dev)}:${deviceMinor(dev)}`;
}

/** The number in a name that `unknownDeviceName` made of major and minor; undefined for other texts. */
export function parseDeviceNumber(text: string): number | undefined {
  const numbers = /^(\d{1,4}):(\d{1,7})$/.exec(text);
  return numbers === null ? undefined : packDevice(Number(numbers[1]), Number(numbers[2]));
}

/** Names device numbers; `SourceInfo` does. */
export interface DeviceNames {
  device(dev: number): DeviceInfo | undefined;
  /** The host of all disks without a host of their own. */
  readonly host?: string;
}

/** Shown when a trace does not name its host. */
export const UNKNOWN_HOST = 'unknown host';

/** The host of a disk; undefined when unknown. */
export function hostOf(names: DeviceNames, dev: number): string | undefined {
  const host = names.device(dev)?.host ?? names.host;
  return host === '' || host === UNKNOWN_HOST ? undefined : host;
}

export function deviceName(names: DeviceNames, dev: number): string {
  return knownDeviceName(names, dev) ?? UNKNOWN_NAME;
}

/** Undefined when the log does not name the disk. */
export function knownDeviceName(names: DeviceNames, dev: number): string | undefined {
  if (isUnknownDevice(dev)) return undefined;
  return names.device(dev)?.name ?? unknownDeviceName(dev);
}
