import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../../base/home-folder.ts';
import { isSystemError } from '../../base/system-error.ts';

/** Where recorders and `ioheat note` meet: a folder that belongs to this user and is closed to all others. */
export interface NoteFolder {
  readonly path: string;
}

/** A place where a folder may be made: the directory must exist and belong to the user alone. */
interface Place {
  readonly base: string;
  /** Directories below it, which are made in this order if they are missing. */
  readonly below: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const BELOW = ['ioheat', 'notes'];
const GROUP_AND_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * The places for the folder: the runtime directory of the user's login, or else the home directory. The first does not
 * depend on the environment alone, because `sudo` does not pass it on.
 */
function places(env: Environment, uid: number): Place[] {
  const given = env['XDG_RUNTIME_DIR'];
  const runtime = [...(given?.startsWith('/') === true ? [given] : []), `/run/user/${uid}`];
  return [
    ...runtime.map((base) => ({ base, below: BELOW })),
    { base: homeFolder(), below: ['.local', 'state', ...BELOW] },
  ];
}

/** The folder in which a recorder of this user waits for notes; undefined if none can be made safely. */
export function makeNoteFolder(env: Environment): NoteFolder | undefined {
  const uid = process.geteuid?.() ?? -1;
  for (const { base, below } of places(env, uid)) {
    const path = makeBelow(base, below, uid);
    if (path !== undefined) return { path };
  }
  return undefined;
}

/** All folders in which a recorder of this user may wait. */
export function noteFolders(env: Environment): readonly NoteFolder[] {
  const uid = process.geteuid?.() ?? -1;
  const paths = places(env, uid).map(({ base, below }) => join(base, ...below));
  return [...new Set(paths)]
    .filter((path) => isOwn(path, uid, GROUP_AND_OTHERS))
    .map((path) => ({ path }));
}

function makeBelow(base: string, below: readonly string[], uid: number): string | undefined {
  if (!isOwn(base, uid, WRITABLE_BY_OTHERS)) return undefined;
  let path = base;
  for (const name of below) {
    path = join(path, name);
    if (!isMade(path) || !isOwn(path, uid, WRITABLE_BY_OTHERS)) return undefined;
  }
  return isOwn(path, uid, GROUP_AND_OTHERS) ? path : undefined;
}

/** Makes the directory; false if that is not possible. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return cause.code === 'EEXIST';
  }
}

/** Whether it is a directory of this user, not a symbolic link, without these rights for others. */
function isOwn(path: string, uid: number, without: number): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() && stat.uid === uid && (stat.mode & without) === 0;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return false;
  }
}
