import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOrThrow } from '../base/system-error.ts';

/** Undefined when there is no such disk; `code` when it cannot be opened. */
export type HeldDisk = { readonly fd: number } | { readonly code: string } | undefined;

/*
 * Opens a disk with root's privileges for an unprivileged user. The path given by the user is only examined, never
 * opened: a path may lead elsewhere by the time it is used, and opening some devices has side effects. If it leads
 * to a disk, that disk is opened by the kernel's name for it. The user only learns that it is a disk, and whether
 * it is in use.
 */

/** Exclusive: fails for a disk that is mounted or part of another. */
export function holdDisk(path: string, writes: boolean): HeldDisk {
  const dev = diskNumber(path);
  const name = dev === undefined ? undefined : kernelName(dev);
  if (name === undefined) return undefined;
  try {
    const fd = openSync(`/dev/${name}`, diskFlags(writes));
    const found = fstatSync(fd);
    if (found.isBlockDevice() && found.rdev === dev) return { fd };
    closeSync(fd);
    return undefined;
  } catch (cause) {
    const code = codeOrThrow(cause);
    return code === 'ENOENT' ? undefined : { code };
  }
}

/** O_EXCL without O_CREAT: fails for a disk that is mounted or part of another (open(2)). */
export function diskFlags(writes: boolean): number {
  const { O_RDWR, O_RDONLY, O_DIRECT, O_NONBLOCK, O_EXCL } = constants;
  return (writes ? O_RDWR : O_RDONLY) | O_DIRECT | O_NONBLOCK | O_EXCL;
}

/** Only for names below /dev, because lookups elsewhere can be made slow by others. */
function diskNumber(path: string): number | undefined {
  if (!path.startsWith('/') || !resolve(path).startsWith('/dev/')) return undefined;
  try {
    const found = statSync(path);
    return found.isBlockDevice() ? found.rdev : undefined;
  } catch (cause) {
    codeOrThrow(cause);
    return undefined;
  }
}

/** Name below /dev: `sda1`, `dm-0`. */
function kernelName(rdev: number): string | undefined {
  try {
    const facts = readFileSync(`/sys/dev/block/${deviceNumbers(rdev)}/uevent`, 'utf8');
    return /^DEVNAME=([\w!.-]+(?:\/[\w!.-]+)*)$/m.exec(facts)?.[1];
  } catch (cause) {
    codeOrThrow(cause);
    return undefined;
  }
}

/**
 * `8:0`, from the device number of stat(2): 12 low bits of the major above 8 of the minor, 12 more of it above
 * (makedev(3)).
 */
export function deviceNumbers(rdev: number): string {
  const low = rdev % 2 ** 32;
  return `${(low >>> 8) & 0xfff}:${(low & 0xff) | ((low >>> 12) & 0xfff00)}`;
}
