import type { BackgroundChoice } from '../base/background.ts';
import type { Box, ValueRange } from '../filter/box.ts';
import type { Filter, Term } from '../filter/filter.ts';
import { NO_FILTER } from '../filter/filter.ts';
import type { Card } from '../model/card.ts';
import { DEFAULT_LAYER } from '../model/layer.ts';
import type { Layer, TraceLatency } from '../model/layer.ts';
import { isPlace } from '../model/metric.ts';
import type {
  Grouping,
  LaneFigure,
  Latency,
  Layout,
  Metric,
  OutlierCut,
  PaletteName,
  ScaleKind,
  Weight,
} from '../model/metric.ts';
import type { EditedLine } from './line-editor.ts';
import { DEFAULT_DISK_COLUMNS, DEFAULT_PROCESS_COLUMNS } from './table-columns.ts';
import type { DiskSort, ProcessSort } from './table-columns.ts';

export { DISK_SORTS, type DiskSort, PROCESS_SORTS, type ProcessSort } from './table-columns.ts';

export type Pane = 'processes' | 'disks';

/** Which keys are active: those of the main screen, or of a dialog over it. */
export const MODES = [
  'main',
  'help',
  'pick',
  'toggles',
  'filter',
  'goto',
  'cursor',
  'drillDown',
  'trend',
  'columns',
  'card',
  'actions',
  'inFlight',
  'singles',
  'explain',
  'find',
  'export',
  'record',
  'save',
  'note',
] as const;
export type Mode = (typeof MODES)[number];

/** A cell of the map: column 0 is the leftmost; bin `bins` is the outlier row. */
export interface MapCell {
  readonly column: number;
  readonly bin: number;
}

/** A row of cells of the map under the pointer: its column, and the bins that it shows. */
export interface PointedCell {
  readonly column: number;
  readonly lowBin: number;
  readonly highBin: number;
}

/** An entry of a list under the pointer, and the line of the list, from 0, that it is in. */
export interface PointedEntry {
  readonly row: number;
  readonly line: number;
}

/** A row under the pointer in the list of single I/Os that ended with the trace time `endNs`, in ns. */
export interface PointedSingle {
  readonly endNs: number;
  /** Counted back from the last row. */
  readonly back: number;
  /** The line of the list, from 0. */
  readonly line: number;
}

/** When the slowest I/O of the history completed. Times in ns. */
export interface Slowest {
  readonly atNs: number;
  /** Uncertainty of `atNs`: 0 where it is known as a single I/O. */
  readonly withinNs: number;
  readonly latencyNs: number;
}

/** An earlier filter, and the layer that was shown with it if the next filter changed that. */
export interface EarlierFilter {
  readonly filter: Filter;
  readonly layer: Layer | undefined;
}

/** An entry as it was when its list was opened. */
export interface OpenedEntry {
  readonly id: string;
  readonly label: string;
  /** Whether the filter may leave it out, so that it is unknown whether it is idle. */
  readonly isLeftOut?: boolean | undefined;
}

/** The open list of processes or disks to filter by. */
export interface PickState {
  readonly what: 'process' | 'disk';
  /**
   * Those in it when it was opened, the busiest first, then those with earlier I/O in the picture: none moves to another
   * row while somebody chooses. Last are those that the filter of the list leaves out.
   */
  readonly opened: readonly OpenedEntry[];
  /** Narrows the list: part of a name or a number. */
  readonly query: EditedLine;
  /** The row under the cursor, among the entries that match the query. */
  readonly row: number;
  /** The line of the list in which the row was clicked and stays; absent for the middle. */
  readonly line?: number | undefined;
  /** How that row was chosen; absent while it is the first match because nobody has chosen one. */
  readonly rowBy?: 'key' | 'click' | undefined;
  /** The chosen entries: PIDs or disk names, as text. At first those of the filter. */
  readonly chosen: readonly string[];
  /** Whether a person has marked or unmarked one of them. */
  readonly isMarked?: boolean;
  /** Whether the chosen ones are excluded. */
  readonly invert: boolean;
  /** The grouping of the table, which comes back, if the list needs another one: rows of single processes. */
  readonly groupingBefore?: Grouping;
}

/** The open list of all actions of a mode. */
export interface ActionListState {
  /** Narrows the list: words of its text, or a key. */
  readonly query: EditedLine;
  /** The row under the cursor, among the actions that match the query. */
  readonly row: number;
  /** See `PickState`. */
  readonly line?: number | undefined;
  readonly rowBy?: 'key' | 'click' | undefined;
  readonly of: Mode;
}

/** The card of a process or disk, as known when it was opened. */
export interface OpenCard extends Card {
  /** The filter terms that show only this. */
  readonly terms: readonly Term[];
}

