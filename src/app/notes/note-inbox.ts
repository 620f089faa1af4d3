import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../base/system-error.ts';
import { makeNoteFolder } from './note-folder.ts';
import type { NoteFolder } from './note-folder.ts';
import { noteText } from './note-text.ts';
import { DRAFT, NOTE, RECORDER, thisRecorder } from './waiting-recorder.ts';

/** A note that `ioheat note` has brought. */
export interface BroughtNote {
  readonly text: string;
  /** How long ago it was written, in ms. */
  readonly ageMs: number;
}

/** Time between two looks: short enough for a person who waits for the answer. */
const LOOK_EVERY_MS = 200;
/**
 * How often the folder is listed after its time has changed, instead of one system call per look. The second list has
 * what came in the same moment as the first: the kernel counts this time in steps of up to 10 ms.
 */
const LISTS_PER_CHANGE = 2;
/** Notes per look: more would be a mistake, and would delay tracing. */
const MOST_AT_ONCE = 100;
const MOST_BYTES = 4096;
/** Maximum age of a note: an older one waited for a recorder that was stopped, and its time is not known better. */
const MOST_AGE_MS = 10_000;

/**
 * The recorder's end of the way of a note. Notes are files in a folder of the user; each is removed when it is taken.
 * Opened after privileges are dropped. Whatever is wrong with the folder, tracing continues.
 */
export class NoteInbox {
  private lookedMs = -Infinity;
  /** When a name in the folder last changed, as far as known. */
  private changedMs: number | undefined;
  private listsLeft = 0;

  private constructor(private readonly folder: NoteFolder) {}

  /** Opens the inbox; `what` describes this recorder. Undefined if no folder is safe. */
  static open(
    what: string,
    env: Readonly<Record<string, string | undefined>> = process.env,
  ): NoteInbox | undefined {
    const folder = makeNoteFolder(env);
    if (folder === undefined) return undefined;
    const inbox = new NoteInbox(folder);
    return inbox.announce(what) ? inbox : undefined;
  }

  /** The notes since the last call; looks five times a second at most. */
  take(nowMs = performance.now()): readonly BroughtNote[] {
    if (nowMs - this.lookedMs < LOOK_EVERY_MS) return [];
    this.lookedMs = nowMs;
    if (!this.mayHaveNotes()) return [];
    return this.waiting()
      .slice(0, MOST_AT_ONCE)
      .flatMap((name) => this.takeOne(name) ?? []);
  }

  /** Stops taking notes. */
  close(): void {
    const own = `${process.pid}${RECORDER}`;
    for (const name of [own, `${own}${DRAFT}`, ...this.waiting()])
      attempt(() => {
        unlinkSync(join(this.folder.path, name));
      });
  }

  /** Notes for an earlier process with the same PID are not for this one. */
  private announce(what: string): boolean {
    const own = join(this.folder.path, `${process.pid}${RECORDER}`);
    this.close();
    const isWritten = attempt(() => {
      const text = JSON.stringify(thisRecorder(what));
      writeFileSync(`${own}${DRAFT}`, text, { mode: 0o600, flag: 'wx' });
      renameSync(`${own}${DRAFT}`, own);
      return true;
    });
    return isWritten ?? false;
  }

  private mayHaveNotes(): boolean {
    const changedMs = attempt(() => statSync(this.folder.path).mtimeMs);
    if (changedMs === undefined || changedMs !== this.changedMs) this.listsLeft = LISTS_PER_CHANGE;
    this.changedMs = changedMs;
    return this.listsLeft-- > 0;
  }

  private waiting(): readonly string[] {
    const names = attempt(() => readdirSync(this.folder.path)) ?? [];
    const own = `${process.pid}-`;
    return names.filter((name) => name.startsWith(own) && name.endsWith(NOTE)).sort();
  }

  private takeOne(name: string): BroughtNote | undefined {
    const path = join(this.folder.path, name);
    const note = attempt(() => readNote(path));
    // Removed in any case: the sender waits for its removal, and it must not be read again.
    attempt(() => {
      unlinkSync(path);
    });
    return note;
  }
}

/** Reads a note; undefined if the file is not a note. */
function readNote(path: string): BroughtNote | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(MOST_BYTES);
    const text = noteText(bytes.toString('utf8', 0, readSync(fd, bytes, 0, MOST_BYTES, 0)));
    const ageMs = Math.min(MOST_AGE_MS, Math.max(0, Date.now() - stat.mtimeMs));
    return text === '' ? undefined : { text, ageMs };
  } finally {
    closeSync(fd);
  }
}

/** Undefined if the system refuses: notes are not worth ending the recording. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return undefined;
  }
}
