import { describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { NoteBook } from '../../../src/model/notes.ts';
import type { SourceCounters } from '../../../src/trace/completion-summary.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { joinedNotes } from '../../../src/trace/replay/joined-notes.ts';
import { bytesOf, HEADER, pattern, readerOf, readRows } from './fixtures/record.ts';

const NONE_LOST: SourceCounters = { delivered: 0, summarised: 0, lost: 0, losses: {} };

/** A recording without I/O, and its notes as they are read back. */
function recording(notes: NoteBook, startNs = 0) {
  const { source } = pattern('mixed');
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities: source.info.identities, notes },
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    recorded: () => ({ startNs, endNs: startNs + 60e9 }),
  });
  const parts: Uint8Array[] = [encoder.begin()];
  return {
    encoder,
    flush: async () => parts.push(await bytesOf(encoder.flush(NONE_LOST))),
    read: () => {
      const reader = readerOf(Buffer.concat([...parts, END_OF_STREAM]));
      readRows(reader);
      return reader.notes;
    },
  };
}

describe('notes in a recording', () => {
  it('notes in a recording are read back as they were when it ended, also without any I/O', async () => {
    const notes = new NoteBook();
    const { flush, read, encoder } = recording(notes);
    notes.put(10e9, 'deploy 4.2 – done');
    notes.put(20e9, 'mistyped');
    expect(encoder.hasNotes).toBe(true);
    await flush();
    expect(encoder.hasNotes).toBe(false);
    notes.put(20e9, '');
    notes.put(10e9, 'deploy 4.3');
    await flush();
    await flush();
    expect(read().list()).toEqual([{ atNs: 10e9, text: 'deploy 4.3' }]);
  });

  it('notes in a recording are those of its time, and what is noted later about an earlier one', async () => {
    const notes = new NoteBook();
    notes.put(10e9, 'before it');
    notes.put(11e9, 'changed later');
    const { flush, read } = recording(notes, 60e9);
    await flush();
    expect(read().list()).toEqual([]);
    notes.put(70e9, 'in it');
    notes.put(11e9, 'now known');
    await flush();
    expect(read().list()).toEqual([
      { atNs: 11e9, text: 'now known' },
      { atNs: 70e9, text: 'in it' },
    ]);
  });

  it('notes in a recording of several files are on one time axis, and a later file removes one of an earlier', () => {
    const [first, second, other] = [new NoteBook(), new NoteBook(), new NoteBook()];
    first.put(10, 'kept');
    first.put(20, 'removed');
    second.put(20, '');
    other.put(5, 'of another host');
    const joined = joinedNotes([
      { reader: { notes: first }, offsetNs: 0 },
      { reader: { notes: second }, offsetNs: 0 },
      { reader: { notes: other }, offsetNs: 100 },
    ]);
    expect(joined?.list()).toEqual([
      { atNs: 10, text: 'kept' },
      { atNs: 105, text: 'of another host' },
    ]);
    expect(joinedNotes([{ reader: {}, offsetNs: 0 }])).toBeUndefined();
  });
});