/** The line that is being typed, and the error in it. */
export interface PromptState {
  readonly line: EditedLine;
  readonly problem: PromptProblem | undefined;
  /** Of a search: the row that was selected before, and is so again while nothing matches. */
  readonly rowBefore?: SelectedRow | undefined;
}

export interface PromptProblem {
  /** Code units from the start of the line. */
  readonly column: number;
  readonly message: string;
}

/**
 * What the cursor waits for: the most notable cell of the picture, the slowest I/O or the bursts of the history, or
 * the cell of an I/O in the picture.
 */
export type Sought =
  | { readonly kind: 'notable' }
  | { readonly kind: 'slowest' }
  | {
      readonly kind: 'place';
      readonly slowest: Slowest;
      /** A text about what was found. */
      readonly found: string;
      readonly isMapOfTwo: boolean;
    }
  | {
      readonly kind: 'bursts';
      readonly step: 1 | -1;
      /** Number of the column to start from, counted from the start of the trace. */
      readonly from: number;
      /** Restored when there is no further burst. */
      readonly before: Pick<
        ViewState,
        'mode' | 'cursor' | 'anchor' | 'frozenAtNs' | 'heldForCursor'
      >;
    };

/** What a person looks at, as kept for the keys back and forward. */
export type Place = Pick<
  ViewState,
  | 'metric'
  | 'latency'
  | 'layout'
  | 'layer'
  | 'valueRange'
  | 'filter'
  | 'highlight'
  | 'intervalNs'
  | 'frozenAtNs'
>;

export type ShownBefore = Pick<ViewState, 'metric' | 'latency' | 'layout' | 'valueRange'>;

/** A row of a table, or of the list of I/Os in flight. The selection stays on it where its place changes. */
export interface SelectedRow {
  /** Equal for the same row in every table of the same grouping. */
  readonly id: string;
  /** Its place in the order shown, from 0, when it was selected. */
  readonly place: number;
  /** The line of the table in which it was clicked and stays; absent for the middle. */
  readonly line?: number | undefined;
}

/** What a user can choose. Small and immutable; changed only by `reduce`. */
export interface ViewState {
  readonly mode: Mode;
  /** The mode in which the help was opened: its keys come first, and closing returns to it. */
  readonly helpFor: Mode;
  readonly layout: Layout;
  /** The layer of everything that is counted: the same bytes pass several layers. */
  readonly layer: Layer;
  /** What the y axis shows; with several heat maps, that of the one with the cursor. */
  readonly metric: Metric;
  /** The latency last shown: what a layout shows next to other values. */
  readonly latency: Latency;
  /** Of the trace that is replayed; every view of it has the same. */
  readonly traceLatency?: TraceLatency;
  readonly laneFigure: LaneFigure;
  /** Applies to latencies and sizes; offset and utilization are always linear. */
  readonly scale: ScaleKind;
  readonly weight: Weight;
  readonly outlierCut: OutlierCut;
  readonly palette: PaletteName;
  readonly background: BackgroundChoice;
  /** Width of one heat map column, in ns. */
  readonly intervalNs: number;
  /**
   * Whether columns get wider by themselves so that all of the trace is on the screen: until a width is chosen by hand.
   */
  readonly fitsInterval: boolean;
  /** Trace time, in ns, at the right edge of the picture; undefined while it follows. */
  readonly frozenAtNs: number | undefined;
  /** The y axis as zoomed by hand, in the metric's unit; undefined while it fits itself. */
  readonly valueRange: ValueRange | undefined;
  readonly cursor: MapCell | undefined;
  /** Whether the picture is frozen only for the cursor, and follows again when the cursor is left. */
  readonly heldForCursor: boolean;
  /** What the cursor waits for; undefined when it stays where it is. */
  readonly seeks: Sought | undefined;
  /** What was shown before the picture went to the slowest I/O; leaving the cursor restores it. */
  readonly beforeSlowest: ShownBefore | undefined;
  /** The corner opposite to the cursor, while a box is being selected. */
  readonly anchor: MapCell | undefined;
  /** The box of the drill-down, while it is open. */
  readonly drillDown: Box | undefined;
  readonly filter: Filter;
  /** Filters before this one, the latest last. */
  readonly filterStack: readonly EarlierFilter[];
  /** I/O that heat maps show in colour, the rest in grey. */
  readonly highlight: Filter;
  /** Earlier views, the latest last; and the views that were left by going back. */
  readonly back: readonly Place[];
  readonly forward: readonly Place[];
  readonly pick: PickState | undefined;
  readonly actions: ActionListState | undefined;
  /** The open card of a process or disk. */
  readonly card: OpenCard | undefined;
  readonly prompt: PromptState | undefined;
  /** Trace time of the note that is being typed, in whole ns. */
  readonly noteAtNs: number | undefined;
  /** Trace time of the note that was gone to last, in ns: its column may have several. */
  readonly foundNoteNs: number | undefined;
  /** The mode in which the prompt was opened, and to which it returns. */
  readonly promptFor: Mode;
  readonly focus: Pane;
  readonly grouping: Grouping;
  readonly processSort: ProcessSort;
  readonly diskSort: DiskSort;
  /** Columns of the tables, in their order. */
  readonly processColumns: readonly ProcessSort[];
  readonly diskColumns: readonly DiskSort[];
  /** The entry under the cursor of the list of columns. */
  readonly columnRow: number;
  /** The line of the list in which it was clicked and stays; undefined for the middle. */
  readonly columnLine: number | undefined;
  /** The search text in the tables; empty without a search. */
  readonly findText: string;
  /** Whether the program asks the terminal for the mouse. */
  readonly mouse: boolean;
  /** The selected row of each table; undefined until one is chosen. */
  readonly processRow: SelectedRow | undefined;
  readonly diskRow: SelectedRow | undefined;
  /** First visible row of the help and of the drill-down panel. */
  readonly helpTop: number;
  readonly drillDownTop: number;
  /** The selected row of the list of I/Os in flight; undefined until one is chosen. */
  readonly inFlightRow: SelectedRow | undefined;
  /** The row under the cursor of the list of single I/Os, counted back from the last one; undefined until one is chosen. */
  readonly singlesBack: number | undefined;
  /** The line of that list in which this row was clicked and stays; undefined for the middle. */
  readonly singlesLine: number | undefined;
  /** The result of the last key; shown in the status line until the next key. */
  readonly notice: string | undefined;
  /** A notice that no key asked for, and the real time in ms at which it disappears if it is still there. */
  readonly passing: { readonly notice: string; readonly endsMs: number } | undefined;
}

