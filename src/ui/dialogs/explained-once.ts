import type { Filter } from '../../filter/filter.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { ExplainedIo } from '../../query/box/explained-io.ts';
import type { ViewState } from '../../view/state.ts';

interface Known {
  readonly endNs: number;
  readonly back: number;
  readonly filter: Filter;
  readonly explained: ExplainedIo | undefined;
}

/** The I/O that is explained. It is past and fixed, so it is looked up once. */
export class ExplainedOnce {
  private known: Known | undefined;

  constructor(private readonly monitor: Pick<Monitor, 'explain'>) {}

  of({ mode, singlesBack, filter }: ViewState, endNs: number): ExplainedIo | undefined {
    if (mode !== 'explain' || singlesBack === undefined) return (this.known = undefined);
    const { known } = this;
    if (known?.endNs === endNs && known.back === singlesBack && known.filter === filter)
      return known.explained;
    const explained = this.monitor.explain(endNs, singlesBack);
    this.known = { endNs, back: singlesBack, filter, explained };
    return explained;
  }
}
