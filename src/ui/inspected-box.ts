import type { Box } from '../model/box.ts';
import type { BoxReport } from '../model/drill-down.ts';
import type { Filter } from '../model/filter.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { ViewState } from '../view/view-state.ts';

/** What a box held, under the filter of that moment. */
interface Inspected {
  readonly box: Box;
  readonly filter: Filter;
  readonly report: BoxReport;
}

/** What the box that is looked into holds. It lies in the past and changes no more: read once. */
export class InspectedBox {
  private known: Inspected | undefined;

  constructor(private readonly monitor: Pick<Monitor, 'inspect'>) {}

  of({ detail, filter }: ViewState): BoxReport | undefined {
    if (detail === undefined) return undefined;
    const { known } = this;
    if (known?.box === detail && known.filter === filter) return known.report;
    const report = this.monitor.inspect(detail);
    this.known = { box: detail, filter, report };
    return report;
  }
}
