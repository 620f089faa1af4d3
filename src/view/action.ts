import type { Box } from '../filter/box.ts';
import type { Term } from '../filter/filter.ts';
import type { Burst } from '../model/bursts.ts';
import type { Layer } from '../model/layer.ts';
import type { Layout, Metric, PaletteName } from '../model/metric.ts';
import type { BoxUse, EntryUse, MatchUse, ProgramEffect, RowUse } from './effect.ts';
import type { StackedMap } from './stack.ts';
import type {
  MapCell,
  OpenCard,
  Pane,
  PickState,
  PointedCell,
  PointedEntry,
  PointedSingle,
  SelectedRow,
  Slowest,
} from './state.ts';
import type { DiskSort, ProcessSort } from './table-columns.ts';

/** What a person does. A list of actions, each with the facts at its time, replays a session. */
export type PersonAction =
  | { readonly type: 'setMetric'; readonly metric: Metric }
  | { readonly type: 'cycleMetric'; readonly step: 1 | -1 }
  | { readonly type: 'cycleLatency' }
  | { readonly type: 'cycleLayout' }
  | { readonly type: 'cycleLayer' }
  | { readonly type: 'toggleScale' }
  | { readonly type: 'cycleOutlierCut' }
  | { readonly type: 'cyclePalette' }
  | { readonly type: 'cycleWeight' }
  | { readonly type: 'fitValues' }
  | { readonly type: 'stepInterval'; readonly step: 1 | -1 }
  | { readonly type: 'togglePause' }
  | { readonly type: 'scrollTime'; readonly by: TimeStep }
  | { readonly type: 'cycleSort'; readonly step: 1 | -1 }
  | { readonly type: 'shiftSort'; readonly step: 1 | -1 }
  | { readonly type: 'sortBy'; readonly sort: TableSort }
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
  | { readonly type: 'openNote' }
  | { readonly type: 'nextNote' }
  | { readonly type: 'edit'; readonly key: string }
  /** Undefined if the pasted text was too long. */
  | { readonly type: 'paste'; readonly text: string | undefined }
  | { readonly type: 'submit' }
  | { readonly type: 'close' }
  | { readonly type: 'openColumns' }
  | { readonly type: 'openInFlight' }
  | { readonly type: 'openSingles' }
  | { readonly type: 'moveSingle'; readonly by: ScrollBy }
  | { readonly type: 'explainSingle' }
  | ({ readonly type: 'pointAtSingle' } & PointedSingle)
  | { readonly type: 'moveColumnRow'; readonly by: ScrollBy }
  | { readonly type: 'toggleColumn'; readonly at?: PointedEntry }
  | { readonly type: 'shiftColumn'; readonly step: 1 | -1 }
  | { readonly type: 'resetColumns' }
  | { readonly type: 'openFind' }
  | { readonly type: 'nextMatch'; readonly step: 1 | -1 }
  | { readonly type: 'pointAt'; readonly at: PointedCell }
  | { readonly type: 'dragTo'; readonly at: PointedCell }
  | { readonly type: 'focusPane'; readonly pane: Pane }
  /** Without a pane, of the open list of I/Os in flight. */
  | { readonly type: 'pointAtRow'; readonly pane?: Pane; readonly row: SelectedRow }
  | ({ readonly type: 'pointAtEntry' } & PointedEntry)
  | ({ readonly type: 'markEntry' } & PointedEntry)
  | { readonly type: 'openCursor' }
  | { readonly type: 'goToSlowest' }
  | { readonly type: 'nextBurst'; readonly step: 1 | -1 }
  | { readonly type: 'moveCursor'; readonly columns: number; readonly bins: number }
  | { readonly type: 'nextMap'; readonly step: 1 | -1 }
  /** Where the cross-hair is not pointed into the map, it keeps its column. */
  | { readonly type: 'chooseMap'; readonly map: StackedMap; readonly keepsColumn: boolean }
  | { readonly type: 'edgeCursor'; readonly to: 'left' | 'right' }
  | { readonly type: 'toggleAnchor' }
  | { readonly type: 'zoomToBox' }
  | { readonly type: 'openDrillDown' }
  | { readonly type: 'openActions' }
  | { readonly type: 'moveAction'; readonly by: ScrollBy }
  | ({ readonly type: 'pointAtAction' } & PointedEntry)
  | { readonly type: 'setPalette'; readonly palette: PaletteName }
  | { readonly type: 'setLayout'; readonly layout: Layout }
  | { readonly type: 'setLayer'; readonly layer: Layer }
  | { readonly type: 'goBack' }
  | { readonly type: 'goForward' }
  | { readonly type: 'openFilter' }
  | { readonly type: 'complete' }
  | { readonly type: 'openToggles' }
  | { readonly type: 'toggleTerm'; readonly term: Term }
  | { readonly type: 'openPick'; readonly what: 'process' | 'disk' }
  | { readonly type: 'movePick'; readonly by: ScrollBy }
  | { readonly type: 'markPick' }
  | { readonly type: 'invertPick' }
  | { readonly type: 'filterByRow' }
  | { readonly type: 'filterByBox' }
  | { readonly type: 'openCard' }
  | { readonly type: 'filterByCard' }
  | { readonly type: 'highlightRow' }
  | { readonly type: 'highlightTerm'; readonly term: Term }
  | { readonly type: 'highlightBox' }
  /** Highlights the I/O in these bins of the picture's map, both included. */
  | { readonly type: 'highlightBins'; readonly lowBin: number; readonly highBin: number }
  /** Ends the highlight, or else what runs in the background. */
  | { readonly type: 'stop' }
  | { readonly type: 'undoFilter' }
  | { readonly type: 'clearFilter' }
  | { readonly type: 'run'; readonly what: ProgramEffect };

