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
  /** As people know it (`sda`, `nvme0n1`, `vg0-data`), raw: sanitised when it is shown. */
  readonly name: string;
  /** Of a volume of the device mapper, that of the kernel: `dm-0`. */
  readonly kernelName?: string;
  readonly sizeBytes?: number;
  readonly rotational?: boolean;
  readonly scheduler?: string;
  readonly model?: string;
  /** Where file systems on it are mounted, raw. */
  readonly mounts?: readonly string[];
  /** Of a volume, or of a loop device: names of the disks and volumes that it or its file lies on directly, raw. */
  readonly liesOn?: readonly string[];
  /** Names of the volumes on it, and on these, raw. */
  readonly volumes?: readonly string[];
  /** With several hosts: the host of this disk. */
  readonly host?: string;
}

/** The device number when a log does not name the disk: no driver can have it. */
export const UNKNOWN_DEVICE = packDevice(4095, MINOR_MASK);
/** The kernel's device numbers have 32 bits; with several hosts, those of the n-th start at n times this. */
export const DEVS_PER_HOST = 2 ** 32;
const UNKNOWN_NAME = 'unknown';

export function isUnknownDevice(dev: number): boolean {
  return dev % DEVS_PER_HOST === UNKNOWN_DEVICE;
}

/** The name of a device number that is in no table. */
export function unknownDeviceName(dev: number): string {
  return `${deviceMajor(dev)}:${deviceMinor(dev)}`;
}

/** The number in a name made by `unknownDeviceName`; undefined for other texts. */
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
