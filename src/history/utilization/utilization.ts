import type { CompletionColumns } from '../../model/completion-columns.ts';
import { BusyTracker } from './busy-tracker.ts';
import type { IdentityFacts } from '../slices/identity-facts.ts';

/** Busy time of all disks, from rows only: a summary has no issue times. */
export class Utilization {
  /** By dense device number of `IdentityFacts`. */
  private readonly trackers: (BusyTracker | undefined)[] = [];
  private tracked = 0;
  private readonly facts: IdentityFacts;
  private readonly budgetBytes: number;

  constructor(facts: IdentityFacts, budgetBytes: number) {
    this.facts = facts;
    this.budgetBytes = budgetBytes;
  }

  get memoryBytes(): number {
    return this.tracked * BYTES_PER_DEVICE;
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
    if ((this.tracked + 1) * BYTES_PER_DEVICE > this.budgetBytes) return undefined;
    while (this.trackers.length <= device) this.trackers.push(undefined);
    this.tracked++;
    return (this.trackers[device] = new BusyTracker());
  }

  /** Ns busy within [startNs, endNs); undefined when no row of this disk had a device time. */
  busyNs(dev: number, startNs: number, endNs: number): number | undefined {
    return this.trackerOf(dev)?.series.sum(startNs, endNs);
  }

  /** Busy share, 0 to 1, of each column from `startNs`; undefined as for `busyNs`. */
  columns(dev: number, startNs: number, endNs: number, columnNs: number): Float32Array | undefined {
    const series = this.trackerOf(dev)?.series;
    if (series === undefined) return undefined;
    const shares = new Float32Array(Math.max(0, Math.ceil((endNs - startNs) / columnNs)));
    for (let column = 0; column < shares.length; column++) {
      const fromNs = startNs + column * columnNs;
      shares[column] = Math.min(1, series.sum(fromNs, fromNs + columnNs) / columnNs);
    }
    return shares;
  }

  private trackerOf(dev: number): BusyTracker | undefined {
    const device = this.facts.indexOf(dev);
    return device === undefined ? undefined : this.trackers[device];
  }
}

const BYTES_PER_DEVICE = new BusyTracker().memoryBytes;
