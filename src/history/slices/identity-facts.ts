import { OFFSET_BINS } from '../../model/fine-bins.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { DeviceInfo } from '../../model/device.ts';
import { foldedOnce, ownerDetail, OwnerDetail } from '../../model/folded-identity.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { KnownInFlight } from '../../model/in-flight.ts';
import { isOfPrograms, layerOf } from '../../model/layer.ts';

/** What the history needs from the source: the identities, the sizes of disks, and what keeps them busy. */
export interface HistoryInfo {
  readonly identities: IdentityTable;
  /** Absent if the source does not know what is in flight. */
  readonly inFlight?: KnownInFlight | undefined;
  device(dev: number): DeviceInfo | undefined;
}

/** Properties of identities that loops over rows need, in arrays instead of objects. */
export class IdentityFacts {
  readonly identities: IdentityTable;
  /** Bits of `IdentityMark`. */
  marks = new Uint16Array(0);
  /** Dense device number: index into `devs`. */
  device = new Uint16Array(0);
  /**
   * Which entries of a slice each identity may take: an index into `entryLimits`. Of aggregates there are few, so that a full
   * slice accepts them as if they told nothing of the owner.
   */
  entryKind = new Uint8Array(0);
  /** By identity, whether its I/O keeps its device busy: 0 or 1. Waits and calls of programs do not. */
  keepsBusy = new Uint8Array(0);
  /** By identity, the one into which it is folded plus 1; 0 until it is asked for. It never changes: places are never freed. */
  private foldedInto = new Uint32Array(0);
  readonly devs: number[] = [];
  private known = 0;
  private readonly indexOfDev = new Map<number, number>();
  private readonly grownShift: number[] = [];
  private readonly info: HistoryInfo;

  constructor(info: HistoryInfo) {
    this.info = info;
    this.identities = info.identities;
  }

  get memoryBytes(): number {
    const arrays = [this.marks, this.entryKind, this.device, this.keepsBusy, this.foldedInto];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Extends the arrays to every identity interned so far. */
  refresh(): void {
    const size = this.identities.size;
    if (this.known === size) return;
    if (size > this.marks.length) this.grow(Math.max(256, size, this.marks.length * 2));
    for (let identity = this.known; identity < size; identity++) {
      const known = this.identities.get(identity);
      const { dev, marks } = known;
      const isAggregate = (marks & IdentityMark.noDetail) !== 0;
      this.marks[identity] = marks;
      const detail = isAggregate ? OwnerDetail.none : ownerDetail(known);
      this.entryKind[identity] = detail + (layerOf(known) === 'calls' ? OWNER_DETAILS : 0);
      this.keepsBusy[identity] = isOfPrograms(layerOf(known)) ? 0 : 1;
      this.device[identity] = this.deviceIndex(dev);
    }
    this.known = size;
  }

  private grow(capacity: number): void {
    const marks = new Uint16Array(capacity);
    marks.set(this.marks);
    this.marks = marks;
    const entryKind = new Uint8Array(capacity);
    entryKind.set(this.entryKind);
    this.entryKind = entryKind;
    const foldedInto = new Uint32Array(capacity);
    foldedInto.set(this.foldedInto);
    this.foldedInto = foldedInto;
    const device = new Uint16Array(capacity);
    device.set(this.device);
    this.device = device;
    const keepsBusy = new Uint8Array(capacity);
    keepsBusy.set(this.keepsBusy);
    this.keepsBusy = keepsBusy;
  }

  private deviceIndex(dev: number): number {
    const known = this.indexOfDev.get(dev);
    if (known !== undefined) return known;
    const index = this.devs.length;
    this.devs.push(dev);
    this.grownShift.push(0);
    this.indexOfDev.set(dev, index);
    return index;
  }

  indexOf(dev: number): number | undefined {
    return this.indexOfDev.get(dev);
  }

  isAggregate(identity: number): boolean {
    return (this.marks[identity]! & IdentityMark.noDetail) !== 0;
  }

  /** The identity into which this one is folded when a slice is full. */
  folded(identity: number): number {
    const known = this.foldedInto[identity]!;
    if (known > 0) return known - 1;
    const index = this.identities.intern(foldedOnce(this.identities.get(identity)));
    this.refresh();
    this.foldedInto[identity] = index + 1;
    return index;
  }

  /**
   * The identity under which an aggregate is kept. It always has the mark `noDetail`, by which queries distinguish
   * aggregates from rows.
   */
  summary(identity: number): number {
    const known = this.identities.get(identity);
    // The given identity may be that of a single I/O, whose owner need not be the owner of all.
    const marks = known.marks | IdentityMark.noDetail | IdentityMark.ownerUnknown;
    const isMarked = (known.marks & IdentityMark.noDetail) !== 0;
    const index = isMarked ? identity : this.identities.intern({ ...known, marks });
    this.refresh();
    return index;
  }

  /** Sectors per offset bin for a new entry of this identity, as an exponent of two. */
  offsetShift(identity: number): number {
    const index = this.device[identity]!;
    const sizeBytes = this.info.device(this.devs[index]!)?.sizeBytes;
    return sizeBytes === undefined
      ? this.grownShift[index]!
      : shiftForSectors(sizeBytes / SECTOR_BYTES);
  }

  /** Remembers how wide bins have to be for a disk of unknown size, from the offsets seen so far. */
  noteOffsetShift(identity: number, shift: number): void {
    const index = this.device[identity]!;
    this.grownShift[index] = Math.max(this.grownShift[index]!, shift);
  }
}

const OWNER_DETAILS = Object.keys(OwnerDetail).length;

/**
 * How many entries a slice may have, by `OwnerDetail`, if `identities` are of processes; then the same for calls. A shell
 * script has thousands of identities of calls a second, which would leave no entries for the I/O of disks.
 */
export function entryLimits(identities: number): readonly number[] {
  const commands = Math.floor(identities / 4);
  const limits = [identities, commands, commands, Infinity];
  return [...limits, ...limits];
}

export function isEntryOfProcess(entryKind: number): boolean {
  return entryKind % OWNER_DETAILS === OwnerDetail.process;
}

/** Smallest shift with which sectors 0 … sectors−1 fit into the offset bins. */
export function shiftForSectors(sectors: number): number {
  let shift = 0;
  while (OFFSET_BINS * 2 ** shift < sectors) shift++;
  return shift;
}
