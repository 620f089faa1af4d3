import { METRICS } from '../../model/metric.ts';
import type { PersonAction } from '../action.ts';
import type { ProgramEffect } from '../effect.ts';
import { MODES } from '../state.ts';
import type { Mode } from '../state.ts';
import { TOGGLES } from './toggles.ts';

/**
 * One line of the help, and the only place where a key gets its meaning. Keys are named as the key
 * decoder names them: `m`, `M`, `pagedown`, `ctrl+c`.
 */
export interface KeyBinding {
  readonly modes: readonly Mode[];
  readonly group: KeyGroup;
  readonly keys: readonly string[];
  readonly description: string;
  readonly action: PersonAction;
}

export const KEY_GROUPS = [
  'Picture',
  'Time',
  'Tables',
  'Filter',
  'Cursor',
  'Prompts',
  'Program',
] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

/** A binding without its modes. A `ProgramEffect` stands for the action that runs it. */
type Row = readonly [
  group: KeyGroup,
  keys: readonly string[],
  description: string,
  does: PersonAction | ProgramEffect,
];

function bind(modes: readonly Mode[], rows: readonly Row[]): KeyBinding[] {
  return rows.map(([group, keys, description, does]) => ({
    modes,
    group,
    keys,
    description,
    action: typeof does === 'string' ? { type: 'run', what: does } : does,
  }));
}

/** The keys of a list or text of rows. */
function rowKeys(
  group: KeyGroup,
  type: 'scroll' | 'moveRow' | 'moveSingle',
  [first, last]: readonly [string, string] = ['first row', 'last row'],
): readonly Row[] {
  // Where no row is selected, the keys move nothing while all rows are on the screen.
  const [row, rowBack, page, pageBack] =
    type === 'scroll'
      ? ['scroll down', 'scroll up', 'scroll down a page', 'scroll up a page']
      : ['next row', 'previous row', 'next page', 'previous page'];
  return [
    [group, ['down', 'j'], row, { type, by: 'row' }],
    [group, ['up', 'k'], rowBack, { type, by: 'rowBack' }],
    [group, ['pagedown', 'space'], page, { type, by: 'page' }],
    [group, ['pageup'], pageBack, { type, by: 'pageBack' }],
    [group, ['home'], first, { type, by: 'start' }],
    [group, ['end'], last, { type, by: 'end' }],
  ];
}

const METRIC_NAMES = {
  device: 'device latency: from issue to completion',
  queue: 'queue latency: from queued to issue',
  total: 'total latency: from queued to completion',
  offset: 'offset: where on the disk',
  'file-offset': 'offset in the file: filter one with file=',
  size: 'size of each I/O',
  utilization: 'utilization: % busy; colour: number of disks',
} as const;

const METRIC_KEYS: readonly Row[] = METRICS.map((metric, index) => [
  'Picture',
  [String(index + 1)],
  METRIC_NAMES[metric],
  { type: 'setMetric', metric },
]);

const TIME_KEYS: readonly Row[] = [
  ['Time', ['space'], 'freeze or resume (replay: pause or play)', { type: 'togglePause' }],
  ['Time', ['left'], 'a tenth of the screen back', { type: 'scrollTime', by: 'earlier' }],
  ['Time', ['right'], 'a tenth of the screen forward', { type: 'scrollTime', by: 'later' }],
  ['Time', ['pageup'], 'a screen back', { type: 'scrollTime', by: 'screenBack' }],
  ['Time', ['pagedown'], 'a screen forward', { type: 'scrollTime', by: 'screen' }],
  ['Time', ['home'], 'to the first I/O', { type: 'scrollTime', by: 'first' }],
  ['Time', ['end'], 'to now, and follow (replay: to the end)', { type: 'scrollTime', by: 'now' }],
  ['Time', ['-'], 'longer columns: more time on screen', { type: 'stepInterval', step: 1 }],
  ['Time', ['+', '='], 'shorter columns: finer time', { type: 'stepInterval', step: -1 }],
  ['Time', ['['], 'slower (replay); the previous pattern (demo)', 'slower'],
  ['Time', [']'], 'faster (replay); the next pattern (demo)', 'faster'],
  ['Time', ['}'], 'to the next gap in the recording (replay)', 'nextGap'],
];

const SLOWEST_ROW: Row = [
  'Time',
  ['!'],
  'to the slowest I/O of the history',
  { type: 'goToSlowest' },
];

const GOTO_ROW: Row = [
  'Time',
  ['g'],
  'go to a time: 14:02, 3m ago, +30s, 50% (replay)',
  { type: 'openGoto' },
];

