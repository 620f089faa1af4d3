import type { ShouldYield } from '../../base/time.ts';
import type { Box } from '../../filter/box.ts';
import type { Filter } from '../../filter/filter.ts';
import type { BoxReport, CountingBox } from '../../query/box/drill-down.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { ViewState } from '../../view/state.ts';

type BoxCount = ReturnType<Monitor['countBox']>;

/** The contents of a box, under the filter at the time when it was opened. */
interface Contents {
  readonly box: Box;
  readonly filter: Filter;
  /** The count in progress; `report` has its result. */
  readonly count: BoxCount;
  report: BoxReport | undefined;
}

/** The counted share is drawn again after a change of this size. */
const SHARE_STEP = 0.1;

/** Counts the contents of the box in the drill-down once, because they are in the past and do not change. */
export class CountedBox {
  private known: Contents | undefined;
  private saidShare = 0;
  private isNew = false;

  constructor(private readonly monitor: Pick<Monitor, 'countBox'>) {}

  /** Returns the counted share and no figures until everything is counted. */
  of(view: ViewState): BoxReport | CountingBox | undefined {
    const known = this.contentsOf(view);
    return known && (known.report ?? { box: known.box, countedShare: known.count.share });
  }

  get isCounting(): boolean {
    return this.known !== undefined && this.known.report === undefined;
  }

  /** Counts until the deadline or the end. */
  advance(view: ViewState, shouldYield: ShouldYield | undefined): void {
    const known = this.contentsOf(view);
    if (known === undefined || known.report !== undefined) return;
    known.report = known.count.advance(shouldYield);
    const { share } = known.count;
    if (known.report === undefined && share < this.saidShare + SHARE_STEP) return;
    this.saidShare = share;
    this.isNew = true;
  }

  /** Returns true once if there is something new to draw. */
  takeNew(): boolean {
    const { isNew } = this;
    this.isNew = false;
    return isNew;
  }

  private contentsOf({ drillDown, filter }: ViewState): Contents | undefined {
    const { known } = this;
    if (drillDown === undefined) return (this.known = undefined);
    if (known?.box === drillDown && known.filter === filter) return known;
    this.saidShare = 0;
    const count = this.monitor.countBox(drillDown);
    return (this.known = { box: drillDown, filter, count, report: undefined });
  }
}

export function isCounted(contents: BoxReport | CountingBox): contents is BoxReport {
  return !('countedShare' in contents);
}