export const DEFAULT_VIEW: ViewState = {
  mode: 'main',
  helpFor: 'main',
  layout: 'single',
  layer: DEFAULT_LAYER,
  metric: 'total',
  latency: 'total',
  laneFigure: 'p99',
  scale: 'log',
  weight: 'count',
  outlierCut: 0.001,
  palette: 'spectrum',
  background: 'auto',
  intervalNs: 1e9,
  fitsInterval: false,
  frozenAtNs: undefined,
  valueRange: undefined,
  cursor: undefined,
  heldForCursor: false,
  seeks: undefined,
  beforeSlowest: undefined,
  anchor: undefined,
  drillDown: undefined,
  filter: NO_FILTER,
  filterStack: [],
  highlight: NO_FILTER,
  back: [],
  forward: [],
  pick: undefined,
  actions: undefined,
  card: undefined,
  prompt: undefined,
  noteAtNs: undefined,
  foundNoteNs: undefined,
  promptFor: 'main',
  focus: 'processes',
  grouping: 'process-disk',
  processSort: 'wait',
  diskSort: 'util',
  processColumns: DEFAULT_PROCESS_COLUMNS,
  diskColumns: DEFAULT_DISK_COLUMNS,
  columnRow: 0,
  columnLine: undefined,
  findText: '',
  mouse: true,
  processRow: undefined,
  diskRow: undefined,
  helpTop: 0,
  drillDownTop: 0,
  inFlightRow: undefined,
  singlesBack: undefined,
  singlesLine: undefined,
  notice: undefined,
  passing: undefined,
};

/** Offsets and shares have no useful logarithm. */
export function effectiveScale(view: Pick<ViewState, 'metric' | 'scale'>): ScaleKind {
  return isPlace(view.metric) || view.metric === 'utilization' ? 'linear' : view.scale;
}

/** The mode below a prompt; without a prompt, the mode itself. */
export function modeUnderPrompt({
  mode,
  prompt,
  promptFor,
}: Pick<ViewState, 'mode' | 'prompt' | 'promptFor'>): Mode {
  return prompt === undefined ? mode : promptFor;
}

/** The mode below a dialog that opens with or without a cross-hair. */
export function modeOfPicture({ cursor }: Pick<ViewState, 'cursor'>): 'main' | 'cursor' {
  return cursor === undefined ? 'main' : 'cursor';
}

/** The selected row of the open list of I/Os in flight; otherwise of the table that has the focus. */
export function selectionOf(
  state: Pick<ViewState, 'mode' | 'inFlightRow' | 'focus' | 'processRow' | 'diskRow'>,
): SelectedRow | undefined {
  return state.mode === 'inFlight' ? state.inFlightRow : tableSelection(state);
}

/** The selected row of the table that has the focus. */
export function tableSelection({
  focus,
  processRow,
  diskRow,
}: Pick<ViewState, 'focus' | 'processRow' | 'diskRow'>): SelectedRow | undefined {
  return focus === 'processes' ? processRow : diskRow;
}
