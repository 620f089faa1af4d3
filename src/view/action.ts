import type { Metric } from '../model/metric.ts';

/** Everything a key can do to the view. A list of actions replays a sitting. */
export type Action =
  | { readonly type: 'setMetric'; readonly metric: Metric }
  | { readonly type: 'cycleMetric'; readonly step: 1 | -1 }
  | { readonly type: 'cycleLatency' }
  | { readonly type: 'toggleScale' }
  | { readonly type: 'cycleOutlierCut' }
  | { readonly type: 'cyclePalette' }
  | { readonly type: 'stepInterval'; readonly step: 1 | -1 }
  | { readonly type: 'togglePause' }
  | { readonly type: 'cycleSort'; readonly step: 1 | -1 }
  | { readonly type: 'switchFocus' }
  | { readonly type: 'scroll'; readonly by: ScrollBy }
  | { readonly type: 'openHelp' }
  | { readonly type: 'closeHelp' };

export type ScrollBy = 'row' | 'rowBack' | 'page' | 'pageBack' | 'start' | 'end';

/** What a key does to the program rather than to the view; the composition root carries it out. */
export type Effect = 'quit' | 'suspend' | 'redraw';

/** What the reducer may know of the world. */
export interface ActionContext {
  /** Trace time of the newest column, in ns. */
  readonly nowNs: number;
  /** Rows the list that would scroll holds, and how many of them are visible. */
  readonly listRows: number;
  readonly listHeight: number;
}
