const MINOR_BITS = 20;
const MINOR_MASK = (1 << MINOR_BITS) - 1;

/** Packs a device number as the kernel does inside itself (`MKDEV`: 12 bits major, 20 minor). */
export function packDevice(major: number, minor: number): number {
  return major * (1 << MINOR_BITS) + minor;
}

export function deviceMajor(dev: number): number {
  return dev >>> MINOR_BITS;
}

export function deviceMinor(dev: number): number {
  return dev & MINOR_MASK;
}

/** A disk as the source knows it; what is not known is absent. */
export interface DeviceInfo {
  readonly dev: number;
  /** The kernel's name (`sda`, `nvme0n1`), raw: sanitised where it meets the terminal. */
  readonly name: string;
  readonly sizeBytes?: number;
  readonly rotational?: boolean;
  readonly scheduler?: string;
  readonly model?: string;
  /** Where several hosts are looked at together: the one that it is in. */
  readonly host?: string;
}

/** Stands for the disk of an I/O whose log does not name one: no driver can have this number. */
export const UNKNOWN_DEVICE = packDevice(4095, MINOR_MASK);
/** Device numbers of the kernel have 32 bits; of several hosts, those of the n-th begin at n times this. */
export const DEVS_PER_HOST = 2 ** 32;
const UNKNOWN_NAME = 'unknown';

export function isUnknownDevice(dev: number): boolean {
  return dev % DEVS_PER_HOST === UNKNOWN_DEVICE;
}

/** Name of a device number that no table knows. */
export function unknownDeviceName(dev: number): string {
  return `${deviceMajor(dev)}:${deviceMinor(dev)}`;
}

/** The number that `unknownDeviceName` prints; undefined when the text is none. */
export function parseDeviceNumber(text: string): number | undefined {
  const numbers = /^(\d{1,4}):(\d{1,7})$/.exec(text);
  return numbers === null ? undefined : packDevice(Number(numbers[1]), Number(numbers[2]));
}

/** Who can name a device number; `SourceInfo` can. */
export interface DeviceNames {
  device(dev: number): DeviceInfo | undefined;
  /** That of all disks which are not said to be of another. */
  readonly host?: string;
}

/** In the place of a host that a trace does not name. */
export const UNKNOWN_HOST = 'unknown host';

/** The host that a disk is in; undefined where it is not known. */
export function hostOf(names: DeviceNames, dev: number): string | undefined {
  const host = names.device(dev)?.host ?? names.host;
  return host === '' || host === UNKNOWN_HOST ? undefined : host;
}

export function deviceName(names: DeviceNames, dev: number): string {
  return knownDeviceName(names, dev) ?? UNKNOWN_NAME;
}

/** Undefined for the disk of an I/O whose log does not name one. */
export function knownDeviceName(names: DeviceNames, dev: number): string | undefined {
  if (isUnknownDevice(dev)) return undefined;
  return names.device(dev)?.name ?? unknownDeviceName(dev);
}
