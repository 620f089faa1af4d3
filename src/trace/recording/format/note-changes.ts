import type { KnownNotes, Note } from '../../../model/notes.ts';
import type { Stretch } from '../../trace-reader.ts';

/**
 * Determines which notes a recording still lacks. A recording has the notes of its recorded time, and, because notes
 * may be added or changed later, all changes.
 */
export class NoteChanges {
  private readonly written: Map<number, string>;
  private version: number | undefined;

  constructor(
    private readonly notes: KnownNotes | undefined,
    /** The recorded time. If absent, it is unknown, and the recording has all notes. */
    recorded: (() => Stretch) | undefined,
  ) {
    const startNs = recorded?.().startNs ?? -Infinity;
    const earlier = notes?.all().filter(({ atNs }) => atNs < startNs) ?? [];
    this.written = new Map(earlier.map(({ atNs, text }) => [atNs, text]));
  }

  /** Whether some wait to be written. */
  get isDue(): boolean {
    return this.notes !== undefined && this.notes.version !== this.version && this.due().length > 0;
  }

  take(): readonly Note[] {
    const found = this.due();
    this.version = this.notes?.version;
    for (const { atNs, text } of found) this.written.set(atNs, text);
    return found;
  }

  private due(): readonly Note[] {
    const { notes, written, version } = this;
    if (notes === undefined || notes.version === version) return [];
    return notes.all().filter(({ atNs, text }) => text !== (written.get(atNs) ?? ''));
  }
}
