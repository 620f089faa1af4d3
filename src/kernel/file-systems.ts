import { existsSync } from 'node:fs';
import { err, ExitCode, ok, type Result } from '../base/result.ts';

/** What is asked of the kernel by files, and a file of each that is always there. */
const NEEDED = [
  { folder: '/proc', kind: 'proc', file: '/proc/self/status' },
  { folder: '/sys', kind: 'sysfs', file: '/sys/block' },
];

/** In a container or a rescue system they may not be mounted. */
export function checkFileSystems(): Result<undefined> {
  const missing = NEEDED.find(({ file }) => !existsSync(file));
  if (missing === undefined) return ok(undefined);
  const { folder, kind, file } = missing;
  return err({
    exitCode: ExitCode.cannotTrace,
    what: `${file} is not there`,
    why: `${folder} is not mounted`,
    remedy: `mount it: mount -t ${kind} ${kind} ${folder}`,
  });
}
