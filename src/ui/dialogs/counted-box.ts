import type { ShouldYield } from '../../base/time.ts';
import type { Box } from '../../filter/box.ts';
import type { Filter } from '../../filter/filter.ts';
import type { BoxReport, CountingBox } from '../../query/box/drill-down.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { ViewState } from '../../view/state.ts';

type BoxCount = ReturnType<Monitor['countBox']>;

/** The contents of a box, under the filter of that moment. */
interface Contents {
  readonly box: Box;
  readonly filter: Filter;
  /** Until all of it is counted. */
  readonly count: BoxCount;
  report: BoxReport | undefined;
}

/** Changes of the share that are worth drawing. */
const SHARE_STEP = 0.1;

/** The contents of the box in the drill-down. They are past and fixed, so they are counted once. */
export class CountedBox {
  private known: Contents | undefined;
  private saidShare = 0;
  private isNew = false;

  constructor(private readonly monitor: Pick<Monitor, 'countBox'>) {}

  /** What is counted so far; without figures until all is. */
  of(view: ViewState): BoxReport | CountingBox | undefined {
    const known = this.contentsOf(view);
    return known && (known.report ?? { box: known.box, countedShare: known.count.share });
  }

  get isCounting(): boolean {
    return this.known !== undefined && this.known.report === undefined;
  }

  /** Counts until the deadline, or until all is counted. */
  advance(view: ViewState, shouldYield: ShouldYield | undefined): void {
    const known = this.contentsOf(view);
    if (known === undefined || known.report !== undefined) return;
    known.report = known.count.advance(shouldYield);
    const { share } = known.count;
    if (known.report === undefined && share < this.saidShare + SHARE_STEP) return;
    this.saidShare = share;
    this.isNew = true;
  }

  /** True once, when there is something new to draw. */
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
