import { Candidates, SHARE_FOR_FREQUENT } from './candidates.ts';
import { FileTable } from './file-table.ts';
import { foldedOnce, ownerDetail, OwnerDetail } from './folded-identity.ts';
import { hashOf, HashIndex } from './hash-index.ts';
import { isFolded } from './identity.ts';
import type { Identity } from './identity.ts';
import { layerOf } from './layer.ts';
import type { Layer } from './layer.ts';

/** Identities of processes. */
export const IDENTITY_CAPACITY = 1 << 16;

/** How many identities may be of commands, in a cgroup and in any, as a share of those of processes. */
const COMMANDS_SHARE = 1 / 16;

/**
 * Share of the indices beyond which identities of calls have to be frequent. A shell script has thousands of them a second, so
 * that after half a minute nothing was left for the I/O of disks.
 */
const CALLS_SHARE = 1 / 2;

/** When most indices are taken, a new identity gets one only after this many I/Os. */
const OFTEN = 64;

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
        this.counts[OwnerDetail.process]! < this.firstForFrequentOf(identity) ||
        this.candidates.add(nameOf(identity), true) === true,
    );
  }

  private firstForFrequentOf(identity: Identity): number {
    return layerOf(identity) === 'calls' ? this.capacity * CALLS_SHARE : this.firstForFrequent;
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
