import type { CompiledFilter } from '../../filter/match/match.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import type { Past } from '../../history/scan/visitor.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import type { WindowCounter } from '../../history/window/windowed-count.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { distributeAggregate, distributeSlice } from './lane-aggregates.ts';
import type { LaneCounts, LaneOf } from './lane-counts.ts';

/** Which I/O is counted in which disk lane. */
export interface LaneOwners {
  readonly identities: IdentityTable;
  /** One lane each, in this order. */
  readonly devs: readonly number[];
}

/** Counts latencies into the lanes of disks. */
export class LaneCounter implements WindowCounter {
  /** Lane by identity, for the identities seen so far. */
  private laneOfIdentity = new Int16Array(0);
  private identitiesSeen = 0;

  /** `filter` undefined: everything matches. */
  constructor(
    readonly ring: LaneCounts,
    private readonly past: Pick<Past, 'endNs'>,
    private readonly filter: CompiledFilter | undefined,
    private readonly owners: LaneOwners,
  ) {}

  addRows({ rows, from, to }: RowChunk, fromNs: number, toNs: number): void {
    const { ring, filter } = this;
    ring.addRows(rows, from, to, this.laneOf(), { fromNs, toNs, filter });
  }

  addSlice(view: SliceView, fromNs: number, toNs: number): void {
    const { ring, filter, past } = this;
    distributeSlice(ring, view, this.laneOf(), { fromNs, toNs, filter }, past.endNs);
  }

  addAggregate(aggregate: CompletionSummary, fromNs: number, toNs: number): void {
    const { ring, filter } = this;
    distributeAggregate(ring, aggregate, this.laneOf(), { fromNs, toNs, filter });
  }

  private laneOf(): LaneOf {
    const { identities, devs } = this.owners;
    if (identities.size > this.laneOfIdentity.length) {
      const larger = new Int16Array(2 * identities.size);
      larger.set(this.laneOfIdentity.subarray(0, this.identitiesSeen));
      this.laneOfIdentity = larger;
    }
    for (; this.identitiesSeen < identities.size; this.identitiesSeen++)
      this.laneOfIdentity[this.identitiesSeen] = devs.indexOf(
        identities.get(this.identitiesSeen).dev,
      );
    return this.laneOfIdentity;
  }
}
