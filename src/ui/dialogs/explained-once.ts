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

/** Looks up the I/O that is explained once, because it is in the past and does not change. */
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
