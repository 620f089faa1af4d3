import type { TimeRange } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DiskBusy } from '../../model/disk-busy.ts';
import { BusyTracker } from './busy-tracker.ts';
import { CountedBusy } from './counted-busy.ts';
import type { HeldTimes } from './held-times.ts';
import type { IdentityFacts } from '../slices/identity-facts.ts';

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
    aggregated: readonly TimeRange[],
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
  isCounted(dev: number, { fromNs, toNs }: TimeRange): boolean {
    return this.counted.get(dev)?.busyNs(fromNs, toNs) !== undefined;
  }

  /** Busy share, 0 to 1, of each column from `startNs`; undefined as for `busyNs`. */
  columns(
    dev: number,
    startNs: number,
    endNs: number,
    columnNs: number,
    aggregated: readonly TimeRange[],
  ): Float32Array | undefined {
    const isCounted = this.counted.has(dev);
    if (this.seenNs(dev, startNs, endNs) === undefined && !isCounted) return undefined;
    const shares = new Float32Array(Math.max(0, Math.ceil((endNs - startNs) / columnNs)));
    let next = 0;
    for (let column = 0; column < shares.length; column++) {
      const [fromNs, toNs] = [startNs + column * columnNs, startNs + (column + 1) * columnNs];
      while (next < aggregated.length && aggregated[next]!.toNs <= fromNs) next++;
      const busyNs = this.busyNs(dev, fromNs, toNs, within(aggregated, next, fromNs, toNs)) ?? 0;
      shares[column] = Math.min(1, busyNs / columnNs);
    }
    return shares;
  }

  private trackerOf(dev: number): BusyTracker | undefined {
    const device = this.facts.indexOf(dev);
    return device === undefined ? undefined : this.trackers[device];
  }
}

/** The parts of the stretches from `first` on that are within [fromNs, toNs). */
function within(
  stretches: readonly TimeRange[],
  first: number,
  fromNs: number,
  toNs: number,
): readonly TimeRange[] {
  const parts: TimeRange[] = [];
  for (let next = first; next < stretches.length && stretches[next]!.fromNs < toNs; next++) {
    const stretch = stretches[next]!;
    parts.push({
      fromNs: Math.max(fromNs, stretch.fromNs),
      toNs: Math.min(toNs, stretch.toNs),
    });
  }
  return parts;
}

const BYTES_PER_DEVICE = new BusyTracker().memoryBytes;
const BYTES_PER_COUNTED = new CountedBusy().memoryBytes;
