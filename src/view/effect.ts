import type { Latency } from '../model/metric.ts';
import type { EditedLine } from './line-editor.ts';
import type { MapCell, Mode, PointedCell, Slowest } from './state.ts';

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
  | 'putNote'
  | 'cancelJob';

/**
 * A computation for the view that the reducer returns. The answer is the action named next to it, in most cases at
 * once.
 */
export type Computation =
  /** The most notable cell: `notableCell`. */
  | { readonly type: 'findNotableCell' }
  /** The slowest I/O of the history that matches the filter: `slowestFound`. */
  | { readonly type: 'findSlowest'; readonly fromStart: boolean }
  /** The bursts of slow I/O of the history that match the filter: `burstsFound`. */
  | {
      readonly type: 'findBursts';
      readonly fromStart: boolean;
      readonly latency: Latency;
      readonly columnNs: number;
    }
  /** The cell in which that I/O is drawn: `slowestPlaced`. */
  | { readonly type: 'placeSlowest'; readonly slowest: Slowest }
  /** The fullest bin of a column: `binFound`. */
  | { readonly type: 'findFullestBin'; readonly column: number }
  /** The fullest of the bins that a row of cells shows: `binFound`. */
  | { readonly type: 'findFullerBin'; readonly at: PointedCell }
  /** The bin above the uppermost of the map under the cursor: `binFound`. */
  | { readonly type: 'findTopBin' }
  /** The box between two cells, both included: `boxRead`. */
  | { readonly type: 'readBox'; readonly a: MapCell; readonly b: MapCell; readonly why: BoxUse }
  /** Rows of the table with the focus whose PID, name, disk, cgroup or file contains a text: `rowsFound`. */
  | { readonly type: 'findRows'; readonly text: string; readonly why: MatchUse }
  /** The best completion at the cursor of a filter: `completed`, if there is one. */
  | { readonly type: 'completeFilter'; readonly line: EditedLine }
  /** The last note in a stretch, or a new one at its start: `noteRead`. */
  | {
      readonly type: 'readNote';
      readonly fromNs: number;
      readonly untilNs: number;
      /** The note to read if it is there; else the last one. */
      readonly foundNoteNs: number | undefined;
    }
  /**
   * The first note at or after a time, or if there is none, the first of all; without a time the latest: `noteFound`.
   */
  | { readonly type: 'findNote'; readonly fromNs: number | undefined }
  /** The action at a row of the list of actions; that action is then dispatched. */
  | {
      readonly type: 'findAction';
      readonly mode: Mode;
      readonly text: string;
      readonly row: number;
    }
  /** The filter terms of the selected row; for a highlight, of the first row if none is selected: `rowRead`. */
  | { readonly type: 'readRow'; readonly why: RowUse }
  /** The card of the selected row, or of the first if none is selected: `cardRead`. */
  | { readonly type: 'readCard' }
  /** The entries of the list that was opened, in order: `entriesRead`. */
  | { readonly type: 'readEntries' }
  /** The entry of the open list at a row: `entryRead`, if there is one. */
  | { readonly type: 'readEntry'; readonly row: number; readonly why: EntryUse };

export type RowUse = 'filter' | 'highlight';
export type BoxUse = 'drill-down' | 'zoom' | 'highlight';
export type MatchUse = 'first' | 'count' | 'next' | 'previous';
export type EntryUse = 'mark' | 'submit';

export type Effect = { readonly type: 'run'; readonly what: ProgramEffect } | Computation;
