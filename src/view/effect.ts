import type { EditedLine } from './line-editor.ts';
import type { MapCell, PointedCell, Slowest } from './state.ts';

/** What the program does beyond changing the view. */
export type ProgramEffect =
  | 'quit'
  | 'suspend'
  | 'redraw'
  | 'saveSettings'
  | 'slower'
  | 'faster'
  | 'nextGap'
  | 'exportView'
  | 'toggleRecording'
  | 'startRecording'
  | 'saveHistory'
  | 'cancelJob';

/**
 * What has to be computed of the view as the reducer leaves it; the answer comes back as the action
 * named beside it, mostly at once.
 */
export type Computation =
  /** The cell where a reader would look first: `notableCell`. */
  | { readonly type: 'findNotableCell' }
  /** The slowest I/O of the history that passes the filter: `slowestFound`. */
  | { readonly type: 'findSlowest'; readonly fromStart: boolean }
  /** The cell in which that I/O is drawn: `slowestPlaced`. */
  | { readonly type: 'placeSlowest'; readonly slowest: Slowest }
  /** The bin of a column that holds most: `binFound`. */
  | { readonly type: 'findFullestBin'; readonly column: number }
  /** Of the bins that a row of cells shows, the one that holds most: `binFound`. */
  | { readonly type: 'findFullerBin'; readonly at: PointedCell }
  /** How many bins the map under the cursor has; the one above the uppermost is the answer: `binFound`. */
  | { readonly type: 'findTopBin' }
  /** The values and times between two cells, both included: `boxRead`. */
  | { readonly type: 'readBox'; readonly a: MapCell; readonly b: MapCell; readonly why: BoxUse }
  /** Rows of the table with the focus whose PID, name, disk or cgroup holds a text: `rowsFound`. */
  | { readonly type: 'findRows'; readonly text: string; readonly why: MatchUse }
  /** The best completion at the cursor of a filter: `completed`, if there is one. */
  | { readonly type: 'completeFilter'; readonly line: EditedLine }
  /** What the selected row of the table is about: `rowRead`. */
  | { readonly type: 'readRow' }
  /** The entry of the open list at a row: `entryRead`, if there is one. */
  | { readonly type: 'readEntry'; readonly row: number; readonly why: EntryUse };

export type BoxUse = 'drill-down' | 'zoom';
export type MatchUse = 'first' | 'count' | 'next' | 'previous';
export type EntryUse = 'mark' | 'submit';

export type Effect = { readonly type: 'run'; readonly what: ProgramEffect } | Computation;
