import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { checkReplaceable, entryAt } from './create-file.ts';
import type { CreateOptions } from './create-file.ts';
import { codeOf, isSystemError, reasonOf } from './system-error.ts';
import { ExitCode, err, ok } from './result.ts';
import type { Result } from './result.ts';

/** File systems without hard links, such as FAT and some network file systems. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Name of a file until it is complete: `io.csv.part`. If that is taken, by what a killed program left or by an export
 * that still runs, it is `io.csv.part2`; with `force`, what was left is replaced. Fails if `path` exists and is not to
 * be replaced, or cannot.
 */
export function partOf(path: string, options: CreateOptions = {}): Result<string> {
  const free = checkReplaceable(path, options);
  if (!free.ok) return free;
  const part = `${path}.part`;
  return options.force === true ? ok(part) : firstFree(part);
}

function firstFree(part: string): Result<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? part : `${part}${number}`;
    const found = entryAt(name);
    if (!found.ok) return found;
    if (found.value === undefined) return ok(name);
  }
}

/** Gives the complete file its name, unless that name was taken meanwhile by something that is not to be replaced. */
export function publishPart(
  part: string,
  path: string,
  options: CreateOptions = {},
): Result<undefined> {
  const free = options.force === true ? checkReplaceable(path, options) : ok(undefined);
  const remedy = `the data is in ${part}`;
  if (!free.ok) return err({ ...free.error, remedy });
  try {
    if (options.force === true) renameSync(part, path);
    else link(part, path);
    return ok(undefined);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const why = cause.code === 'EEXIST' ? 'file exists' : reasonOf(cause);
    return err({ exitCode: ExitCode.failed, what: `cannot create ${path}`, why, remedy });
  }
}

/** Linking never replaces an existing file, but renaming would. */
function link(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (cause) {
    const code = codeOf(cause) ?? '';
    const isFree = lstatSync(path, { throwIfNoEntry: false }) === undefined;
    if (!WITHOUT_LINKS.includes(code) || !isFree) throw cause;
    renameSync(part, path);
    return;
  }
  unlinkSync(part);
}

/** Removes a partial file. One that cannot be removed stays, because the error that ended it says more than this one. */
export function removePart(part: string): void {
  try {
    unlinkSync(part);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
  }
}
