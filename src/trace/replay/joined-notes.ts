import type { KnownNotes, Note } from '../../model/notes.ts';
import { presentNotes } from '../../model/notes.ts';
import type { TraceReader } from '../trace-reader.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'notes'>;
  /** Is added to the times of the trace. */
  readonly offsetNs: number;
}

/** The notes of several traces, on one time axis; undefined if a trace has no notes. */
export function joinedNotes(traces: readonly Placed[]): KnownNotes | undefined {
  if (traces.every(({ reader }) => reader.notes === undefined)) return undefined;
  const all = (): readonly Note[] => {
    // A later file of a series may change notes of an earlier one.
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
