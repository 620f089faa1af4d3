import { existsSync } from 'node:fs';
import { err, ExitCode, ok, type Result } from '../../base/result.ts';

/** A file system that ioheat reads. */
export interface NeededFileSystem {
  readonly folder: string;
  /** A file that always exists in it. */
  readonly file: string;
  /** The command that mounts it. */
  readonly mount: string;
}

const NEEDED: readonly NeededFileSystem[] = [
  { folder: '/proc', file: '/proc/self/status', mount: 'mount -t proc proc /proc' },
  { folder: '/sys', file: '/sys/block', mount: 'mount -t sysfs sysfs /sys' },
];

/** Those that are not mounted, as in a container or a rescue system. */
export function missingFileSystems(
  exists: (path: string) => boolean = existsSync,
): readonly NeededFileSystem[] {
  return NEEDED.filter(({ file }) => !exists(file));
}

/** Fails with exit code 3 and the command that mounts what is missing. */
export function checkFileSystems(): Result<undefined> {
  const [missing] = missingFileSystems();
  if (missing === undefined) return ok(undefined);
  const { folder, file, mount } = missing;
  return err({
    exitCode: ExitCode.cannotTrace,
    what: `${file} does not exist`,
    why: `${folder} is not mounted`,
    remedy: `mount it: ${mount}`,
  });
}
