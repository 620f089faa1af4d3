import { OFFSET_BINS } from '../model/fine-bins.ts';
import type { Disk } from './disks.ts';
import { Control } from './layout.ts';
import { isSummarised } from './trace-sizes.ts';

const SECTOR_BYTES = 512;

export interface SummaryDevice {
  /** 0 for all devices without an entry of their own. */
  readonly dev: number;
  /** Sectors per offset bin, as a power of two. */
  readonly offsetShift: number;
}

/** The smallest power of two of sectors that lets `OFFSET_BINS` bins cover a disk. */
export function offsetShift(sizeBytes: number): number {
  const sectorsPerBin = sizeBytes / SECTOR_BYTES / OFFSET_BINS;
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, sectorsPerBin))));
}

/** Which device has which summary: a table that user space writes and the kernel programs read. */
export class SummaryDevices {
  constructor(
    private readonly words: Uint32Array,
    private readonly capacity: number,
  ) {}

  entry(index: number): SummaryDevice {
    if (index >= this.capacity) return { dev: 0, offsetShift: 0 };
    const at = this.position(index);
    return {
      dev: this.words[at + Control.device.dev]!,
      offsetShift: this.words[at + Control.device.offsetShift]!,
    };
  }

  /** Gives disks an entry, as far as there are free ones, and follows changes of their size. */
  track(disks: readonly Disk[]): void {
    for (const disk of disks.filter(isSummarised)) {
      const index = this.find(disk.dev) ?? this.find(0);
      if (index === undefined) continue;
      const at = this.position(index);
      // The shift first: as soon as the number is there, the kernel uses both.
      this.words[at + Control.device.offsetShift] = offsetShift(disk.sizeBytes ?? 0);
      Atomics.store(this.words, at + Control.device.dev, disk.dev);
    }
  }

  private find(dev: number): number | undefined {
    for (let index = 0; index < this.capacity; index++) {
      if (this.words[this.position(index) + Control.device.dev] === dev) return index;
    }
    return undefined;
  }

  private position(index: number): number {
    return Control.words.devices + index * Control.device.words;
  }
}
