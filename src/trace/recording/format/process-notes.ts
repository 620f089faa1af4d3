import { ownerIsKnown } from '../../../model/identity.ts';
import type { Identity } from '../../../model/identity.ts';
import { processKey } from '../../../model/known-processes.ts';
import type { KnownProcesses } from '../../../model/known-processes.ts';
import type { KnownProcess } from './batch-notes.ts';

/**
 * Determines which facts about processes a recording still lacks: those of each process of an epoch are written once,
 * with the batch after they became known.
 */
export class ProcessNotes {
  private readonly written = new Set<string>();
  private readonly waiting = new Map<string, Pick<Identity, 'tgid' | 'comm'>>();
  private version = -1;

  constructor(private readonly processes: KnownProcesses | undefined) {}

  startEpoch(): void {
    this.written.clear();
    this.waiting.clear();
  }

  /** The facts to write. `keys` are the identities that are new in a batch. */
  take(keys: readonly Identity[]): KnownProcess[] {
    const { processes, waiting, written } = this;
    if (processes === undefined) return [];
    for (const key of keys) {
      const name = processKey(key.tgid, key.comm);
      if (ownerIsKnown(key) && !written.has(name)) waiting.set(name, key);
    }
    if (keys.length === 0 && processes.version === this.version) return [];
    this.version = processes.version;
    const found: KnownProcess[] = [];
    for (const [name, { tgid, comm }] of waiting) {
      const facts = processes.facts(tgid, comm);
      if (facts === undefined) continue;
      waiting.delete(name);
      written.add(name);
      found.push({ tgid, comm, ...facts });
    }
    return found;
  }
}
