import type { Box } from '../../filter/box.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { BoxEntry } from './box-entry.ts';
import type { SliceTime } from './box-entry.ts';
import type { BoxTally } from './box-tally.ts';
import { Field } from '../../history/slices/slice.ts';
import type { DiskShares } from '../../model/disk-shares.ts';
import type { Slice } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';

/** Adds up the aggregates of the history that are in a box. */
export class BoxSlices {
  /** I/Os that match the filter and completed in the time of the box, with any value. */
  inTime = 0;
  /** Those of them that are in the box: the number as drawn, with lower and upper bound. */
  count = 0;
  least = 0;
  most = 0;
  /** Whether some entries are only partly in the box. */
  isEstimated = false;
  private readonly box: Box;
  private readonly latestNs: number;
  private readonly tally: BoxTally;
  private readonly part: BoxEntry;

  /** `latestNs` is when the last I/O of the history completed: a slice that is still being filled ends there. */
  constructor(
    box: Box,
    filter: CompiledFilter,
    latestNs: number,
    tally: BoxTally,
    shares?: DiskShares,
  ) {
    this.box = box;
    this.latestNs = latestNs;
    this.tally = tally;
    this.part = new BoxEntry(box, filter, shares);
  }

  add(view: SliceView): void {
    const time = this.timeOf(view);
    view.forEachShown((slice, entry, identity) => {
      this.part.read(slice, entry, time);
      this.addPart(slice, entry, identity);
    });
  }

  private timeOf({ startNs, endNs, isOver }: SliceView): SliceTime {
    const { box } = this;
    const latestNs = isOver ? endNs : this.latestNs;
    return {
      startNs,
      endNs: Math.min(endNs, Math.max(latestNs, startNs)),
      isInside: startNs >= box.startNs && (endNs <= box.endNs || latestNs < box.endNs),
      isNear: latestNs >= box.startNs,
    };
  }

  private addPart(slice: Slice, entry: number, identity: number): void {
    const { part, tally } = this;
    this.inTime += part.inTime;
    this.count += part.inside;
    this.least += part.least;
    this.most += part.most;
    if (part.least < part.most) this.isEstimated = true;
    if (part.inside === 0) return;
    if (part.inside < slice.field(entry, Field.count)) this.isEstimated = true;
    tally.addEntry(identity, part.part(slice, entry), part.latencies(slice, entry));
  }
}