/** Answers to computations that the reducer asked for; see `Computation`. */
export type Answer =
  | {
      readonly type: 'notableCell';
      /** Undefined for an empty picture. */
      readonly cell: MapCell | undefined;
      /** Whether only a part of the picture has been counted, so that any cell may still grow. */
      readonly isPartial: boolean;
    }
  | { readonly type: 'slowestFound'; readonly slowest: Slowest | 'searching' | undefined }
  /** In order of time. */
  | { readonly type: 'burstsFound'; readonly bursts: readonly Burst[] | 'searching' }
  | {
      readonly type: 'slowestPlaced';
      /** Undefined if the picture does not show it. */
      readonly cell: MapCell | 'counting' | undefined;
    }
  | { readonly type: 'binFound'; readonly bin: number }
  | { readonly type: 'boxRead'; readonly box: Box; readonly why: BoxUse }
  | {
      readonly type: 'rowsFound';
      /** In the order shown. */
      readonly rows: readonly SelectedRow[];
      readonly why: MatchUse;
    }
  /** Text that replaces the part between `from` and the cursor. */
  | { readonly type: 'completed'; readonly from: number; readonly text: string }
  /** The note to change; its text is empty for a new one. */
  | { readonly type: 'noteRead'; readonly atNs: number; readonly text: string }
  /** Undefined if there are no notes. `place` counts from 1, in order of time. */
  | {
      readonly type: 'noteFound';
      readonly found:
        { readonly atNs: number; readonly place: number; readonly count: number } | undefined;
    }
  /** Undefined if no row is selected, or the row has no owner. */
  | {
      readonly type: 'rowRead';
      readonly terms: readonly Term[] | undefined;
      readonly why: RowUse;
    }
  /** Undefined if no row is selected, or the row is not one process, cgroup, file or disk. */
  | { readonly type: 'cardRead'; readonly card: OpenCard | undefined }
  | { readonly type: 'entriesRead'; readonly entries: PickState['opened'] }
  | {
      readonly type: 'entryRead';
      readonly id: string | undefined;
      /** All entries that match the query. */
      readonly matches: readonly string[];
      readonly why: EntryUse;
    };

/** Cells of the map that the cursor can be in. */
export interface MapSize {
  readonly columns: number;
  readonly bins: number;
}

/** What the program itself reports to the view: playback, jobs, files. */
export type ProgramAction =
  /** More has been counted since the cursor started to wait for it. */
  | { readonly type: 'seekOn' }
  /** The picture had this size before. */
  | { readonly type: 'resized'; readonly before: MapSize }
  /** Time has passed: the trace may have outgrown the picture, and a notice may have been shown for long enough. */
  | { readonly type: 'passTime' }
  /** Undefined clears the notice. */
  | {
      readonly type: 'notify';
      readonly notice: string | undefined;
      /** The notice disappears by itself, because no key asked for it. */
      readonly passes?: boolean;
    }
  | { readonly type: 'showUntil'; readonly atNs: number; readonly notice: string }
  /** A replay is at its end, and stays there. */
  | { readonly type: 'endReached' }
  /** The trace lacks the data that the metric needs. `metric` is another one that it supports, if any. */
  | { readonly type: 'metricUnknown'; readonly metric: Metric | undefined; readonly notice: string }
  | { readonly type: 'promptDone'; readonly notice: string }
  | { readonly type: 'promptFailed'; readonly message: string };

export type Action = PersonAction | Answer | ProgramAction;

/** The action of a type. */
export type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

export type TableSort =
  | { readonly pane: 'processes'; readonly by: ProcessSort }
  | { readonly pane: 'disks'; readonly by: DiskSort };

export type ScrollBy = 'row' | 'rowBack' | 'page' | 'pageBack' | 'start' | 'end';

/** Steps along the time axis: a tenth of the screen, a screen, to the first I/O, to the present. */
export type TimeStep = 'later' | 'earlier' | 'screen' | 'screenBack' | 'first' | 'now';
