import { METRICS } from '../model/metric.ts';
import type { Action, Effect } from './action.ts';
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

export const KEY_GROUPS = ['Picture', 'Time', 'Tables', 'Program'] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

const METRIC_NAMES = {
  device: 'device latency: from issue to the device to completion',
  queue: 'queue latency: from submission to issue',
  total: 'total latency: from submission to completion',
  offset: 'offset: where on the disk',
  size: 'size of each I/O',
  utilization: 'utilization: per cent busy, coloured by number of disks',
} as const;

function inMain(group: KeyGroup, keys: string[], description: string, action: Action): KeyBinding {
  return { modes: ['main'], group, keys, description, does: { action } };
}

function inHelp(keys: string[], description: string, action: Action): KeyBinding {
  return { modes: ['help'], group: 'Program', keys, description, does: { action } };
}

function anywhere(keys: string[], description: string, effect: Effect): KeyBinding {
  return { modes: ['main', 'help'], group: 'Program', keys, description, does: { effect } };
}

export const KEY_TABLE: readonly KeyBinding[] = [
  ...METRICS.map((metric, index) =>
    inMain('Picture', [String(index + 1)], METRIC_NAMES[metric], { type: 'setMetric', metric }),
  ),
  inMain('Picture', ['m'], 'next metric', { type: 'cycleMetric', step: 1 }),
  inMain('Picture', ['M'], 'previous metric', { type: 'cycleMetric', step: -1 }),
  inMain('Picture', ['l'], 'device, queue or total latency', { type: 'cycleLatency' }),
  inMain('Picture', ['y'], 'logarithmic or linear y axis', { type: 'toggleScale' }),
  inMain('Picture', ['x'], 'outliers left out of the axis: none, 0.01, 0.1, 1, 5 %', {
    type: 'cycleOutlierCut',
  }),
  inMain('Picture', ['c'], 'next palette', { type: 'cyclePalette' }),
  inMain('Time', ['space'], 'freeze the picture and the tables, or go on', { type: 'togglePause' }),
  inMain('Time', ['-'], 'longer columns: more time on the screen', {
    type: 'stepInterval',
    step: 1,
  }),
  inMain('Time', ['+', '='], 'shorter columns: finer time', { type: 'stepInterval', step: -1 }),
  inMain('Tables', ['tab'], 'go to the other table', { type: 'switchFocus' }),
  inMain('Tables', ['s', '>'], 'sort by the next column', { type: 'cycleSort', step: 1 }),
  inMain('Tables', ['S', '<'], 'sort by the previous column', { type: 'cycleSort', step: -1 }),
  inMain('Tables', ['down', 'j'], 'one row down', { type: 'scroll', by: 'row' }),
  inMain('Tables', ['up', 'k'], 'one row up', { type: 'scroll', by: 'rowBack' }),
  inMain('Tables', ['pagedown'], 'one page down', { type: 'scroll', by: 'page' }),
  inMain('Tables', ['pageup'], 'one page up', { type: 'scroll', by: 'pageBack' }),
  inMain('Tables', ['home'], 'first row', { type: 'scroll', by: 'start' }),
  inMain('Tables', ['end'], 'last row', { type: 'scroll', by: 'end' }),
  inMain('Program', ['?', 'h', 'f1'], 'this help', { type: 'openHelp' }),
  inHelp(['?', 'h', 'f1', 'escape', 'q', 'enter'], 'close the help', { type: 'closeHelp' }),
  inHelp(['down', 'j'], 'scroll the help down', { type: 'scroll', by: 'row' }),
  inHelp(['up', 'k'], 'scroll the help up', { type: 'scroll', by: 'rowBack' }),
  inHelp(['pagedown', 'space'], 'next page of the help', { type: 'scroll', by: 'page' }),
  inHelp(['pageup'], 'previous page of the help', { type: 'scroll', by: 'pageBack' }),
  inHelp(['home'], 'start of the help', { type: 'scroll', by: 'start' }),
  inHelp(['end'], 'end of the help', { type: 'scroll', by: 'end' }),
  { ...anywhere(['q'], 'quit', 'quit'), modes: ['main'] },
  anywhere(['ctrl+c'], 'quit', 'quit'),
  anywhere(['ctrl+z'], 'suspend; `fg` comes back', 'suspend'),
  anywhere(['ctrl+l'], 'draw the screen anew', 'redraw'),
];

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
