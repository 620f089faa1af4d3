import type { Box } from '../filter/box.ts';
import type { Term } from '../filter/filter.ts';
import type { Layout, Metric } from '../model/metric.ts';
import type { EditedLine } from './line-editor.ts';
import type { PointedCell } from './reduce-pointer.ts';
import type { DiskSort, ProcessSort } from './table-columns.ts';
import type { MapCell, Pane, ViewState } from './view-state.ts';

/** Everything a key can do to the view. A list of actions replays a sitting. */
export type Action =
  | { readonly type: 'setMetric'; readonly metric: Metric }
  | { readonly type: 'cycleMetric'; readonly step: 1 | -1 }
  | { readonly type: 'cycleLatency' }
  | { readonly type: 'cycleLayout' }
  | { readonly type: 'toggleScale' }
  | { readonly type: 'cycleOutlierCut' }
  | { readonly type: 'cyclePalette' }
  | { readonly type: 'cycleWeight' }
  | { readonly type: 'fitValues' }
  | { readonly type: 'stepInterval'; readonly step: 1 | -1 }
  | { readonly type: 'togglePause' }
  | { readonly type: 'scrollTime'; readonly by: TimeStep }
  | { readonly type: 'cycleSort'; readonly step: 1 | -1 }
  | { readonly type: 'cycleGrouping' }
  | { readonly type: 'switchFocus' }
  | { readonly type: 'moveRow'; readonly by: ScrollBy }
  | { readonly type: 'scroll'; readonly by: ScrollBy }
  | { readonly type: 'openHelp' }
  | { readonly type: 'openGoto' }
  | { readonly type: 'openTrend' }
  | { readonly type: 'openExport' }
  | { readonly type: 'openRecord' }
  | { readonly type: 'openSave' }
  | { readonly type: 'edit'; readonly key: string }
  /** One line; undefined if it was too long. */
  | { readonly type: 'paste'; readonly text: string | undefined }
  | { readonly type: 'submit' }
  | { readonly type: 'close' }
  | {
      readonly type: 'sortBy';
      readonly sort:
        | { readonly pane: 'processes'; readonly by: ProcessSort }
        | { readonly pane: 'disks'; readonly by: DiskSort };
    }
  | { readonly type: 'openColumns' }
  | { readonly type: 'moveColumnRow'; readonly by: ScrollBy }
  | { readonly type: 'toggleColumn'; readonly row?: number }
  | { readonly type: 'shiftColumn'; readonly step: 1 | -1 }
  | { readonly type: 'resetColumns' }
  | { readonly type: 'openFind' }
  | { readonly type: 'nextMatch'; readonly step: 1 | -1 }
  | { readonly type: 'pointAt'; readonly at: PointedCell }
  | { readonly type: 'dragTo'; readonly at: PointedCell }
  | { readonly type: 'focusPane'; readonly pane: Pane }
  | { readonly type: 'pointAtRow'; readonly pane: Pane; readonly row: number }
  | { readonly type: 'pointAtEntry'; readonly row: number }
  | { readonly type: 'markEntry'; readonly row: number }
  | { readonly type: 'openCursor' }
  | { readonly type: 'goToWorst' }
  | { readonly type: 'seekOn' }
  | { readonly type: 'moveCursor'; readonly columns: number; readonly bins: number }
  | { readonly type: 'nextMap'; readonly step: 1 | -1 }
  | { readonly type: 'edgeCursor'; readonly to: 'left' | 'right' }
  | { readonly type: 'toggleAnchor' }
  | { readonly type: 'zoomToBox' }
  | { readonly type: 'openDetail' }
  | { readonly type: 'openFilter' }
  | { readonly type: 'complete' }
  | { readonly type: 'openToggles' }
  | { readonly type: 'toggleTerm'; readonly term: Term }
  | { readonly type: 'openPick'; readonly what: 'process' | 'disk' }
  | { readonly type: 'movePick'; readonly by: ScrollBy }
  | { readonly type: 'choose' }
  | { readonly type: 'invertPick' }
  | { readonly type: 'filterByRow' }
  | { readonly type: 'filterByBox' }
  | { readonly type: 'undoFilter' }
  | { readonly type: 'clearFilter' };

