import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSystemError, reasonOf } from '../../base/system-error.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { noteFolders } from './note-folder.ts';
import { DRAFT, hasEnded, NOTE, parseRecorder, RECORDER } from './waiting-recorder.ts';
import type { WaitingRecorder } from './waiting-recorder.ts';

/** A note that waits for its recorder. */
interface SentNote {
  readonly recorder: WaitingRecorder;
  readonly path: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Time to wait for recorders, which look five times a second unless the machine is busy. */
const ANSWER_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 20;

/** Brings a note to every recorder of this user; resolves with one sentence about who took it. */
export async function sendNote(
  text: string,
  env: Environment,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Result<string>> {
  const sent: SentNote[] = [];
  for (const { path: folder } of noteFolders(env)) {
    for (const recorder of recordersIn(folder)) {
      const path = leave(folder, recorder, text);
      if (!path.ok) return path;
      sent.push({ recorder, path: path.value });
    }
  }
  if (sent.length === 0) return err(NO_RECORDER);
  const untilMs = performance.now() + withinMs;
  while (sent.some(isWaiting) && performance.now() < untilMs) await sleep(LOOK_EVERY_MS);
  // A note that cannot be removed any more has been taken.
  const silent = sent.filter(({ path }) => removeIfThere(path));
  const taken = sent.filter((one) => !silent.includes(one));
  if (taken.length === 0) return err(noAnswer(silent));
  const more = silent.length === 0 ? '' : `; no answer from ${names(silent)}`;
  const many = taken.length === 1 ? '' : `${taken.length} recorders: `;
  return ok(`note taken by ${many}${names(taken)}${more}`);
}

/** The running recorders in a folder; the files of others are removed. */
function recordersIn(folder: string): WaitingRecorder[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(RECORDER));
  return files.flatMap((name) => {
    const path = join(folder, name);
    const recorder = parseRecorder(readIfThere(path));
    if (recorder === undefined) return [];
    if (!hasEnded(recorder)) return [recorder];
    removeIfThere(path);
    return [];
  });
}

/** Leaves a note for a recorder. The file is complete when it gets its name. */
function leave(folder: string, { pid }: WaitingRecorder, text: string): Result<string> {
  const path = join(folder, `${pid}-${Date.now()}-${process.pid}${NOTE}`);
  try {
    writeFileSync(`${path}${DRAFT}`, text, { mode: 0o600, flag: 'wx' });
    renameSync(`${path}${DRAFT}`, path);
    return ok(path);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return err({
      exitCode: ExitCode.failed,
      what: 'cannot deliver the note',
      why: reasonOf(cause),
    });
  }
}

function isWaiting({ path }: SentNote): boolean {
  return existsSync(path);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return '';
  }
}

function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return false;
  }
}

function names(sent: readonly SentNote[]): string {
  return sent.map(({ recorder: { what, pid } }) => `${what} (PID ${pid})`).join(', ');
}

const NO_RECORDER: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'cannot deliver the note',
  why: 'no ioheat live or record of this user is running',
  remedy: 'start one, for example ioheat record io.ioheat',
};

function noAnswer(silent: readonly SentNote[]): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: 'cannot deliver the note',
    why: `no answer from ${names(silent)} in time`,
    remedy: 'check whether it is suspended, and try again',
  };
}
