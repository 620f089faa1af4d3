import { OFFSET_BINS } from '../../model/fine-bins.ts';
import type { Disk } from '../machine/disks.ts';
import { inWords } from '../abi/in-words.ts';
import { Control, Dimension, SummaryDevice as Entry } from '../abi/layout.ts';
import { isSummarised } from './trace-sizes.ts';

const SECTOR_BYTES = 512;
const ENTRY = inWords(Entry.offsets);
/**
 * The entry of a disk that is gone is kept for this long, and until counts were read after that: a count that comes late
 * must not go to the next disk.
 */
const KEPT_NS = Dimension.epochs * 2 ** Dimension.epochShift;

export interface SummaryDevice {
  /** 0 for the entry that all disks, or all volumes, without an entry of their own share, and for that of calls. */
  readonly dev: number;
  /** Sectors per offset bin, as the exponent of a power of two. */
  readonly offsetShift: number;
}

/** Exponent of the smallest power of two of sectors per bin with which `OFFSET_BINS` bins cover a disk. */
export function offsetShift(sizeBytes: number): number {
  const sectorsPerBin = sizeBytes / SECTOR_BYTES / OFFSET_BINS;
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, sectorsPerBin))));
}

/** Assigns summaries to devices: a table that user space writes and the kernel programs read. */
export class SummaryDevices {
  /** By entry, since when its disk is gone. */
  private readonly goneNs = new Map<number, number>();
  /** When the last reading of the counts began. */
  private readNs = 0;

  constructor(
    private readonly words: Uint32Array,
    private readonly capacity: number,
  ) {}

  entry(index: number): SummaryDevice {
    if (index >= this.capacity) return { dev: 0, offsetShift: 0 };
    const at = this.position(index);
    return {
      dev: this.words[at + ENTRY.dev]!,
      offsetShift: this.words[at + ENTRY.offsetShift]!,
    };
  }

  /** The shift of a device; 0 if it has no entry of its own. */
  shiftOf(dev: number): number {
    const index = this.find(dev);
    return index === undefined ? 0 : this.entry(index).offsetShift;
  }

  /** Call it after the counts of all entries were read. `startedNs`: when the reading began, by the clock of `track`. */
  wereRead(startedNs: number): void {
    this.readNs = startedNs;
  }

  /**
   * Gives each disk, then each volume, an entry while there are free ones, and updates the shift when a size changes. The
   * entries of disks that are gone become free after a while.
   */
  track(disks: readonly Disk[], nowNs: number): void {
    const used = disks.filter(isSummarised);
    this.release(new Set(used.map(({ dev }) => dev)), nowNs);
    for (const disk of [
      ...used.filter(({ requestBased }) => requestBased),
      ...used.filter(({ requestBased }) => !requestBased),
    ]) {
      const index = this.find(disk.dev) ?? this.find(0);
      if (index === undefined) continue;
      const at = this.position(index);
      // The shift is written first, because the kernel programs use both as soon as they find the number.
      this.words[at + ENTRY.offsetShift] = offsetShift(disk.sizeBytes ?? 0);
      Atomics.store(this.words, at + ENTRY.dev, disk.dev);
    }
  }

  private release(present: ReadonlySet<number>, nowNs: number): void {
    for (let index = 0; index < this.capacity; index++) {
      const { dev } = this.entry(index);
      if (dev === 0 || present.has(dev)) {
        this.goneNs.delete(index);
        continue;
      }
      const goneNs = this.goneNs.get(index) ?? nowNs;
      this.goneNs.set(index, goneNs);
      if (this.readNs - goneNs > KEPT_NS)
        Atomics.store(this.words, this.position(index) + ENTRY.dev, 0);
    }
  }

  private find(dev: number): number | undefined {
    for (let index = 0; index < this.capacity; index++) {
      if (this.words[this.position(index) + ENTRY.dev] === dev) return index;
    }
    return undefined;
  }

  private position(index: number): number {
    return (Control.offsets.devices + index * Entry.bytes) / 4;
  }
}