export type ScrollBy = 'row' | 'rowBack' | 'page' | 'pageBack' | 'start' | 'end';

/** Steps along the time axis: a tenth of the screen, a screen, the first I/O, the present. */
export type TimeStep = 'later' | 'earlier' | 'screen' | 'screenBack' | 'first' | 'now';

/** What a key does to the program rather than to the view; the composition root carries it out. */
export type Effect =
  | 'quit'
  | 'suspend'
  | 'redraw'
  | 'keepSettings'
  | 'slower'
  | 'faster'
  | 'nextGap'
  | 'exportView'
  | 'toggleRecording'
  | 'startRecording'
  | 'savePast'
  | 'callOff';

/** Times of a trace that is being replayed, in ns. */
export interface ReplayContext {
  readonly startNs: number;
  /** Infinity while it is not known. */
  readonly endNs: number;
}

/** When the slowest I/O of the history completed. Times in ns. */
export interface Worst {
  readonly atNs: number;
  /** How far from `atNs` it may have been: 0 where it is known as a single I/O. */
  readonly withinNs: number;
  readonly latencyNs: number;
}

export interface MapOfView {
  readonly bins: number;
  /** The bin of a column that holds most; `bins` is the outlier lane. */
  fullestBin(column: number): number;
}

/** What the reducer may know of the world. */
export interface ActionContext {
  /** Trace time of the present and of the first I/O, in ns. */
  readonly nowNs: number;
  readonly startNs: number;
  /** Wall clock at `nowNs`, in ms since the epoch. */
  readonly wallNowMs: number;
  /** Where a trace that was made before begins and ends; absent where the present is its end. */
  readonly replay?: ReplayContext | undefined;
  /** Size of the map on the screen. */
  readonly columns: number;
  readonly bins: number;
  /** Why the screen cannot show a layout; undefined when it can. */
  readonly layoutProblem: (layout: Layout) => string | undefined;
  /** Rows the list that would scroll holds, and how many of them are visible. */
  readonly listRows: number;
  readonly listHeight: number;
  /** The entries of the open pick list that its query leaves, in order. */
  readonly pickIds: readonly string[];
  /** What the selected row of the table is about; undefined when none is selected or it has no owner. */
  readonly rowTerms: readonly Term[] | undefined;
  /** The best completion of a filter at the cursor: it replaces the text from `from` on. */
  readonly completion: (line: EditedLine) => { from: number; text: string } | undefined;
  /** Where a reader would look first: the slowest I/O; undefined for an empty picture. */
  readonly notableCell: () => MapCell | undefined;
  /** Whether the picture has been counted only in part: more may come into any cell. */
  readonly isCounting: () => boolean;
  /** Of the bins that a row of cells shows, the one that holds most. */
  readonly fullerBin: (at: PointedCell) => number;
  /** Rows of the table with the focus whose PID, name, disk or cgroup holds a text, ascending. */
  readonly findRows: (text: string) => readonly number[];
  /**
   * The slowest I/O that passes the filter; undefined when none has a time. The search goes on with
   * each call, and begins anew if asked to.
   */
  readonly worst: (isAnew: boolean) => Worst | 'searching' | undefined;
  /** Where that I/O stands in the picture of another view; undefined when that does not show it. */
  readonly cellOfWorst: (view: ViewState, worst: Worst) => MapCell | 'counting' | undefined;
  /** The map that the cursor would be in with another view. */
  readonly mapOf: (view: ViewState) => MapOfView;
  /** The part of the picture between two cells, both included. */
  readonly boxOf: (a: MapCell, b: MapCell) => Box;
}
