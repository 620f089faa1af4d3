import { OP_MASK } from './operation.ts';

/**
 * Everything about an I/O that repeats: which device, who, what kind, with what result. Events carry
 * the index of their identity, so a filter over these fields is evaluated once per identity, not per event.
 */
export interface Identity {
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
  /** Bits of `IdentityMark`. */
  readonly marks: number;
}

export const IdentityMark = {
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

/** More identities than this share one identity per device named "other", and `overflowed` counts them. */
export const IDENTITY_CAPACITY = 1 << 16;

export const OTHER_COMM = '(other)';

/** Interns identities; indices are dense from 0 and never reused while the table lives. */
export class IdentityTable {
  private readonly indices = new Map<string, number>();
  private readonly identities: Identity[] = [];
  /** How often a new identity was folded into "other" because the table was full. */
  overflowed = 0;

  constructor(private readonly capacity = IDENTITY_CAPACITY) {}

  get size(): number {
    return this.identities.length;
  }

  get(index: number): Identity {
    const identity = this.identities[index];
    if (identity === undefined)
      throw new RangeError(`no identity ${index} among ${this.identities.length}`);
    return identity;
  }

  intern(identity: Identity): number {
    const name = nameOf(identity);
    const known = this.indices.get(name);
    if (known !== undefined) return known;
    if (this.identities.length >= this.capacity && (identity.marks & IdentityMark.other) === 0) {
      this.overflowed++;
      return this.intern(otherIdentity(identity));
    }
    const index = this.identities.length;
    this.identities.push(identity);
    this.indices.set(name, index);
    return index;
  }
}

function nameOf(identity: Identity): string {
  return `${identity.dev} ${identity.cmdFlags} ${identity.tgid} ${identity.tid} ${identity.cgroup} ${identity.error} ${identity.marks} ${identity.comm}`;
}

/**
 * The identity that stands for others of its kind. Device, operation, success and whether it counts single
 * I/Os survive the fold, so totals per disk stay right.
 */
export function otherIdentity(identity: Identity): Identity {
  return {
    dev: identity.dev,
    cmdFlags: identity.cmdFlags & OP_MASK,
    tgid: 0,
    tid: 0,
    comm: OTHER_COMM,
    cgroup: 0,
    error: identity.error,
    marks:
      IdentityMark.other | IdentityMark.ownerUnknown | (identity.marks & IdentityMark.noDetail),
  };
}

/** The identity of aggregated I/O: threads, flags and results come together. */
export function aggregateIdentity(identity: Identity): Identity {
  const { cmdFlags, tgid, marks } = identity;
  return {
    ...identity,
    cmdFlags: cmdFlags & OP_MASK,
    tid: tgid,
    error: 0,
    marks: marks | IdentityMark.noDetail,
  };
}

/** Absent in the I/O of nobody known, and on kernels without cgroups. */
export function cgroupOf({ cgroup }: Identity): number | undefined {
  return cgroup > 0 ? cgroup : undefined;
}

/** Without an owner the tgid field is 0 by default, which is no process id to match. */
export function ownerIsKnown(identity: Identity): boolean {
  return (identity.marks & (IdentityMark.ownerUnknown | IdentityMark.other)) === 0;
}
