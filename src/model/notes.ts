/** A short text that a person put at a time. Raw: sanitised where it is shown. */
export interface Note {
  /** Trace time in whole ns, which identifies it. */
  readonly atNs: number;
  /** Empty if the note was removed. */
  readonly text: string;
}

/** Maximum number of characters of a note. */
export const MAX_NOTE_TEXT = 200;
/** Maximum number of notes of a trace. */
export const MAX_NOTES = 1000;

export interface KnownNotes {
  /** In order of time. */
  list(): readonly Note[];
  /** Includes notes that were removed; in any order. */
  all(): readonly Note[];
  /** Changes whenever a note does. */
  readonly version: number;
}

/** Notes that can be changed, over those of the trace that is shown. */
export class NoteBook implements KnownNotes {
  private readonly own = new Map<number, string>();
  private changes = 0;
  private listed: { readonly version: number; readonly notes: readonly Note[] } | undefined;

  constructor(private readonly below?: KnownNotes) {}

  get version(): number {
    return this.changes + (this.below?.version ?? 0);
  }

  list(): readonly Note[] {
    const { version } = this;
    if (this.listed?.version !== version)
      this.listed = { version, notes: presentNotes(this.all()) };
    return this.listed.notes;
  }

  all(): readonly Note[] {
    const notes = new Map(this.below?.all().map(({ atNs, text }) => [atNs, text]));
    for (const [atNs, text] of this.own) notes.set(atNs, text);
    return [...notes].map(([atNs, text]) => ({ atNs, text }));
  }

  /** The notes from one time to another, in order of time. */
  within(fromNs: number, untilNs: number): readonly Note[] {
    return this.list().filter(({ atNs }) => atNs >= fromNs && atNs < untilNs);
  }

  /**
   * Adds a note. If there is one at that time already, the new one is moved by nanoseconds. False if there are too
   * many.
   */
  add(atNs: number, text: string): boolean {
    const taken = new Set(this.all().map((note) => note.atNs));
    let free = Math.floor(atNs);
    while (taken.has(free)) free++;
    return this.put(free, text);
  }

  /** Sets, changes or, with an empty text, removes the note of a time; false if there are too many. */
  put(atNs: number, text: string): boolean {
    if (this.own.size >= MAX_NOTES && !this.own.has(atNs)) return false;
    this.own.set(atNs, text.slice(0, MAX_NOTE_TEXT));
    this.changes++;
    return true;
  }
}

/** In order of time, without those that were removed. */
export function presentNotes(notes: readonly Note[]): readonly Note[] {
  return notes.filter(({ text }) => text !== '').sort((a, b) => a.atNs - b.atNs);
}

export const NO_NOTES: KnownNotes = { list: () => [], all: () => [], version: 0 };
