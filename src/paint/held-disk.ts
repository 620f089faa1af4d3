import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Undefined where there is no disk of that name; `code` where it cannot be opened. */
export type HeldDisk = { readonly fd: number } | { readonly code: string } | undefined;

/*
 * Opening a disk with the power of root for somebody who has less. What he named is looked at, and never
 * opened: a name may lead anywhere by the time it is used, and some devices act when they are opened.
 * Where it leads to a disk, that disk is opened by the name that the kernel gives to it. Nothing but
 * that, and that it is in use, can be learned in this way.
 */

/** For itself alone: fails for a disk that is mounted or part of another. */
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
    const code = codeOf(cause);
    return code === 'ENOENT' ? undefined : { code };
  }
}

/** O_EXCL without O_CREAT: fails for a disk that is mounted or part of another (open(2)). */
export function diskFlags(writes: boolean): number {
  const { O_RDWR, O_RDONLY, O_DIRECT, O_NONBLOCK, O_EXCL } = constants;
  return (writes ? O_RDWR : O_RDONLY) | O_DIRECT | O_NONBLOCK | O_EXCL;
}

/** Of names below /dev alone, which are not looked up in places that others can make slow. */
function diskNumber(path: string): number | undefined {
  if (!path.startsWith('/') || !resolve(path).startsWith('/dev/')) return undefined;
  try {
    const found = statSync(path);
    return found.isBlockDevice() ? found.rdev : undefined;
  } catch (cause) {
    codeOf(cause);
    return undefined;
  }
}

/** Below /dev: `sda1`, `dm-0`. */
function kernelName(rdev: number): string | undefined {
  try {
    const facts = readFileSync(`/sys/dev/block/${deviceNumbers(rdev)}/uevent`, 'utf8');
    return /^DEVNAME=([\w!.-]+(?:\/[\w!.-]+)*)$/m.exec(facts)?.[1];
  } catch (cause) {
    codeOf(cause);
    return undefined;
  }
}

/** `8:0`, of what stat(2) gives: 12 low bits of the major above 8 of the minor, 12 more of it above (makedev(3)). */
function deviceNumbers(rdev: number): string {
  const low = rdev % 2 ** 32;
  return `${(low >>> 8) & 0xfff}:${(low & 0xff) | ((low >>> 12) & 0xfff00)}`;
}

function codeOf(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  throw cause;
}
