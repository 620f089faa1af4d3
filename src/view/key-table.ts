import { METRICS } from '../model/metric.ts';
import type { Action, Effect } from './action.ts';
import { CURSOR_KEYS, WORST_ROW } from './cursor-keys.ts';
import { COLUMN_KEYS, FIND_KEYS } from './table-keys.ts';
import { RECORD_KEYS } from './record-keys.ts';
import { TOGGLES } from './toggles.ts';
import { MODES } from './view-state.ts';
import type { Mode } from './view-state.ts';

/**
 * One line of the help, and the only place where a key gets its meaning. Keys are named as the key
 * decoder names them: `m`, `M`, `pagedown`, `ctrl+c`.
 */
export interface KeyBinding {
  readonly modes: readonly Mode[];
  readonly group: KeyGroup;
  readonly keys: readonly string[];
  readonly description: string;
  readonly does: { readonly action: Action } | { readonly effect: Effect };
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

const METRIC_NAMES = {
  device: 'device latency: from issue to the device to completion',
  queue: 'queue latency: from queued to issue',
  total: 'total latency: from queued to completion',
  offset: 'offset: where on the disk',
  size: 'size of each I/O',
  utilization: 'utilization: per cent busy, coloured by number of disks',
} as const;

function inMode(
  mode: Mode,
  group: KeyGroup,
  keys: readonly string[],
  description: string,
  does: Action | Effect,
): KeyBinding {
  const meaning = typeof does === 'string' ? { effect: does } : { action: does };
  return { modes: [mode], group, keys, description, does: meaning };
}

/** A binding of one mode. */
export type Row = readonly [
  group: KeyGroup,
  keys: readonly string[],
  description: string,
  does: Action | Effect,
];

function forMode(mode: Mode, rows: readonly Row[]): KeyBinding[] {
  return rows.map((row) => inMode(mode, ...row));
}

function anywhere(keys: string[], description: string, effect: Effect): KeyBinding {
  return { modes: MODES, group: 'Program', keys, description, does: { effect } };
}

const METRIC_KEYS: readonly Row[] = METRICS.map((metric, index) => [
  'Picture',
  [String(index + 1)],
  METRIC_NAMES[metric],
  { type: 'setMetric', metric },
]);

const TIME_KEYS: readonly Row[] = [
  [
    'Time',
    ['space'],
    'freeze the picture, or follow (replay: pause, play)',
    { type: 'togglePause' },
  ],
  ['Time', ['left'], 'a tenth of the screen back', { type: 'scrollTime', by: 'earlier' }],
  ['Time', ['right'], 'a tenth of the screen forward', { type: 'scrollTime', by: 'later' }],
  ['Time', ['pageup'], 'a screen back', { type: 'scrollTime', by: 'screenBack' }],
  ['Time', ['pagedown'], 'a screen forward', { type: 'scrollTime', by: 'screen' }],
  ['Time', ['home'], 'to the first I/O', { type: 'scrollTime', by: 'first' }],
  [
    'Time',
    ['end'],
    'to the present, and follow (replay: the end)',
    { type: 'scrollTime', by: 'now' },
  ],
  ['Time', ['-'], 'longer columns: more time on the screen', { type: 'stepInterval', step: 1 }],
  ['Time', ['+', '='], 'shorter columns: finer time', { type: 'stepInterval', step: -1 }],
  ['Time', ['['], 'slower (replay)', 'slower'],
  ['Time', [']'], 'faster (replay)', 'faster'],
  ['Time', ['}'], 'to the next gap in the recording (replay)', 'nextGap'],
];

const GOTO_ROW: Row = [
  'Time',
  ['g'],
  'go to a time: 14:02, 3m ago, 50% (replay)',
  { type: 'openGoto' },
];

const MAIN_KEYS: readonly Row[] = [
  ...METRIC_KEYS,
  ['Picture', ['m'], 'next metric', { type: 'cycleMetric', step: 1 }],
  ['Picture', ['M'], 'previous metric', { type: 'cycleMetric', step: -1 }],
  ['Picture', ['l'], 'device, queue or total latency', { type: 'cycleLatency' }],
  ['Picture', ['y'], 'logarithmic or linear y axis', { type: 'toggleScale' }],
  [
    'Picture',
    ['x'],
    'outliers left out of the axis: none, 0.01, 0.1, 1, 5 %',
    { type: 'cycleOutlierCut' },
  ],
  [
    'Picture',
    ['V'],
    'next layout: single, stacked, size × latency, offset × latency, disks',
    { type: 'cycleLayout' },
  ],
  [
    'Picture',
    ['w'],
    'weigh by count, time waited, bytes; of disks, mean or p99',
    { type: 'cycleWeight' },
  ],
  ['Picture', ['c'], 'next palette', { type: 'cyclePalette' }],
  ...TIME_KEYS,
  GOTO_ROW,
  WORST_ROW,
  ['Picture', ['t'], 'charts of rates and latencies over time', { type: 'openTrend' }],
  ['Cursor', ['v'], 'a cross-hair to read off and to select', { type: 'openCursor' }],
  ['Cursor', ['Z'], 'fit the y axis again after a zoom', { type: 'fitValues' }],
  ['Tables', ['tab'], 'go to the other table', { type: 'switchFocus' }],
  ['Tables', ['s', '>'], 'sort by the next column', { type: 'cycleSort', step: 1 }],
  ['Tables', ['S', '<'], 'sort by the previous column', { type: 'cycleSort', step: -1 }],
  [
    'Tables',
    ['G'],
    'rows per process and disk, per process, per cgroup, or processes × disks',
    { type: 'cycleGrouping' },
  ],
  ['Tables', ['C'], 'choose the columns of the table', { type: 'openColumns' }],
  ['Tables', ['f'], 'find a PID, a name, a disk, a cgroup', { type: 'openFind' }],
  ['Tables', ['n'], 'next row that was found', { type: 'nextMatch', step: 1 }],
  ['Tables', ['N'], 'previous row that was found', { type: 'nextMatch', step: -1 }],
  ['Tables', ['down', 'j'], 'next row', { type: 'moveRow', by: 'row' }],
  ['Tables', ['up', 'k'], 'previous row', { type: 'moveRow', by: 'rowBack' }],
  ['Tables', ['ctrl+d'], 'a page of rows down', { type: 'moveRow', by: 'page' }],
  ['Tables', ['ctrl+u'], 'a page of rows up', { type: 'moveRow', by: 'pageBack' }],
  ['Tables', ['enter'], 'show only the selected process or disk', { type: 'filterByRow' }],
  ['Filter', ['p'], 'pick processes from a list', { type: 'openPick', what: 'process' }],
  ['Filter', ['d'], 'pick disks from a list', { type: 'openPick', what: 'disk' }],
  ['Filter', ['o'], 'only reads, writes, flushes, sync, errors …', { type: 'openToggles' }],
  ['Filter', ['/'], 'type a filter: disk=sda op=write lat>10ms', { type: 'openFilter' }],
  ['Filter', ['u'], 'back to the filter before', { type: 'undoFilter' }],
  ['Filter', ['F'], 'show everything again', { type: 'clearFilter' }],
  ['Program', ['E'], 'export this view: a picture, or its I/Os', { type: 'openExport' }],
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

const DETAIL_KEYS: readonly Row[] = [
  ['Cursor', ['down', 'j'], 'next I/O', { type: 'scroll', by: 'row' }],
  ['Cursor', ['up', 'k'], 'previous I/O', { type: 'scroll', by: 'rowBack' }],
  ['Cursor', ['pagedown', 'space'], 'next page', { type: 'scroll', by: 'page' }],
  ['Cursor', ['pageup'], 'previous page', { type: 'scroll', by: 'pageBack' }],
  ['Cursor', ['home'], 'the first', { type: 'scroll', by: 'start' }],
  ['Cursor', ['end'], 'the last', { type: 'scroll', by: 'end' }],
  ['Cursor', ['enter'], 'filter by the values of the box', { type: 'filterByBox' }],
  ['Cursor', ['escape', 'q'], 'back to the picture', { type: 'close' }],
];

const TOGGLE_KEYS: readonly Row[] = [
  ...TOGGLES.map(({ key, names, asks }): Row => [
    'Filter',
    [key],
    `only ${names[0]}, or not`,
    { type: 'toggleTerm', term: asks },
  ]),
  ['Filter', ['escape', 'enter', 'o', 'q'], 'close the menu', { type: 'close' }],
];

const PICK_KEYS: readonly Row[] = [
  ['Filter', ['up'], 'previous entry', { type: 'movePick', by: 'rowBack' }],
  ['Filter', ['down'], 'next entry', { type: 'movePick', by: 'row' }],
  ['Filter', ['pageup'], 'a page up', { type: 'movePick', by: 'pageBack' }],
  ['Filter', ['pagedown'], 'a page down', { type: 'movePick', by: 'page' }],
  ['Filter', ['space'], 'mark the entry, or unmark it', { type: 'choose' }],
  ['Filter', ['tab'], 'everything but the marked', { type: 'invertPick' }],
  ['Filter', ['enter'], 'show the marked, or the entry', { type: 'submit' }],
  ['Filter', ['escape'], 'leave the list', { type: 'close' }],
];

const FILTER_KEYS: readonly Row[] = [
  ['Prompts', ['tab'], 'complete the word', { type: 'complete' }],
  ['Prompts', ['enter'], 'filter by it', { type: 'submit' }],
  ['Prompts', ['escape'], 'leave the line', { type: 'close' }],
];

const TREND_KEYS: readonly Row[] = [
  ...TIME_KEYS,
  GOTO_ROW,
  ['Picture', ['t', 'escape', 'q'], 'back to the picture', { type: 'close' }],
];

const GOTO_KEYS: readonly Row[] = [
  ['Prompts', ['enter'], 'go there', { type: 'submit' }],
  ['Prompts', ['escape'], 'leave the line', { type: 'close' }],
];

const EXPORT_KEYS: readonly Row[] = [['Prompts', ['escape'], 'leave the line', { type: 'close' }]];

const HELP_MODES: readonly Mode[] = ['cursor', 'detail', 'toggles', 'trend'];

export const KEY_TABLE: readonly KeyBinding[] = [
  ...forMode('main', MAIN_KEYS),
  ...forMode('help', HELP_KEYS),
  ...forMode('cursor', CURSOR_KEYS),
  ...forMode('detail', DETAIL_KEYS),
  ...forMode('toggles', TOGGLE_KEYS),
  ...forMode('pick', PICK_KEYS),
  ...forMode('filter', FILTER_KEYS),
  ...forMode('trend', TREND_KEYS),
  ...forMode('goto', GOTO_KEYS),
  ...forMode('columns', COLUMN_KEYS),
  ...forMode('find', FIND_KEYS),
  ...forMode('export', EXPORT_KEYS),
  ...RECORD_KEYS,
  {
    ...anywhere(['enter'], 'write the file', 'exportView'),
    modes: ['export'],
    group: 'Prompts',
  },
  {
    ...inMode('main', 'Program', ['?', 'f1'], 'the keys of this mode', { type: 'openHelp' }),
    modes: HELP_MODES,
  },
  {
    ...anywhere(
      ['W'],
      'keep metric, scale, interval and the like for the next time',
      'keepSettings',
    ),
    modes: ['main'],
  },
  { ...anywhere(['q'], 'quit', 'quit'), modes: ['main'] },
  anywhere(['ctrl+c'], 'quit', 'quit'),
  anywhere(['ctrl+z'], 'suspend; `fg` comes back', 'suspend'),
  anywhere(['ctrl+l'], 'draw the screen anew', 'redraw'),
];

/** Modes in which keys type text unless they are bound. */
const TEXT_MODES: readonly Mode[] = ['goto', 'filter', 'pick', 'find', 'export', 'record', 'save'];

/** What a key does in a mode; undefined for a key without meaning there. */
export function meaningOf(mode: Mode, key: string): KeyBinding['does'] | undefined {
  const bound = findBinding(mode, key)?.does;
  if (bound !== undefined || !TEXT_MODES.includes(mode)) return bound;
  return { action: { type: 'edit', key } };
}

const BY_MODE = indexKeys(KEY_TABLE);

/** What a key means in a mode; undefined for a key without meaning there. */
export function findBinding(mode: Mode, key: string): KeyBinding | undefined {
  return BY_MODE.get(`${mode} ${key}`);
}

function indexKeys(table: readonly KeyBinding[]): Map<string, KeyBinding> {
  const index = new Map<string, KeyBinding>();
  for (const binding of table)
    for (const mode of binding.modes)
      for (const key of binding.keys) index.set(`${mode} ${key}`, binding);
  return index;
}
