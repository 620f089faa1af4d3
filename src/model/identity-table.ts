import { Candidates, SHARE_FOR_FREQUENT } from './candidates.ts';
import { FileTable } from './file-table.ts';
import { hashOf, HashIndex } from './hash-index.ts';
import { DEFAULT_LAYER, layerOf } from './layer.ts';
import type { Layer } from './layer.ts';
import { isUnknownOp, OP_MASK } from './operation.ts';

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

/** How much of the owner an identity tells. Where there is no room for another, it is folded into one that tells less. */
export const OwnerDetail = { process: 0, commandInCgroup: 1, command: 2, none: 3 } as const;
export type OwnerDetail = (typeof OwnerDetail)[keyof typeof OwnerDetail];

/** Identities of processes. */
export const IDENTITY_CAPACITY = 1 << 16;

/** How many identities may be of commands, in a cgroup and in any, as a share of those of processes. */
const COMMANDS_SHARE = 1 / 16;

/** When most indices are taken, a new identity gets one only after this many I/Os. */
const OFTEN = 64;

export const OTHER_COMM = '(other)';

/** Interns identities; indices are dense, start at 0 and are never reused. */
export class IdentityTable {
  private readonly indices = new HashIndex();
  private readonly identities: Identity[] = [];
  private readonly seenLayers = new Set<Layer>();
  private readonly seenVolumes = new Set<number>();
  private readonly firstForFrequent: number;
  private readonly candidates = new Candidates<true>(OFTEN, () => true);
  /** How many there are, and may be, by `OwnerDetail`. */
  private readonly counts = [0, 0, 0, 0];
  private readonly limits: readonly number[];

  constructor(
    private readonly capacity = IDENTITY_CAPACITY,
    /** The files of the same session. */
    readonly files = new FileTable(),
  ) {
    const commands = capacity * COMMANDS_SHARE;
    this.limits = [capacity, commands, commands, Infinity];
    this.firstForFrequent = capacity - Math.floor(capacity * SHARE_FOR_FREQUENT);
  }

  get size(): number {
    return this.identities.length;
  }

  get(index: number): Identity {
    const identity = this.identities[index];
    if (identity === undefined)
      throw new RangeError(`no identity ${index} among ${this.identities.length}`);
    return identity;
  }

  /** Whether others are folded into it. */
  isOther(index: number): boolean {
    return isFolded(this.get(index));
  }

  /** The layers of all identities, in the order in which they were first seen. */
  get layers(): ReadonlySet<Layer> {
    return this.seenLayers;
  }

  /** Numbers of the devices of all identities in the layer of volumes. */
  get volumes(): ReadonlySet<number> {
    return this.seenVolumes;
  }

  /** Whether all further identities are folded. */
  get isFull(): boolean {
    return this.counts[OwnerDetail.process]! >= this.capacity;
  }

  intern(identity: Identity): number {
    return this.indexOf(identity, () => true);
  }

  /**
   * The same for an identity of an I/O, which appears again with each I/O: the last indices are kept for frequent
   * identities, so that a busy process gets a row after any number of others.
   */
  internOfIo(identity: Identity): number {
    return this.indexOf(
      identity,
      () =>
        this.counts[OwnerDetail.process]! < this.firstForFrequent ||
        this.candidates.add(nameOf(identity), true) === true,
    );
  }

  private indexOf(identity: Identity, isAdmitted: () => boolean): number {
    const hash = identityHash(identity);
    const known = this.indices.find(hash, (index) => isSame(this.get(index), identity));
    if (known !== undefined) return known;
    if (!this.hasRoom(identity, isAdmitted)) return this.intern(foldedOnce(identity));
    const index = this.identities.length;
    this.identities.push(identity);
    this.counts[ownerDetail(identity)]!++;
    this.seenLayers.add(layerOf(identity));
    if (layerOf(identity) === 'volumes') this.seenVolumes.add(identity.dev);
    this.indices.add(hash, index);
    if (this.isFull) this.candidates.clear();
    return index;
  }

  private hasRoom(identity: Identity, isAdmitted: () => boolean): boolean {
    const detail = ownerDetail(identity);
    if (this.counts[detail]! >= this.limits[detail]!) return false;
    return detail !== OwnerDetail.process || isAdmitted();
  }
}

function identityHash(identity: Identity): number {
  const { dev, cmdFlags, tgid, tid, cgroup, error, marks, comm, via = '' } = identity;
  return hashOf(dev, cmdFlags, tgid, tid, cgroup, error, marks, comm, via);
}

function isSame(a: Identity, b: Identity): boolean {
  return (
    a.tid === b.tid &&
    a.cmdFlags === b.cmdFlags &&
    a.dev === b.dev &&
    a.tgid === b.tgid &&
    a.comm === b.comm &&
    a.cgroup === b.cgroup &&
    a.error === b.error &&
    a.marks === b.marks &&
    a.via === b.via &&
    layerOf(a) === layerOf(b)
  );
}

/** A text that is the same for equal identities. It is one flat string: V8 would keep a concatenation as its parts. */
function nameOf(identity: Identity): string {
  const { dev, cmdFlags, tgid, tid, cgroup, error, marks, comm, via } = identity;
  const owner = via === undefined ? comm : `${via.length} ${via} ${comm}`;
  const numbers = [dev, cmdFlags, tgid, tid, cgroup, error, marks];
  return [layerOf(identity), ...numbers, via !== undefined, owner].join(' ');
}

function isFolded({ marks }: Identity): boolean {
  return (marks & IdentityMark.other) !== 0;
}

export function ownerDetail(identity: Identity): OwnerDetail {
  if (!isFolded(identity)) return OwnerDetail.process;
  if (!commandIsKnown(identity)) return OwnerDetail.none;
  return cgroupOf(identity) === undefined ? OwnerDetail.command : OwnerDetail.commandInCgroup;
}

/** The identity that tells the next less of the owner. */
export function foldedOnce(identity: Identity): Identity {
  switch (ownerDetail(identity)) {
    case OwnerDetail.process:
      return ownerIsKnown(identity) && identity.comm !== ''
        ? ofCommand(identity)
        : otherIdentity(identity);
    case OwnerDetail.commandInCgroup:
      return { ...identity, cgroup: 0 };
    default:
      return otherIdentity(identity);
  }
}

function ofCommand(identity: Identity): Identity {
  const { indirect, severalWriters } = IdentityMark;
  const { comm, cgroup, via, marks } = identity;
  const other = otherIdentity(identity);
  return {
    ...other,
    comm,
    cgroup,
    via,
    marks: other.marks | (marks & (indirect | severalWriters)),
  };
}

const KEPT_MARKS = IdentityMark.noDetail | IdentityMark.errorUnknown | IdentityMark.sizeUnknown;

/**
 * The identity into which others of its kind are folded. Layer, device, operation, success and size as far as they are
 * known, and whether it is a single I/O are kept, so totals per disk stay correct.
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
    marks: IdentityMark.other | IdentityMark.ownerUnknown | (identity.marks & KEPT_MARKS),
    layer: identity.layer,
  };
}

/** The identity of aggregated I/O, without thread, flags and result. */
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
