import type { TraceProblem } from '../source/trace-reader.ts';

/** A longer quote helps nobody to find the line. */
const QUOTE_CHARACTERS = 200;

/** What could not be read, by kind: counted, with the place and the text of the first. */
export class ImportProblems {
  private readonly kinds = new Map<string, TraceProblem>();

  add(what: string, where: string, quote?: string, count = 1): void {
    const before = this.kinds.get(what);
    if (before !== undefined) {
      this.kinds.set(what, { ...before, count: before.count + count });
      return;
    }
    const quoted = quote === undefined ? {} : { quote: quote.slice(0, QUOTE_CHARACTERS) };
    this.kinds.set(what, { what, where, count, ...quoted });
  }

  all(): readonly TraceProblem[] {
    return [...this.kinds.values()];
  }
}
