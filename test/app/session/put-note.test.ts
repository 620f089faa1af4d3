import { describe, expect, it } from 'vitest';
import { putNote } from '../../../src/app/session/put-note.ts';
import { NoteBook } from '../../../src/model/notes.ts';
import { lineOf } from '../../../src/view/line-editor.ts';

const BASE = { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n };

function typed(notes: NoteBook, text: string) {
  const prompt = { line: lineOf(text), problem: undefined };
  return putNote(notes, { prompt, noteAtNs: 5e9 }, BASE);
}

describe('the typed note', () => {
  it('the typed note is kept, changed, and removed when its text is', () => {
    const notes = new NoteBook();
    const done = (what: string): unknown => ({
      type: 'promptDone',
      notice: expect.stringMatching(new RegExp(`^note at \\d\\d:\\d\\d:25 ${what}`)) as string,
    });
    expect(typed(notes, ' deploy ')).toEqual(done('kept; A goes to it'));
    expect(notes.list()).toEqual([{ atNs: 5e9, text: 'deploy' }]);
    expect(typed(notes, 'rollback')).toEqual(done('changed'));
    expect(typed(notes, 'rollback')).toMatchObject({ notice: 'unchanged' });
    expect(typed(notes, '')).toEqual(done('removed'));
    expect(typed(notes, ' ')).toMatchObject({ notice: 'no note' });
    expect(notes.list()).toEqual([]);
  });

  it('that is too long stays in the prompt', () => {
    const notes = new NoteBook();
    expect(typed(notes, 'x'.repeat(201))).toEqual({
      type: 'promptFailed',
      message: 'a note has at most 200 characters',
    });
    expect(notes.list()).toEqual([]);
  });
});
