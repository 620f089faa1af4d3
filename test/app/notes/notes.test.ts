import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoteInbox } from '../../../src/app/notes/note-inbox.ts';
import type { BroughtNote } from '../../../src/app/notes/note-inbox.ts';
import { noteText } from '../../../src/app/notes/note-text.ts';
import { sendNote } from '../../../src/app/notes/send-note.ts';
import { thisRecorder } from '../../../src/app/notes/waiting-recorder.ts';

let home: string;
let env: Record<string, string>;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ioheat-note-'));
  // What else there may be of this user must not be found.
  vi.stubEnv('HOME', home);
  env = { XDG_RUNTIME_DIR: home };
  folder = join(home, 'ioheat/notes');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

function opened(what = 'record io.ioheat'): NoteInbox {
  const inbox = NoteInbox.open(what, env);
  if (inbox === undefined) throw new Error('no folder');
  return inbox;
}

/** Looks until the note has come. */
async function received(inbox: NoteInbox): Promise<readonly BroughtNote[]> {
  return vi.waitUntil(() => {
    const notes = inbox.take(Infinity);
    return notes.length > 0 && notes;
  });
}

describe('a note from another process', () => {
  it('a note from another process reaches the recorder, and the answer says which', async () => {
    const inbox = opened();
    const sent = sendNote('deploy 4.2', env);
    const [note] = await received(inbox);
    expect(note?.text).toBe('deploy 4.2');
    expect(note?.ageMs).toBeLessThan(10_000);
    expect(await sent).toEqual({
      ok: true,
      value: `note taken by record io.ioheat (PID ${process.pid})`,
    });
    expect(inbox.take(Infinity)).toEqual([]);
    inbox.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a note comes whose name appears in the moment in which the recorder lists the folder', () => {
    const inbox = opened();
    const brought = (name: string): void => {
      writeFileSync(join(folder, `${process.pid}-${name}.note`), name);
    };
    brought('first');
    const { mtime } = statSync(folder);
    expect(inbox.take(Infinity).map(({ text }) => text)).toEqual(['first']);
    brought('second');
    utimesSync(folder, mtime, mtime);
    expect(inbox.take(Infinity).map(({ text }) => text)).toEqual(['second']);
    inbox.close();
  });

  it('a note from another process has nobody to take it where no recorder runs', async () => {
    const nobody = { ok: false, error: { exitCode: 1, what: 'cannot deliver the note' } };
    expect(await sendNote('deploy', env)).toMatchObject(nobody);
    opened().close();
    expect(await sendNote('deploy', env)).toMatchObject(nobody);
  });

  it('a note from another process is taken back from a recorder that does not answer', async () => {
    opened('live');
    const sent = await sendNote('deploy', env, 30);
    const why = `no answer from live (PID ${process.pid}) in time`;
    expect(sent).toMatchObject({ ok: false, error: { what: 'cannot deliver the note', why } });
    expect(readdirSync(folder)).toEqual([`${process.pid}.recorder`]);
  });

  it('a note from another process does not wait for a recorder that was killed, and its file is removed', async () => {
    opened();
    const gone = join(folder, '1.recorder');
    const stale = { ...thisRecorder('record old.ioheat'), pid: 1, started: '12345678901' };
    writeFileSync(gone, JSON.stringify(stale));
    writeFileSync(join(folder, 'x.recorder'), 'no recorder');
    const sent = await sendNote('deploy', env, 30);
    expect(sent).toMatchObject({ error: { why: expect.not.stringContaining('old') as string } });
    expect(existsSync(gone)).toBe(false);
  });
});

describe('the folder of notes', () => {
  const lies = (): boolean => existsSync(folder);

  it('the folder of notes is closed to other users', () => {
    opened();
    const { stdout } = spawnSync('stat', ['-c', '%a', join(home, 'ioheat'), folder]);
    expect(stdout.toString()).toBe('700\n700\n');
  });

  it('the folder of notes is not made where other users can write', () => {
    chmodSync(home, 0o777);
    expect(NoteInbox.open('live', env)).toBeUndefined();
    expect(lies()).toBe(false);
  });

  it('the folder of notes is not used where other users can read it, or where it is a link', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o755);
    expect(NoteInbox.open('live', env)).toBeDefined();
    expect(readdirSync(folder)).toEqual([]);
    rmSync(join(home, 'ioheat'), { recursive: true });
    mkdirSync(join(home, 'elsewhere/notes'), { recursive: true, mode: 0o700 });
    symlinkSync(join(home, 'elsewhere'), join(home, 'ioheat'));
    opened().close();
    expect(readdirSync(join(home, 'elsewhere/notes'))).toEqual([]);
    expect(await sendNote('deploy', env, 30)).toMatchObject({ ok: false });
  });

  it('the folder of notes of the home directory is used without a runtime directory', async () => {
    const inbox = NoteInbox.open('live', {});
    expect(inbox).toBeDefined();
    const sent = sendNote('deploy', {});
    expect(await received(inbox!)).toMatchObject([{ text: 'deploy' }]);
    expect((await sent).ok).toBe(true);
    inbox!.close();
  });
});

describe('files in the folder that no ioheat wrote', () => {
  const put = (name: string, text: string | Buffer): void => {
    writeFileSync(join(folder, `${process.pid}-${name}.note`), text);
  };

  it('files in the folder that no ioheat wrote are cut to a line of limited length, without control characters', () => {
    const inbox = opened();
    put('1', 'two\nlines\x1b[2J\u202e here');
    put('2', 'x'.repeat(100_000));
    put('3', '\0\n');
    put('4', Buffer.from([0xff, 0x41]));
    const texts = inbox.take(Infinity).map(({ text }) => text);
    expect(texts).toEqual(['two lines [2J here', 'x'.repeat(200), '\ufffdA']);
    expect(readdirSync(folder)).toEqual([`${process.pid}.recorder`]);
  });

  it('links in the folder of notes are not followed, and neither FIFOs nor folders stop the recorder', () => {
    const inbox = opened();
    writeFileSync(join(home, 'secret'), 'of somebody else');
    symlinkSync(join(home, 'secret'), join(folder, `${process.pid}-1.note`));
    spawnSync('mkfifo', [join(folder, `${process.pid}-2.note`)]);
    mkdirSync(join(folder, `${process.pid}-3.note`));
    put('4', 'a note');
    expect(inbox.take(Infinity).map(({ text }) => text)).toEqual(['a note']);
    expect(existsSync(join(home, 'secret'))).toBe(true);
  });

  it('files in the folder that no ioheat wrote come a hundred at a time at most', () => {
    const inbox = opened();
    for (let i = 0; i < 150; i++) put(String(1000 + i), `note ${i}`);
    expect(inbox.take(Infinity)).toHaveLength(100);
    expect(inbox.take(Infinity)).toHaveLength(50);
  });

  it('files in the folder that no ioheat wrote are read five times a second at most', () => {
    const inbox = opened();
    put('1', 'first');
    expect(inbox.take(1000)).toHaveLength(1);
    put('2', 'second');
    expect(inbox.take(1199)).toEqual([]);
    expect(inbox.take(1200)).toHaveLength(1);
  });

  it('that waited for an earlier process with this PID are removed', () => {
    opened();
    put('1', 'for another');
    expect(opened().take(Infinity)).toEqual([]);
  });
});

it('a note is one line of text', () => {
  expect(noteText('  a\tb\r\nc  ')).toBe('a b c');
  expect(noteText('\x07')).toBe('');
});