const SORT_ROWS: readonly Row[] = [
  ['Tables', ['s'], 'sort by waiting, MB/s, P99, MAX, Q% …', { type: 'cycleSort', step: 1 }],
  ['Tables', ['S'], 'sort by the previous figure', { type: 'cycleSort', step: -1 }],
];

const GROUPING_ROW: Row = [
  'Tables',
  ['G'],
  'rows by process and disk, process, thread, name, cgroup, file, folder, or processes × disks',
  { type: 'cycleGrouping' },
];

const CARD_ROW: Row = ['Tables', ['i'], 'card of the selected row', { type: 'openCard' }];

const MAIN_KEYS: readonly Row[] = [
  ...METRIC_KEYS,
  ['Picture', ['m'], 'next metric', { type: 'cycleMetric', step: 1 }],
  ['Picture', ['M'], 'previous metric', { type: 'cycleMetric', step: -1 }],
  ['Picture', ['l'], 'device, queue or total latency', { type: 'cycleLatency' }],
  ['Picture', ['y'], 'logarithmic or linear y axis', { type: 'toggleScale' }],
  [
    'Picture',
    ['x'],
    'hide the slowest from the axis: none, 0.01%, 0.1%, 1%, 5%',
    { type: 'cycleOutlierCut' },
  ],
  [
    'Picture',
    ['V'],
    'next layout: single, stacked, layers, size × latency, offset × latency, or lanes: disks, files, processes, cgroups',
    { type: 'cycleLayout' },
  ],
  ['Picture', ['L'], 'next layer with I/O: disks, volumes, waits, calls', { type: 'cycleLayer' }],
  [
    'Picture',
    ['w'],
    'weight by count, time waited or bytes; lanes: mean or p99',
    { type: 'cycleWeight' },
  ],
  ['Picture', ['c'], 'next palette', { type: 'cyclePalette' }],
  ...TIME_KEYS,
  GOTO_ROW,
  SLOWEST_ROW,
  ['Picture', ['t'], 'charts of rates and latencies over time', { type: 'openTrend' }],
  ['Cursor', ['v'], 'a cross-hair to read values and select a box', { type: 'openCursor' }],
  ['Cursor', ['Z'], 'reset the y axis after a zoom', { type: 'fitValues' }],
  ['Tables', ['tab', 'shift+tab'], 'switch to the other table', { type: 'switchFocus' }],
  ...SORT_ROWS,
  ['Tables', ['>'], 'sort by the next column', { type: 'shiftSort', step: 1 }],
  ['Tables', ['<'], 'sort by the previous column', { type: 'shiftSort', step: -1 }],
  GROUPING_ROW,
  ['Tables', ['C'], 'choose the columns of the table', { type: 'openColumns' }],
  ['Tables', ['f'], 'search for a PID, name, disk, cgroup, file or folder', { type: 'openFind' }],
  [
    'Tables',
    ['n'],
    'next match; without a search, next burst of slow I/O',
    { type: 'nextMatch', step: 1 },
  ],
  ['Tables', ['N'], 'previous match or burst', { type: 'nextMatch', step: -1 }],
  ['Tables', ['down', 'j'], 'next row', { type: 'moveRow', by: 'row' }],
  ['Tables', ['up', 'k'], 'previous row', { type: 'moveRow', by: 'rowBack' }],
  ['Tables', ['ctrl+d'], 'a page of rows down', { type: 'moveRow', by: 'page' }],
  ['Tables', ['ctrl+u'], 'a page of rows up', { type: 'moveRow', by: 'pageBack' }],
  ['Tables', ['enter'], 'show only the selected process or disk', { type: 'filterByRow' }],
  ['Tables', ['H'], 'highlight the selected row: its I/O in colour', { type: 'highlightRow' }],
  CARD_ROW,
  ['Tables', ['e'], 'single I/Os or calls in time order', { type: 'openSingles' }],
  ['Tables', ['I'], 'I/Os in flight, the oldest first', { type: 'openInFlight' }],
  ['Filter', ['p'], 'pick processes from a list', { type: 'openPick', what: 'process' }],
  ['Filter', ['d'], 'pick disks from a list', { type: 'openPick', what: 'disk' }],
  ['Filter', ['o'], 'menu: reads, writes, flushes, sync, errors …', { type: 'openToggles' }],
  ['Filter', ['/'], 'type a filter: disk=sda op=write lat>10ms', { type: 'openFilter' }],
  ['Filter', ['u'], 'undo the last filter', { type: 'undoFilter' }],
  ['Filter', ['F'], 'clear the filter', { type: 'clearFilter' }],
  ['Program', ['E'], 'export this view as a picture or as rows', { type: 'openExport' }],
  ['Picture', ['backspace'], 'back to the previous view', { type: 'goBack' }],
  ['Picture', ['\\'], 'forward again', { type: 'goForward' }],
  ['Program', ['?', 'h', 'f1'], 'this help', { type: 'openHelp' }],
];

