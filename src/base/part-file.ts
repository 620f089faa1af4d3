import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { ExitCode, err, ok } from './result.ts';
import type { Result } from './result.ts';

/** File systems without links, such as FAT and some that are mounted from afar. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** What a file is called until it is whole: `io.csv.part`. Fails where `path` is the name of something. */
export function partOf(path: string): Result<string> {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere ? err(taken(path)) : ok(`${path}.part`);
}

/** Gives the whole file its name, unless something has got that name meanwhile. */
export function publishPart(part: string, path: string): Result<undefined> {
  try {
    link(part, path);
    return ok(undefined);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    const why = cause.code === 'EEXIST' ? 'there is something of that name' : cause.message;
    const remedy = `the file is there as ${part}`;
    return err({ exitCode: ExitCode.failed, what: `cannot create ${path}`, why, remedy });
  }
}

/** Links never replace what is there, as renaming would. */
function link(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const isFree = lstatSync(path, { throwIfNoEntry: false }) === undefined;
    if (!WITHOUT_LINKS.includes(code) || !isFree) throw cause;
    renameSync(part, path);
    return;
  }
  unlinkSync(part);
}

function taken(path: string) {
  return {
    exitCode: ExitCode.failed,
    what: `cannot create ${path}`,
    why: 'there is something of that name',
    remedy: 'name another file, or remove this one',
  };
}
