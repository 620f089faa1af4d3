import { join } from 'node:path';
import { ownerIsKnown } from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { processKey } from '../../model/known-processes.ts';
import type { KnownProcesses, ProcessFacts } from '../../model/known-processes.ts';
import { isInitialNamespace } from './pid-namespace.ts';
import { commandWords, effectiveUid, isZombie, userNames } from './process-command.ts';
import { isNameOf, readName } from './process-name.ts';
import { readText } from './read-text.ts';

/**
 * Processes to read per turn: one takes 0.2 ms and more, and a storm of short ones must not stop the reading of I/O.
 */
const MOST_PER_TURN = 32;
/**
 * Processes whose facts are kept, about 400 bytes each. If there are more, those that were neither new nor requested
 * for the longest time are forgotten.
 */
const MOST_KNOWN = 1 << 14;
const MOST_CHARACTERS = 512;
/** Titles change: those of processes on the screen are read again after this time. */
const REFRESH_MS = 1_000;
const USERS_MS = 60_000;

type Thread = Pick<Identity, 'tgid' | 'tid' | 'comm'>;

interface Entry extends Thread {
  readonly facts: ProcessFacts;
  /** In clock ticks since boot: distinguishes processes with the same number. */
  readonly startTime: string;
  readAtMs: number;
  isAsked: boolean;
}

export interface ProcessesOptions {
  readonly nowMs: () => number;
  readonly proc?: string;
  readonly passwd?: string;
  readonly most?: number;
}

/**
 * Reads the facts about a process from `/proc` soon after its first I/O, because short-lived ones are gone when
 * somebody asks. If the number belongs to another process by then, nothing is read: number and name must both agree.
 */
export class MachineProcesses implements KnownProcesses {
  version = 0;
  /** In the order in which they were last read. */
  private readonly entries = new Map<string, Entry>();
  private looked = 0;
  private refreshedMs = -Infinity;
  private users: ReadonlyMap<number, string> = new Map();
  private usersReadMs = -Infinity;
  private readonly proc: string;
  private readonly passwd: string;
  private readonly nowMs: () => number;
  private readonly most: number;
  /** Process IDs of the kernel mean nothing in another PID namespace. */
  private readonly isReadable: boolean;

  constructor(
    private readonly identities: IdentityTable,
    { nowMs, proc = '/proc', passwd = '/etc/passwd', most = MOST_KNOWN }: ProcessesOptions,
  ) {
    this.proc = proc;
    this.passwd = passwd;
    this.nowMs = nowMs;
    this.most = most;
    this.isReadable = isInitialNamespace(proc);
  }

  facts(tgid: number, comm: string): ProcessFacts | undefined {
    const entry = this.entries.get(processKey(tgid, comm));
    if (entry === undefined) return undefined;
    entry.isAsked = true;
    return entry.facts;
  }

  /** Call it after I/O was read. Reads the processes of identities that are new, and titles again. */
  look(): void {
    if (!this.isReadable) return;
    let budget = MOST_PER_TURN;
    while (budget > 0 && this.looked < this.identities.size) {
      const identity = this.identities.get(this.looked++);
      if (!this.isNew(identity)) continue;
      budget--;
      this.read(identity);
    }
    this.refresh(budget);
  }

  private isNew(identity: Identity): boolean {
    const { tgid, comm } = identity;
    if (!ownerIsKnown(identity) || tgid === 0) return false;
    return !this.entries.has(processKey(tgid, comm));
  }

  private refresh(budget: number): void {
    const nowMs = this.nowMs();
    if (nowMs - this.refreshedMs < REFRESH_MS) return;
    this.refreshedMs = nowMs;
    const asked = [...this.entries.values()].filter(({ isAsked }) => isAsked);
    const oldest = asked.toSorted((a, b) => a.readAtMs - b.readAtMs).slice(0, Math.max(0, budget));
    for (const entry of oldest) {
      entry.isAsked = false;
      entry.readAtMs = nowMs;
      this.read(entry, entry.startTime);
    }
  }

  /**
   * Reads a process; `since` is its start time if it is read again. If another process of the same program has its number
   * by then, what is known is that of the running one: its I/O has the same number and name.
   */
  private read({ tgid, tid, comm }: Thread, since?: string): void {
    const folder = join(this.proc, String(tgid));
    const startTime = startTimeOf(folder);
    if (startTime === undefined) return;
    const facts = this.factsOf(folder, comm);
    // Checked last, so that a program that was executed meanwhile is noticed.
    if (facts === undefined || !this.isNamed(folder, tid, comm)) return;
    const readAtMs = this.nowMs();
    const entry = { facts, startTime, tgid, tid, comm, readAtMs, isAsked: false };
    this.keep(processKey(tgid, comm), entry);
    if (since !== startTime) this.version++;
  }

  private keep(key: string, entry: Entry): void {
    this.entries.delete(key);
    const [oldest] = this.entries.keys();
    if (this.entries.size >= this.most) this.entries.delete(oldest!);
    this.entries.set(key, entry);
  }

  private factsOf(folder: string, comm: string): ProcessFacts | undefined {
    const status = readText(join(folder, 'status'), 4096);
    const cmdline = readText(join(folder, 'cmdline'), MOST_CHARACTERS);
    if ('lacks' in status || isZombie(status.text)) return undefined;
    const uid = effectiveUid(status.text);
    const user = uid === undefined ? undefined : this.userOf(uid);
    const command = 'lacks' in cmdline ? undefined : commandWords(cmdline.text).join(' ');
    return {
      ...(command !== undefined && { command: command === '' ? `[${comm}]` : command }),
      ...(user !== undefined && { user }),
      ...(uid !== undefined && { uid }),
    };
  }

  private userOf(uid: number): string | undefined {
    const nowMs = this.nowMs();
    if (!this.users.has(uid) && nowMs - this.usersReadMs >= USERS_MS) {
      this.usersReadMs = nowMs;
      this.users = userNames(readText(this.passwd));
    }
    return this.users.get(uid);
  }

  /** Whether the thread, or the process if that has ended, still has the name that was with its I/O. */
  private isNamed(folder: string, tid: number, comm: string): boolean {
    return [join(folder, 'task', String(tid), 'comm'), join(folder, 'comm')].some((path) => {
      const name = readName(path);
      return name !== undefined && isNameOf(name, comm);
    });
  }
}

/** Field 22 of `/proc/PID/stat`; the name before it may hold blanks and parentheses. */
function startTimeOf(folder: string): string | undefined {
  const stat = readText(join(folder, 'stat'), 4096);
  if ('lacks' in stat) return undefined;
  return stat.text.slice(stat.text.lastIndexOf(')') + 2).split(' ')[19];
}
