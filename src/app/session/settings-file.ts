import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { homeFolder } from '../../base/home-folder.ts';
import { codeOf, isSystemError, reasonOf } from '../../base/system-error.ts';
import { jsonIfValid } from '../../base/json-if-valid.ts';
import { readSettings } from '../../view/settings.ts';
import type { Settings } from '../../view/settings.ts';

/** `ioheat/settings.json` in the configuration directory of the XDG base directory specification. */
export function settingsPath(env: Readonly<Record<string, string | undefined>>): string {
  const base = env['XDG_CONFIG_HOME'];
  // The specification: paths that are not absolute are ignored.
  const folder = base?.startsWith('/') === true ? base : join(homeFolder(), '.config');
  return join(folder, 'ioheat', 'settings.json');
}

/** The saved settings, and a notice about those that cannot be used. */
export function loadSettings(path: string): { settings: Settings; notice: string | undefined } {
  const text = readIfThere(path);
  if (text.problem !== undefined) return { settings: {}, notice: text.problem };
  if (text.value === undefined) return { settings: {}, notice: undefined };
  const { settings, problems } = readSettings(jsonIfValid(text.value));
  const [problem] = problems;
  return { settings, notice: problem === undefined ? undefined : `${path}: ${problem}` };
}

/** Saves the settings, atomically; returns a notice. */
export function saveSettings(path: string, settings: Settings): string {
  try {
    makeFolder(dirname(path));
    replaceFile(behindOwnLink(path), `${JSON.stringify(settings, undefined, 2)}\n`);
    return `settings saved to ${path}`;
  } catch (cause) {
    return `settings not saved: ${messageOf(cause)}`;
  }
}

/** Not `recursive`: Node then tries for ever where the kernel refuses with ENOENT, as an automounter does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Settings may be a link into a folder of dotfiles, which stays. A link of somebody else is not followed, because it
 * would choose which file of this user is replaced.
 */
function behindOwnLink(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const isOwnLink = found?.isSymbolicLink() === true && found.uid === process.geteuid?.();
  return isOwnLink ? realpathSync(path) : path;
}

function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (cause) {
    // A draft that stays would prevent the next attempt.
    rmSync(draft, { force: true });
    throw cause;
  }
}

function readIfThere(path: string): { value?: string; problem?: string } {
  try {
    // A FIFO without a writer would hang the program.
    const isFile = statSync(path).isFile();
    if (!isFile) return { problem: `settings not read: ${path} is not a regular file` };
    return { value: readFileSync(path, 'utf8') };
  } catch (cause) {
    const isAbsent = codeOf(cause) === 'ENOENT';
    return isAbsent ? {} : { problem: `settings not read: ${messageOf(cause)}` };
  }
}

function messageOf(cause: unknown): string {
  if (isSystemError(cause)) return reasonOf(cause);
  throw cause;
}