const HELP_KEYS: readonly Row[] = [
  ['Program', ['?', 'h', 'f1', 'escape', 'q', 'enter'], 'close the help', { type: 'close' }],
  ['Program', ['down', 'j'], 'scroll the help down', { type: 'scroll', by: 'row' }],
  ['Program', ['up', 'k'], 'scroll the help up', { type: 'scroll', by: 'rowBack' }],
  ['Program', ['pagedown', 'space'], 'next page of the help', { type: 'scroll', by: 'page' }],
  ['Program', ['pageup'], 'previous page of the help', { type: 'scroll', by: 'pageBack' }],
  ['Program', ['home'], 'start of the help', { type: 'scroll', by: 'start' }],
  ['Program', ['end'], 'end of the help', { type: 'scroll', by: 'end' }],
];

const DRILL_DOWN_KEYS: readonly Row[] = [
  ...rowKeys('Cursor', 'scroll'),
  ['Cursor', ['enter'], 'filter by the values of the box', { type: 'filterByBox' }],
  ['Cursor', ['H'], 'highlight the values of the box', { type: 'highlightBox' }],
  ['Cursor', ['escape', 'q'], 'back to the picture', { type: 'close' }],
];

/** The keys while the cross-hair is shown. The tables are of its column. */
const CURSOR_KEYS: readonly Row[] = [
  ['Cursor', ['left', 'h'], 'a column back', { type: 'moveCursor', columns: -1, bins: 0 }],
  ['Cursor', ['right', 'l'], 'a column forward', { type: 'moveCursor', columns: 1, bins: 0 }],
  ['Cursor', ['up', 'k'], 'a bin up', { type: 'moveCursor', columns: 0, bins: 1 }],
  ['Cursor', ['down', 'j'], 'a bin down', { type: 'moveCursor', columns: 0, bins: -1 }],
  [
    'Cursor',
    ['H', 'shift+left'],
    'ten columns back',
    { type: 'moveCursor', columns: -10, bins: 0 },
  ],
  [
    'Cursor',
    ['L', 'shift+right'],
    'ten columns forward',
    { type: 'moveCursor', columns: 10, bins: 0 },
  ],
  [
    'Cursor',
    ['K', 'shift+up', 'pageup'],
    'ten bins up',
    { type: 'moveCursor', columns: 0, bins: 10 },
  ],
  [
    'Cursor',
    ['J', 'shift+down', 'pagedown'],
    'ten bins down',
    { type: 'moveCursor', columns: 0, bins: -10 },
  ],
  [
    'Cursor',
    ['tab'],
    'to the next of the stacked maps; else to the other table',
    { type: 'nextMap', step: 1 },
  ],
  [
    'Cursor',
    ['shift+tab'],
    'to the previous of the stacked maps; else to the other table',
    { type: 'nextMap', step: -1 },
  ],
  ['Cursor', ['home'], 'to the left edge', { type: 'edgeCursor', to: 'left' }],
  ['Cursor', ['end'], 'to the right edge', { type: 'edgeCursor', to: 'right' }],
  ['Cursor', ['n'], 'to the next burst of slow I/O', { type: 'nextBurst', step: 1 }],
  ['Cursor', ['N'], 'to the previous burst', { type: 'nextBurst', step: -1 }],
  SLOWEST_ROW,
  ['Cursor', ['v'], 'start a box here, or clear it', { type: 'toggleAnchor' }],
  ['Cursor', ['enter'], 'drill down: contents of the box', { type: 'openDrillDown' }],
  ['Cursor', ['z'], 'zoom the y axis to the box', { type: 'zoomToBox' }],
  ...SORT_ROWS,
  GROUPING_ROW,
  ['Cursor', ['I'], 'I/Os in flight with the slowest of this column', { type: 'openInFlight' }],
  ['Cursor', ['i'], 'card of what is under the cross-hair', { type: 'openCard' }],
  ['Cursor', ['escape', 'q'], 'clear the box, then leave the cross-hair', { type: 'close' }],
];

