import { OP_MASK } from './operation.ts';

/**
 * Everything about an I/O that repeats: which device, who, what kind, with what result. Events carry
 * the index of their key, so a filter over these fields is evaluated once per key, not per event.
 */
export interface CompletionKey {
  readonly dev: number;
  /** Raw `rq->cmd_flags` as seen at submission: operation in the low 8 bits, flags above. */
  readonly cmdFlags: number;
  readonly tgid: number;
  readonly tid: number;
  /** Raw bytes as text; sanitised where it meets the terminal. */
  readonly comm: string;
  readonly cgroup: number;
  /** 0 for success; negative errno, or positive `blk_status_t` as the kernel gave it. */
  readonly error: number;
  /** Bits of `KeyMark`. */
  readonly marks: number;
}

export const KeyMark = {
  /** The owner is not known: the request was never seen at submission. */
  ownerUnknown: 1,
  /** Submitted by a kernel thread on behalf of somebody else (writeback, dm, flush machinery). */
  indirect: 2,
  /**
   * Not a single I/O: completions that were only counted, in the kernel while the ring was full, or in
   * a recording of sums.
   */
  noDetail: 4,
  /** Everything beyond the table's capacity. */
  other: 8,
  /** The log does not tell the process: its tgid is that of the thread, or 0. */
  processUnknown: 16,
  /** The log does not tell the flags: those that are set are known, others may have been. */
  flagsUnknown: 32,
  /** The log does not tell whether it failed. */
  errorUnknown: 64,
  /** The log does not tell the size, which is 0 therefore. */
  sizeUnknown: 128,
} as const;

/** More keys than this share one key per device named "other", and `overflowed` counts them. */
export const KEY_CAPACITY = 1 << 16;

export const OTHER_COMM = '(other)';

/** Interns keys; indices are dense from 0 and never reused while the table lives. */
export class KeyTable {
  private readonly indices = new Map<string, number>();
  private readonly keys: CompletionKey[] = [];
  /** How often a new key was folded into "other" because the table was full. */
  overflowed = 0;

  constructor(private readonly capacity = KEY_CAPACITY) {}

  get size(): number {
    return this.keys.length;
  }

  get(index: number): CompletionKey {
    const key = this.keys[index];
    if (key === undefined) throw new RangeError(`no key ${index} among ${this.keys.length}`);
    return key;
  }

  intern(key: CompletionKey): number {
    const id = identity(key);
    const known = this.indices.get(id);
    if (known !== undefined) return known;
    if (this.keys.length >= this.capacity && (key.marks & KeyMark.other) === 0) {
      this.overflowed++;
      return this.intern(otherKey(key));
    }
    const index = this.keys.length;
    this.keys.push(key);
    this.indices.set(id, index);
    return index;
  }
}

function identity(key: CompletionKey): string {
  return `${key.dev} ${key.cmdFlags} ${key.tgid} ${key.tid} ${key.cgroup} ${key.error} ${key.marks} ${key.comm}`;
}

/**
 * The key that stands for others of its kind. Device, operation, success and whether it counts single
 * I/Os survive the fold, so totals per disk stay right.
 */
export function otherKey(key: CompletionKey): CompletionKey {
  return {
    dev: key.dev,
    cmdFlags: key.cmdFlags & OP_MASK,
    tgid: 0,
    tid: 0,
    comm: OTHER_COMM,
    cgroup: 0,
    error: key.error,
    marks: KeyMark.other | KeyMark.ownerUnknown | (key.marks & KeyMark.noDetail),
  };
}

/** The key under which I/O counts that is known only in sum: threads, flags and results come together. */
export function sumKey(key: CompletionKey): CompletionKey {
  const { cmdFlags, tgid, marks } = key;
  return {
    ...key,
    cmdFlags: cmdFlags & OP_MASK,
    tid: tgid,
    error: 0,
    marks: marks | KeyMark.noDetail,
  };
}

/** Absent in the I/O of nobody known, and on kernels without cgroups. */
export function cgroupOf({ cgroup }: CompletionKey): number | undefined {
  return cgroup > 0 ? cgroup : undefined;
}

/** Without an owner the tgid field is 0 by default, which is no process id to match. */
export function ownerIsKnown(key: CompletionKey): boolean {
  return (key.marks & (KeyMark.ownerUnknown | KeyMark.other)) === 0;
}
