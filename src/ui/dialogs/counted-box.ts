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
  /** The count in progress; undefined when `report` has its result. */
  count: BoxCount | undefined;
  /** The last result; the next one replaces it when it is complete. */
  report: BoxReport | undefined;
  /** The end of the history when the count began, in ns: a box that ends later gets more I/O. */
  historyEndNs: number;
}

/** The counted share is drawn again after a change of this size. */
const SHARE_STEP = 0.1;

/**
 * Counts the contents of the box in the drill-down. What is in the past does not change and is counted once; a box at
 * the right edge of the picture is counted again as long as it gets more I/O.
 */
export class CountedBox {
  private known: Contents | undefined;
  private saidShare = 0;
  private isNew = false;

  constructor(private readonly monitor: Pick<Monitor, 'countBox' | 'history'>) {}

  /** Returns the counted share and no figures until everything is counted. */
  of(view: ViewState): BoxReport | CountingBox | undefined {
    const known = this.contentsOf(view);
    return known && (known.report ?? { box: known.box, countedShare: known.count?.share ?? 0 });
  }

  get isCounting(): boolean {
    return this.known?.count !== undefined;
  }

  /** Counts again if the box has got more I/O. Call it when the other figures are counted again. */
  renew(): void {
    const { known } = this;
    const { endNs } = this.monitor.history;
    if (known === undefined || known.count !== undefined) return;
    if (known.historyEndNs >= known.box.endNs || endNs === known.historyEndNs) return;
    known.count = this.monitor.countBox(known.box);
    known.historyEndNs = endNs;
  }

  /** Counts until the deadline or the end. */
  advance(view: ViewState, shouldYield: ShouldYield | undefined): void {
    const known = this.contentsOf(view);
    if (known?.count === undefined) return;
    const report = known.count.advance(shouldYield);
    const { share } = known.count;
    if (report !== undefined) {
      known.report = report;
      known.count = undefined;
    } else if (known.report !== undefined || share < this.saidShare + SHARE_STEP) return;
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
    const { endNs: historyEndNs } = this.monitor.history;
    return (this.known = { box: drillDown, filter, count, report: undefined, historyEndNs });
  }
}

export function isCounted(contents: BoxReport | CountingBox): contents is BoxReport {
  return !('countedShare' in contents);
}
