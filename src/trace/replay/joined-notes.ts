import type { KnownNotes, Note } from '../../model/notes.ts';
import { presentNotes } from '../../model/notes.ts';
import type { TraceReader } from '../trace-reader.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'notes'>;
  /** Added to the trace's times. */
  readonly offsetNs: number;
}

/** What people noted in several traces, on one time axis; undefined where a trace has no notes. */
export function joinedNotes(traces: readonly Placed[]): KnownNotes | undefined {
  if (traces.every(({ reader }) => reader.notes === undefined)) return undefined;
  const all = (): readonly Note[] => {
    // A later file of a series has changes of notes of an earlier one.
    const known = new Map<number, string>();
    for (const { reader, offsetNs } of traces)
      for (const { atNs, text } of reader.notes?.all() ?? []) known.set(atNs + offsetNs, text);
    return [...known].map(([atNs, text]) => ({ atNs, text }));
  };
  return {
    all,
    list: () => presentNotes(all()),
    get version() {
      return traces.reduce((sum, { reader }) => sum + (reader.notes?.version ?? 0), 0);
    },
  };
}
