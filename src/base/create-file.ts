import { constants, lstatSync, openSync, unlinkSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { codeOf, isSystemError, reasonOf } from './system-error.ts';
import { ExitCode, err, ok } from './result.ts';
import { explainFileLimit } from './file-limit.ts';
import type { IoheatError, Result } from './result.ts';

/** Fails if anything has that name, including a dangling symlink. */
const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const FOR_THE_OWNER = 0o600;
/** What commands with `--force` take instead of a name that cannot be created. */
const STANDARD_OUTPUT: Readonly<Partial<Record<string, string>>> = {
  '/dev/stdout': 'use - for standard output',
};

export interface CreateOptions {
  /**
   * Replace an existing regular file; never a symlink, a device or a directory. Undefined where no option asks for
   * it: then the error does not name the option.
   */
  readonly force?: boolean | undefined;
}

/**
 * Creates a file with mode 0600, because names and offsets reveal what a machine does. It belongs to the current
 * user: under sudo, ioheat has already become the calling user; with `--stay-root`, the file belongs to root.
 * Returns the descriptor.
 */
export function createFile(path: string, options: CreateOptions = {}): Result<number> {
  const { force } = options;
  if (force === true) {
    const removed = removeOrdinary(path);
    if (!removed.ok) return removed;
  }
  try {
    return ok(openSync(path, NEW_FILE, FOR_THE_OWNER));
  } catch (cause) {
    return refuse(path, cause, force);
  }
}

/**
 * What has that name; undefined for nothing. Fails if no file can have it: it is too long, or a folder on the way is
 * closed or not a folder.
 */
export function entryAt(path: string): Result<Stats | undefined> {
  try {
    return ok(lstatSync(path, { throwIfNoEntry: false }));
  } catch (cause) {
    return refuse(path, cause, undefined);
  }
}

/** Fails if something has that name that is not to be replaced, or if no file can have it. */
export function checkReplaceable(path: string, { force }: CreateOptions): Result<undefined> {
  const found = entryAt(path);
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  if (force !== true) return err(nameTaken(path, force));
  if (found.value.isFile()) return ok(undefined);
  const why = 'exists and is not a regular file';
  const what = `cannot replace ${path}`;
  return err({ exitCode: ExitCode.failed, what, why, remedy: STANDARD_OUTPUT[path] });
}

function removeOrdinary(path: string): Result<undefined> {
  const replaceable = checkReplaceable(path, { force: true });
  if (!replaceable.ok) return replaceable;
  try {
    unlinkSync(path);
    return ok(undefined);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return ok(undefined);
    return refuse(path, cause, true);
  }
}

function refuse(path: string, cause: unknown, force: boolean | undefined): Result<never> {
  if (!isSystemError(cause)) throw cause;
  const what = `cannot create ${path}`;
  if (cause.code !== 'EEXIST')
    return err({
      exitCode: ExitCode.failed,
      what,
      ...(explainFileLimit(cause.code) ?? { why: reasonOf(cause) }),
    });
  return err(nameTaken(path, force));
}

/** The error for a name that something has already; `force` as in `CreateOptions`. */
function nameTaken(path: string, force?: boolean): IoheatError {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const why = found?.isDirectory() === true ? 'it is a directory' : 'file exists';
  const what = `cannot create ${path}`;
  return { exitCode: ExitCode.failed, what, why, remedy: remedyFor(path, found, force) };
}

function remedyFor(path: string, found: Stats | undefined, force: boolean | undefined): string {
  if (found?.isDirectory() === true) return 'name a file in it';
  if (force === undefined) return 'name another file, or remove this one';
  const other = STANDARD_OUTPUT[path];
  if (other !== undefined) return other;
  const isReplaceable = found?.isFile() === true && !force;
  return isReplaceable ? 'replace it with --force, or name another file' : 'name another file';
}