const TOGGLE_KEYS: readonly Row[] = [
  ...TOGGLES.map(({ key, names, asks }): Row => [
    'Filter',
    [key],
    `only ${names[0]} (again: all)`,
    { type: 'toggleTerm', term: asks },
  ]),
  ...TOGGLES.map(({ key, names, asks }): Row => [
    'Filter',
    [key.toUpperCase()],
    `highlight ${names[0]} (again: end)`,
    { type: 'highlightTerm', term: asks },
  ]),
  ['Filter', ['escape', 'enter', 'o', 'q'], 'close the menu', { type: 'close' }],
];

const PICK_KEYS: readonly Row[] = [
  ['Filter', ['up'], 'previous entry', { type: 'movePick', by: 'rowBack' }],
  ['Filter', ['down'], 'next entry', { type: 'movePick', by: 'row' }],
  ['Filter', ['pageup'], 'a page up', { type: 'movePick', by: 'pageBack' }],
  ['Filter', ['pagedown'], 'a page down', { type: 'movePick', by: 'page' }],
  ['Filter', ['space'], 'mark or unmark the entry', { type: 'markPick' }],
  ['Filter', ['tab'], 'exclude the marked', { type: 'invertPick' }],
  [
    'Filter',
    ['enter'],
    'apply: the marked, all that match the typed text, or this one',
    { type: 'submit' },
  ],
  ['Filter', ['escape'], 'cancel', { type: 'close' }],
];

/** The keys in the list of all actions. */
const ACTION_KEYS: readonly Row[] = [
  ['Program', ['up'], 'previous action', { type: 'moveAction', by: 'rowBack' }],
  ['Program', ['down'], 'next action', { type: 'moveAction', by: 'row' }],
  ['Program', ['pageup'], 'a page up', { type: 'moveAction', by: 'pageBack' }],
  ['Program', ['pagedown'], 'a page down', { type: 'moveAction', by: 'page' }],
  ['Program', ['enter'], 'do it', { type: 'submit' }],
  ['Program', ['escape'], 'close the list', { type: 'close' }],
];

const FILTER_KEYS: readonly Row[] = [
  ['Prompts', ['tab'], 'complete the word', { type: 'complete' }],
  ['Prompts', ['enter'], 'apply the filter', { type: 'submit' }],
  ['Prompts', ['escape'], 'cancel', { type: 'close' }],
];

const TREND_KEYS: readonly Row[] = [
  ...TIME_KEYS,
  GOTO_ROW,
  ['Picture', ['t', 'escape', 'q'], 'back to the picture', { type: 'close' }],
];

const GOTO_KEYS: readonly Row[] = [
  ['Prompts', ['enter'], 'go there', { type: 'submit' }],
  ['Prompts', ['escape'], 'cancel', { type: 'close' }],
];

const EXPORT_KEYS: readonly Row[] = [
  ['Prompts', ['enter'], 'write the file', 'exportView'],
  ['Prompts', ['escape'], 'cancel', { type: 'close' }],
];

/** The keys in the list of columns. */
const COLUMN_KEYS: readonly Row[] = [
  ['Tables', ['up', 'k'], 'previous column', { type: 'moveColumnRow', by: 'rowBack' }],
  ['Tables', ['down', 'j'], 'next column', { type: 'moveColumnRow', by: 'row' }],
  ['Tables', ['home'], 'the first column', { type: 'moveColumnRow', by: 'start' }],
  ['Tables', ['end'], 'the last column', { type: 'moveColumnRow', by: 'end' }],
  ['Tables', ['space'], 'show or hide the column', { type: 'toggleColumn' }],
  ['Tables', ['<'], 'move the column to the left', { type: 'shiftColumn', step: -1 }],
  ['Tables', ['>'], 'move the column to the right', { type: 'shiftColumn', step: 1 }],
  ['Tables', ['r'], 'reset to the default columns', { type: 'resetColumns' }],
  ['Tables', ['enter', 'escape', 'C', 'q'], 'close the list', { type: 'close' }],
];

/** The keys while a search is typed. Other keys go into the line. */
const FIND_KEYS: readonly Row[] = [
  ['Prompts', ['down'], 'next match', { type: 'nextMatch', step: 1 }],
  ['Prompts', ['up'], 'previous match', { type: 'nextMatch', step: -1 }],
  ['Prompts', ['enter'], 'keep the search; n and N step', { type: 'submit' }],
  ['Prompts', ['escape'], 'clear the search', { type: 'close' }],
];

