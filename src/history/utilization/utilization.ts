import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DiskBusy } from '../../model/disk-busy.ts';
import { BusyTracker } from './busy-tracker.ts';
import { CountedBusy } from './counted-busy.ts';
import type { HeldTimes } from './held-times.ts';
import type { IdentityFacts } from '../slices/identity-facts.ts';

/** A stretch of time, ns. */
export interface Stretch {
  readonly fromNs: number;
  readonly toNs: number;
}

/**
 * Busy time of all disks. It is known from rows and from I/O in flight. Where I/O has no rows, the kernel's own count
 * is used, because aggregates have no issue times.
 */
export class Utilization {
  /** By dense device number of `IdentityFacts`. */
  private readonly trackers: (BusyTracker | undefined)[] = [];
  /** By device number. */
  private readonly counted = new Map<number, CountedBusy>();
  private tracked = 0;
  private readonly facts: IdentityFacts;
  private readonly budgetBytes: number;

  constructor(
    facts: IdentityFacts,
    budgetBytes: number,
    private readonly held: HeldTimes,
  ) {
    this.facts = facts;
    this.budgetBytes = budgetBytes;
  }

  get memoryBytes(): number {
    return this.tracked * BYTES_PER_DEVICE + this.counted.size * BYTES_PER_COUNTED;
  }

  addRows(rows: CompletionColumns): void {
    const { completeNs, deviceNs, identity, length } = rows;
    const { device, keepsBusy } = this.facts;
    for (let row = 0; row < length; row++) {
      const busyNs = deviceNs[row]!;
      if (!(busyNs >= 0 && busyNs < Infinity)) continue;
      if (keepsBusy[identity[row]!] === 0) continue;
      const tracker = this.trackers[device[identity[row]!]!] ?? this.track(device[identity[row]!]!);
      tracker?.add(completeNs[row]! - busyNs, completeNs[row]!);
    }
  }

  /** Undefined when the budget is used up: this disk's utilization is then unknown. */
  private track(device: number): BusyTracker | undefined {
    if (this.memoryBytes + BYTES_PER_DEVICE > this.budgetBytes) return undefined;
    while (this.trackers.length <= device) this.trackers.push(undefined);
    this.tracked++;
    return (this.trackers[device] = new BusyTracker());
  }

  /** If the budget is used up, the utilization of this disk stays a lower bound. */
  addCounted(counted: DiskBusy): void {
    const known = this.counted.get(counted.dev);
    if (known !== undefined) {
      known.add(counted);
      return;
    }
    if (this.memoryBytes + BYTES_PER_COUNTED > this.budgetBytes) return;
    const created = new CountedBusy();
    created.add(counted);
    this.counted.set(counted.dev, created);
  }

  /**
   * Busy time as far as requests with known times show it; undefined when no request of this disk had a device time.
   */
  private seenNs(dev: number, startNs: number, endNs: number): number | undefined {
    const series = this.trackerOf(dev)?.series;
    const held = this.held.of(dev);
    if (series === undefined && held.length === 0) return undefined;
    let [busyNs, atNs] = [0, startNs];
    for (const [fromNs, toNs] of held) {
      const [beginNs, stopNs] = [Math.max(fromNs, atNs), Math.min(toNs, endNs)];
      if (stopNs <= beginNs) continue;
      busyNs += (series?.sum(atNs, beginNs) ?? 0) + stopNs - beginNs;
      atNs = stopNs;
    }
    return busyNs + (series?.sum(atNs, endNs) ?? 0);
  }

  /**
   * Ns busy within [startNs, endNs); undefined when no request of this disk had a device time, and nothing else is known.
   * `aggregated`: the stretches of it in which I/O was aggregated, disjoint.
   */
  busyNs(
    dev: number,
    startNs: number,
    endNs: number,
    aggregated: readonly Stretch[],
  ): number | undefined {
    const counted = this.counted.get(dev);
    let busyNs = this.seenNs(dev, startNs, endNs);
    for (const { fromNs, toNs } of counted === undefined ? [] : aggregated) {
      const countedNs = counted?.busyNs(fromNs, toNs);
      if (countedNs === undefined) continue;
      const seenNs = this.seenNs(dev, fromNs, toNs) ?? 0;
      busyNs = (busyNs ?? 0) + Math.max(0, countedNs - seenNs);
    }
    return busyNs;
  }

  /** The kernel's own counts within [startNs, endNs), as far as they are known. */
  *countedWithin(startNs: number, endNs: number): Generator<DiskBusy> {
    for (const [dev, counted] of this.counted)
      for (const stretch of counted.stretches(startNs, endNs)) yield { dev, ...stretch };
  }

  /** Whether the kernel's own count of a stretch is known. */
  isCounted(dev: number, { fromNs, toNs }: Stretch): boolean {
    return this.counted.get(dev)?.busyNs(fromNs, toNs) !== undefined;
  }

  /** Busy share, 0 to 1, of each column from `startNs`; undefined as for `busyNs`. */
  columns(
    dev: number,
    startNs: number,
    endNs: number,
    columnNs: number,
    aggregated: readonly Stretch[],
  ): Float32Array | undefined {
    const counted = this.counted.get(dev);
    if (this.seenNs(dev, startNs, endNs) === undefined && counted === undefined) return undefined;
    const shares = new Float32Array(Math.max(0, Math.ceil((endNs - startNs) / columnNs)));
    for (let column = 0; column < shares.length; column++) {
      const fromNs = startNs + column * columnNs;
      const seenNs = this.seenNs(dev, fromNs, fromNs + columnNs) ?? 0;
      shares[column] = Math.min(1, seenNs / columnNs);
    }
    for (const stretch of counted === undefined ? [] : aggregated)
      raiseColumns(shares, startNs, columnNs, stretch, counted!);
    return shares;
  }

  private trackerOf(dev: number): BusyTracker | undefined {
    const device = this.facts.indexOf(dev);
    return device === undefined ? undefined : this.trackers[device];
  }
}

/** Raises columns to the kernel's own count where that is higher: rows show only a part of what kept the disk busy. */
function raiseColumns(
  shares: Float32Array,
  startNs: number,
  columnNs: number,
  { fromNs, toNs }: Stretch,
  counted: CountedBusy,
): void {
  const first = Math.max(0, Math.floor((fromNs - startNs) / columnNs));
  for (let column = first; column < shares.length; column++) {
    const atNs = startNs + column * columnNs;
    if (atNs >= toNs) return;
    const busyNs = counted.busyNs(atNs, atNs + columnNs) ?? 0;
    shares[column] = Math.min(1, Math.max(shares[column]!, busyNs / columnNs));
  }
}

const BYTES_PER_DEVICE = new BusyTracker().memoryBytes;
const BYTES_PER_COUNTED = new CountedBusy().memoryBytes;
