/** A word or a key with its meaning. */
export interface HelpEntry {
  readonly term: string;
  readonly text: string;
}

export interface HelpSection {
  readonly title: string;
  readonly entries: readonly HelpEntry[];
}