/** The keys to record from now on, and to save the history. */
const RECORD_KEYS: readonly KeyBinding[] = [
  ...bind(
    ['main'],
    [
      ['Program', ['R'], 'record to a file, or stop recording', 'toggleRecording'],
      [
        'Program',
        ['escape'],
        'end the highlight, or cancel the file that is being written',
        { type: 'stop' },
      ],
    ],
  ),
  ...bind(
    ['main', 'cursor', 'drillDown'],
    [
      [
        'Program',
        ['D'],
        'save the history: everything, the frozen window or the box',
        { type: 'openSave' },
      ],
    ],
  ),
  ...bind(['record'], [['Prompts', ['enter'], 'start recording', 'startRecording']]),
  ...bind(['save'], [['Prompts', ['enter'], 'save', 'saveHistory']]),
  ...bind(['record', 'save'], [['Prompts', ['escape'], 'cancel', { type: 'close' }]]),
];

/** The keys on a card. */
const CARD_KEYS: readonly Row[] = [
  ['Tables', ['enter'], 'show only this process or disk', { type: 'filterByCard' }],
  ['Tables', ['escape', 'i', 'q'], 'close the card', { type: 'close' }],
];

const IN_FLIGHT_KEYS: readonly Row[] = [
  ...rowKeys('Tables', 'moveRow', ['oldest I/O', 'youngest I/O']),
  ['Tables', ['enter'], 'show only the process of the selected I/O', { type: 'filterByRow' }],
  ['Tables', ['escape', 'I', 'q'], 'close the list', { type: 'close' }],
];

const SINGLES_KEYS: readonly Row[] = [
  ...rowKeys('Tables', 'moveSingle'),
  ['Tables', ['enter'], 'what this one waited for', { type: 'explainSingle' }],
  ['Tables', ['escape', 'e', 'q'], 'close the list', { type: 'close' }],
];

const EXPLAIN_KEYS: readonly Row[] = [
  ...rowKeys('Tables', 'scroll'),
  ['Tables', ['escape', 'enter', 'q'], 'back to the list', { type: 'close' }],
];

const NOTE_KEYS: readonly KeyBinding[] = [
  ...bind(
    ['main', 'cursor'],
    [
      ['Picture', ['a'], 'add a note at this time, or change it', { type: 'openNote' }],
      [
        'Picture',
        ['A'],
        'to the next note; without a cross-hair, the latest',
        { type: 'nextNote' },
      ],
    ],
  ),
  ...bind(
    ['note'],
    [
      ['Prompts', ['enter'], 'keep the note; without text, remove it', 'putNote'],
      ['Prompts', ['escape'], 'cancel', { type: 'close' }],
    ],
  ),
];

/** In the other modes, a typed `?` belongs to a line of text. */
const HELP_MODES: readonly Mode[] = [
  'cursor',
  'drillDown',
  'toggles',
  'trend',
  'columns',
  'card',
  'inFlight',
  'singles',
  'explain',
];

export const KEY_TABLE: readonly KeyBinding[] = [
  ...bind(['main'], MAIN_KEYS),
  ...bind(['help'], HELP_KEYS),
  ...bind(['cursor'], CURSOR_KEYS),
  ...bind(['drillDown'], DRILL_DOWN_KEYS),
  ...bind(['toggles'], TOGGLE_KEYS),
  ...bind(['pick'], PICK_KEYS),
  ...bind(['actions'], ACTION_KEYS),
  ...bind(['filter'], FILTER_KEYS),
  ...bind(['trend'], TREND_KEYS),
  ...bind(['goto'], GOTO_KEYS),
  ...bind(['columns'], COLUMN_KEYS),
  ...bind(['card'], CARD_KEYS),
  ...bind(['inFlight'], IN_FLIGHT_KEYS),
  ...bind(['singles'], SINGLES_KEYS),
  ...bind(['explain'], EXPLAIN_KEYS),
  ...bind(['find'], FIND_KEYS),
  ...bind(['export'], EXPORT_KEYS),
  ...RECORD_KEYS,
  ...NOTE_KEYS,
  ...bind(
    ['main', 'cursor', 'drillDown', 'trend'],
    [['Program', [':'], 'all actions, found by typing', { type: 'openActions' }]],
  ),
  ...bind(HELP_MODES, [['Program', ['?', 'f1'], 'the keys of this mode', { type: 'openHelp' }]]),
  ...bind(
    ['main'],
    [
      ['Program', ['W'], 'save these view settings as defaults', 'saveSettings'],
      ['Program', ['q'], 'quit', 'quit'],
    ],
  ),
  ...bind(MODES, [
    ['Program', ['ctrl+c'], 'quit', 'quit'],
    ['Program', ['ctrl+z'], 'suspend; `fg` resumes', 'suspend'],
    ['Program', ['ctrl+l'], 'redraw the screen', 'redraw'],
  ]),
];
