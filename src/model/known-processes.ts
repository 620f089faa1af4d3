/** The facts about a process that its I/O does not have. Raw text: sanitised where it is shown. */
export interface ProcessFacts {
  /** Command line, or the title that the process wrote over it; `[name]` of a kernel thread. */
  readonly command?: string;
  /** Login name. */
  readonly user?: string;
  /** Effective user ID. */
  readonly uid?: number;
}

/** Knows facts about processes: from `/proc` when live, from the recording in a replay. */
export interface KnownProcesses {
  /** `comm` is the name at the time of its I/O. Undefined when the process ended before it was read. */
  facts(tgid: number, comm: string): ProcessFacts | undefined;
  /** Changes whenever more becomes known. */
  readonly version: number;
}

/** The login name, or the number of a user without one. */
export function userText(facts: ProcessFacts | undefined): string | undefined {
  return facts?.user ?? facts?.uid?.toString();
}

/** A key for a process in maps: a number alone may be reused by another process. */
export function processKey(tgid: number, comm: string): string {
  return `${tgid} ${comm}`;
}

/** Facts by process, as they become known. */
export class ProcessBook implements KnownProcesses {
  version = 0;
  private readonly known = new Map<string, ProcessFacts>();

  constructor(private readonly capacity: number) {}

  facts(tgid: number, comm: string): ProcessFacts | undefined {
    return this.known.get(processKey(tgid, comm));
  }

  add(tgid: number, comm: string, facts: ProcessFacts): void {
    const key = processKey(tgid, comm);
    if (this.known.size >= this.capacity && !this.known.has(key)) return;
    this.known.set(key, facts);
    this.version++;
  }
}
