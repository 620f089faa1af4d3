/** A property of a process or disk: its value, or in a few words why there is none. */
export type Fact = { readonly known: string } | { readonly lacks: string };

/** Facts by their label, in the order of the screen. Raw text: sanitised where it meets the terminal. */
export type CardFacts = Readonly<Record<string, Fact>>;

/** Everything about one process or disk that fits a dialog. */
export interface Card {
  readonly title: string;
  readonly facts: CardFacts;
}

/** Reads cards from the traced machine at the moment of the call. */
export interface CardReader {
  /**
   * `comm` is the name at the time of its I/O: another process may have the number by now. Undefined for a process that
   * has ended.
   */
  process(tgid: number, comm: string): CardFacts | undefined;
  disk(dev: number): CardFacts;
  /** The file system with this device number. */
  fileSystem(dev: number): Fact;
}

export function known(text: string): Fact {
  return { known: text };
}

export function lacking(why: string): Fact {
  return { lacks: why };
}
