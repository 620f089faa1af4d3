import type { TraceProblem } from '../../trace-reader.ts';

/** Further kinds are counted together. */
const MOST_KINDS = 32;
const MORE = 'there are more kinds of damage than are listed';

/** Unreadable parts, counted by kind, with the first position of each. */
export class ProblemList {
  private readonly found = new Map<string, { what: string; where: string; count: number }>();

  /** `count`: number of the things that the sentence is about. */
  add(what: string, at: number, count = 1): void {
    const kind = this.found.size < MOST_KINDS || this.found.has(what) ? what : MORE;
    const known = this.found.get(kind);
    if (known === undefined) this.found.set(kind, { what: kind, where: `byte ${at}`, count });
    else known.count += count;
  }

  all(): readonly TraceProblem[] {
    return [...this.found.values()];
  }
}
