import type { TraceProblem } from '../trace-reader.ts';

/** A longer quote does not help to find the line. */
const QUOTE_CHARACTERS = 200;

/** Unreadable lines, counted by kind, with the position and text of the first. */
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
