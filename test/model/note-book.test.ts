import { describe, expect, it } from 'vitest';
import { MAX_NOTE_TEXT, MAX_NOTES, NoteBook } from '../../src/model/notes.ts';

describe('notes', () => {
  it('notes are in order of time, changed and removed by their time', () => {
    const book = new NoteBook();
    for (const [atNs, text] of [
      [20, 'later'],
      [10, 'first'],
      [20, 'changed'],
      [30, 'gone'],
      [30, ''],
    ] as const)
      book.put(atNs, text);
    expect(book.list()).toEqual([
      { atNs: 10, text: 'first' },
      { atNs: 20, text: 'changed' },
    ]);
    expect(book.within(10, 20)).toEqual([{ atNs: 10, text: 'first' }]);
  });

  it('two at the same time are both kept', () => {
    const book = new NoteBook();
    expect([book.add(10.7, 'one'), book.add(10.2, 'two')]).toEqual([true, true]);
    expect(book.list()).toEqual([
      { atNs: 10, text: 'one' },
      { atNs: 11, text: 'two' },
    ]);
  });

  it('notes lie over those of the trace that is shown, and follow them as they become known', () => {
    const trace = new NoteBook();
    const book = new NoteBook(trace);
    trace.put(10, 'of the trace');
    const before = book.version;
    book.put(10, '');
    trace.put(20, 'read later');
    expect(book.version).toBeGreaterThan(before);
    expect(book.list()).toEqual([{ atNs: 20, text: 'read later' }]);
    expect(trace.list()).toHaveLength(2);
  });

  it('notes are limited in number and length', () => {
    const book = new NoteBook();
    for (let atNs = 0; atNs < MAX_NOTES; atNs++) book.put(atNs, 'x'.repeat(999));
    expect(book.put(MAX_NOTES, 'one more')).toBe(false);
    expect(book.put(5, 'changed')).toBe(true);
    expect(book.list()).toHaveLength(MAX_NOTES);
    expect(book.list()[0]!.text).toHaveLength(MAX_NOTE_TEXT);
  });
});
