import type { DiskBusy } from '../../model/disk-busy.ts';
import { BusySeries } from './busy-series.ts';
import type { BusyResolution } from './busy-series.ts';

/** Cells for times at which slices are ten seconds wide: 290 KB per disk. */
const RESOLUTIONS: readonly BusyResolution[] = [
  { widthNs: 100e6, capacity: 6_000 },
  { widthNs: 10e9, capacity: 2_160 },
  { widthNs: 60e9, capacity: 10_080 },
];

/** Share of a stretch that must be known for the rest to be extrapolated. */
const LEAST_KNOWN = 0.5;

/** Width of the stretches to look at: that of the finest slices. */
const STRETCH_NS = 1e9;

/** How long one disk was busy by the kernel's own count, in the stretches for which it was read. */
export class CountedBusy {
  private readonly busy = new BusySeries(RESOLUTIONS);
  private readonly known = new BusySeries(RESOLUTIONS);

  get memoryBytes(): number {
    return this.busy.memoryBytes + this.known.memoryBytes;
  }

  /** Stretches must not overlap. */
  add({ fromNs, toNs, busyNs }: DiskBusy): void {
    if (!(toNs > fromNs)) return;
    this.known.add(fromNs, toNs);
    this.busy.addShare(fromNs, toNs, Math.min(1, Math.max(0, busyNs / (toNs - fromNs))));
  }

  /** Busy ns within [fromNs, toNs); undefined where too little of it is known. */
  busyNs(fromNs: number, toNs: number): number | undefined {
    const knownNs = this.known.sum(fromNs, toNs);
    if (knownNs <= 0 || knownNs < LEAST_KNOWN * (toNs - fromNs)) return undefined;
    return (this.busy.sum(fromNs, toNs) / knownNs) * (toNs - fromNs);
  }

  /** The stretches within [fromNs, toNs) for which it is known. */
  *stretches(fromNs: number, toNs: number): Generator<Omit<DiskBusy, 'dev'>> {
    for (let at = fromNs; at < toNs; at = nextStretch(at)) {
      const end = Math.min(toNs, nextStretch(at));
      const busyNs = this.busyNs(at, end);
      if (busyNs !== undefined) yield { fromNs: at, toNs: end, busyNs };
    }
  }
}

function nextStretch(atNs: number): number {
  return (Math.floor(atNs / STRETCH_NS) + 1) * STRETCH_NS;
}
