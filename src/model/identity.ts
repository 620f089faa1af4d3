import { DEFAULT_LAYER, layerOf } from './layer.ts';
import type { Layer } from './layer.ts';
import { isUnknownOp } from './operation.ts';

/**
 * The properties of an I/O that repeat: device, owner, operation, result. Rows store the index of their identity, so
 * a filter on these fields is evaluated once per identity, not per I/O.
 */
export interface Identity {
  readonly dev: number;
  /** Raw `rq->cmd_flags` as seen at submission: operation in the low 8 bits, flags above. */
  readonly cmdFlags: number;
  readonly tgid: number;
  readonly tid: number;
  /** Raw bytes as text; sanitised when it is shown. */
  readonly comm: string;
  readonly cgroup: number;
  /** 0 for success; negative errno, or positive `blk_status_t` as the kernel gave it. */
  readonly error: number;
  /** Bits of `IdentityMark`. */
  readonly marks: number;
  /**
   * Raw name of the kernel thread that submitted I/O that the owner caused by writing to the page cache. Undefined if
   * the owner submitted it, or if the writer is not known.
   */
  readonly via?: string | undefined;
  /** Undefined for the layer `disks`. */
  readonly layer?: Layer | undefined;
}

export const IdentityMark = {
  /** The owner is unknown: the submission of the request was not seen. */
  ownerUnknown: 1,
  /** Submitted by a kernel thread on behalf of another process (writeback, dm, flush machinery). */
  indirect: 2,
  /**
   * Not a single I/O: completions that were only counted, by the kernel programs or in a recording made with
   * `--summary`.
   */
  noDetail: 4,
  /**
   * I/O of further identities, for which there was no room: of one command if `comm` names it, otherwise of any
   * process.
   */
  other: 8,
  /** The log lacks the process: its tgid is that of the thread, or 0. */
  processUnknown: 16,
  /** The log lacks some flags: those that are set are certain, others may have been set. */
  flagsUnknown: 32,
  /** The log lacks the result. */
  errorUnknown: 64,
  /** The log lacks the size, which is therefore 0. */
  sizeUnknown: 128,
  /**
   * The owner is the last of several processes that wrote to the file since it was written back, or one of several that filled
   * a part of the journal, drawn by how many blocks each changed.
   */
  severalWriters: 256,
  /** It has not completed, so its result is not known yet. */
  inFlight: 512,
} as const;

export const OTHER_COMM = '(other)';

/** Whether it stands for several processes, for which there was no room. */
export function isFolded({ marks }: Identity): boolean {
  return (marks & IdentityMark.other) !== 0;
}

/** The thread; undefined when the owner is unknown, and for aggregates, which are of all threads. */
export function tidOf({ tid, marks }: Identity): number | undefined {
  return (marks & (IdentityMark.ownerUnknown | IdentityMark.noDetail)) === 0 ? tid : undefined;
}

/** The cgroup; undefined when the owner is unknown, and on kernels without cgroups. */
export function cgroupOf({ cgroup }: Identity): number | undefined {
  return cgroup > 0 ? cgroup : undefined;
}

/** The kernel thread that submitted the I/O, whether or not the owner is known; undefined if a process submitted it. */
export function submitterOf({ marks, via, comm }: Identity): string | undefined {
  return via ?? ((marks & IdentityMark.indirect) === 0 ? undefined : comm);
}

/** The kind of a thread: `kworker` of `kworker/u8:2+flush`. */
export function threadKind(name: string): string {
  return name.split('/', 1)[0]!;
}

/**
 * Whether a log lacks the operation. Kernel programs count the rare ones together, under the same number; aggregates of a
 * log lack the result as well, as all logs without operations do.
 */
export function operationIsUnknown(identity: Identity): boolean {
  const { cmdFlags, marks } = identity;
  const isCounted =
    (marks & (IdentityMark.noDetail | IdentityMark.errorUnknown)) === IdentityMark.noDetail;
  return isUnknownOp(cmdFlags) && !isCounted && layerOf(identity) === DEFAULT_LAYER;
}

/** Whether the name and cgroup of the owner are known, of which the process may not be. */
export function commandIsKnown(identity: Identity): boolean {
  return ownerIsKnown(identity) || (isFolded(identity) && identity.comm !== OTHER_COMM);
}

/** Whether the owner is known. If not, tgid is 0, which is not a process ID. */
export function ownerIsKnown(identity: Identity): boolean {
  return (identity.marks & (IdentityMark.ownerUnknown | IdentityMark.other)) === 0;
}
