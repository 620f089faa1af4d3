import { existsSync } from 'node:fs';
import { err, ExitCode, ok, type Result } from '../../base/result.ts';

/** File systems that ioheat reads, each with a file that always exists in it. */
const NEEDED = [
  { folder: '/proc', kind: 'proc', file: '/proc/self/status' },
  { folder: '/sys', kind: 'sysfs', file: '/sys/block' },
];

/** Checks that they are mounted, which they may not be in a container or a rescue system. */
export function checkFileSystems(): Result<undefined> {
  const missing = NEEDED.find(({ file }) => !existsSync(file));
  if (missing === undefined) return ok(undefined);
  const { folder, kind, file } = missing;
  return err({
    exitCode: ExitCode.cannotTrace,
    what: `${file} does not exist`,
    why: `${folder} is not mounted`,
    remedy: `mount it: mount -t ${kind} ${kind} ${folder}`,
  });
}
