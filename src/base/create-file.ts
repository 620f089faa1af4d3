import { constants, lstatSync, openSync, unlinkSync } from 'node:fs';
import { ExitCode, err, ok } from './result.ts';
import { explainFileLimit } from './file-limit.ts';
import type { Result } from './result.ts';

/** Fails where anything has that name already, a dangling link included. */
const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const FOR_THE_OWNER = 0o600;

export interface CreateOptions {
  /** An ordinary file of that name gives way; never a link, a device or a folder. */
  readonly force?: boolean;
}

/**
 * A new file for what was traced, readable for its owner alone, since names and offsets tell what a
 * machine does. It belongs to who writes it and is never given away: under sudo this program has long
 * become the user, and where it was told to stay root, its files stay root's. Returns its descriptor.
 */
export function createFile(path: string, options: CreateOptions = {}): Result<number> {
  const { force = false } = options;
  if (force) {
    const removed = removeOrdinary(path);
    if (!removed.ok) return removed;
  }
  try {
    return ok(openSync(path, NEW_FILE, FOR_THE_OWNER));
  } catch (cause) {
    return refuse(path, cause, force);
  }
}

function removeOrdinary(path: string): Result<undefined> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return ok(undefined);
  if (!found.isFile()) {
    const why = 'what has that name is no ordinary file';
    return err({ exitCode: ExitCode.failed, what: `cannot replace ${path}`, why });
  }
  try {
    unlinkSync(path);
    return ok(undefined);
  } catch (cause) {
    return refuse(path, cause, true);
  }
}

function refuse(path: string, cause: unknown, force: boolean): Result<never> {
  if (!(cause instanceof Error && 'code' in cause)) throw cause;
  const what = `cannot create ${path}`;
  const isThere = cause.code === 'EEXIST' || cause.code === 'ELOOP';
  if (!isThere)
    return err({
      exitCode: ExitCode.failed,
      what,
      ...(explainFileLimit(cause.code) ?? { why: cause.message }),
    });
  const remedy = force ? 'name another file' : 'name another file, or remove this one';
  return err({ exitCode: ExitCode.failed, what, why: 'there is something of that name', remedy });
}
