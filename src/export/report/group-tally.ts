import { LatencyTally } from '../../query/tally/latency-tally.ts';
import { Tally } from '../../query/tally/tally.ts';
import { mostTotalNs } from '../../model/most-total.ts';
import type { Identity } from '../../model/identity.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';

/** One kind of latency of a group, in ns. */
export interface GroupLatencies {
  readonly maxNs: number | undefined;
  /** Undefined if none is known. */
  quantileNs(share: number): number | undefined;
}

export type Lack = 'none' | 'some' | 'all';

/** The groups of a report. */
export class GroupTallies {
  readonly tally = new Tally();
  readonly queue = new LatencyTally();
  readonly device = new LatencyTally();

  claim(): GroupTally {
    this.queue.claim();
    this.device.claim();
    return new GroupTally(this, this.tally.claim());
  }
}

/** The I/O of a disk, a process, or the whole trace. */
export class GroupTally {
  /** Bits of `IdentityMark` that all of its identities have, and that some have. */
  private common = -1;
  private some = 0;

  constructor(
    private readonly of: GroupTallies,
    private readonly row: number,
  ) {}

  /** To be called for each identity of the group. */
  note({ marks }: Identity): void {
    this.common &= marks;
    this.some |= marks;
  }

  /** Of how much of the I/O something is unknown for which there is a mark. */
  lacks(mark: number): Lack {
    if ((this.some & mark) === 0) return 'none';
    return (this.common & mark) === 0 ? 'some' : 'all';
  }

  /** Of how much of the I/O the operation is unknown. */
  get lacksOperations(): Lack {
    const unknown = this.of.tally.undividedCount(this.row);
    if (unknown === 0) return 'none';
    return unknown < this.count ? 'some' : 'all';
  }

  add(opClass: number, bytes: number, isError: boolean, queueNs: number, deviceNs: number): void {
    const { of, row } = this;
    const waitNs = (queueNs || 0) + (deviceNs || 0);
    of.tally.add(row, opClass, 1, bytes, waitNs, isError ? 1 : 0);
    of.queue.add(row, queueNs);
    of.device.add(row, deviceNs);
    of.tally.latencies.add(row, queueNs + deviceNs);
  }

  addAggregate(opClass: number, aggregate: CompletionSummary, isError: boolean): void {
    const { of, row } = this;
    const { count, bytes, errors = 0, maxQueueNs, maxDeviceNs } = aggregate;
    const waitNs = aggregate.queueNsSum + aggregate.deviceNsSum;
    of.tally.add(row, opClass, count, bytes, waitNs, isError ? count : errors);
    of.queue.addAll(row, aggregate.queue, maxQueueNs);
    of.device.addAll(row, aggregate.device, maxDeviceNs);
    of.tally.latencies.addAll(row, aggregate.total, mostTotalNs(aggregate));
  }

  /** Adds the variance of a part of the count that is an estimate. */
  addCountVariance(variance: number): void {
    this.of.tally.addCountVariance(this.row, variance);
  }

  /** See `Tally.margin`. */
  get margin(): number | undefined {
    return this.of.tally.margin(this.row);
  }

  get count(): number {
    return this.of.tally.totalCount(this.row);
  }

  /** See `Tally.movedBytes`. */
  get moved(): number {
    return this.of.tally.movedBytes(this.row);
  }

  get errors(): number {
    return this.of.tally.errors(this.row);
  }

  /** Queue plus device latency of all I/Os for which they are known, in ns. */
  get waitedNs(): number {
    return this.of.tally.totalWaitNs(this.row);
  }

  get queue(): GroupLatencies {
    return this.latenciesOf(this.of.queue);
  }

  get device(): GroupLatencies {
    return this.latenciesOf(this.of.device);
  }

  get total(): GroupLatencies {
    return this.latenciesOf(this.of.tally.latencies);
  }

  countOf(opClass: number): number {
    return this.of.tally.count(this.row, opClass);
  }

  bytesOf(opClass: number): number {
    return this.of.tally.bytes(this.row, opClass);
  }

  private latenciesOf(tally: LatencyTally): GroupLatencies {
    const { row } = this;
    return { maxNs: tally.maxNs(row), quantileNs: (share) => tally.quantileNs(row, share) };
  }
}
