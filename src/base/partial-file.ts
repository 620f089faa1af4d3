import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { entryAt, nameTaken } from './create-file.ts';
import { codeOf, isSystemError, reasonOf } from './system-error.ts';
import { ExitCode, err, ok } from './result.ts';
import type { Result } from './result.ts';

/** File systems without hard links, such as FAT and some network file systems. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Name of a file until it is complete: `io.csv.part`. Fails if `path` exists, or cannot. */
export function partOf(path: string): Result<string> {
  const found = entryAt(path);
  if (!found.ok) return found;
  return found.value === undefined ? ok(`${path}.part`) : err(nameTaken(path));
}

/** Gives the complete file its name, unless that name was taken meanwhile. */
export function publishPart(part: string, path: string): Result<undefined> {
  try {
    link(part, path);
    return ok(undefined);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const why = cause.code === 'EEXIST' ? 'file exists' : reasonOf(cause);
    const remedy = `the data is in ${part}`;
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
