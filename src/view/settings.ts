import { BACKGROUND_CHOICES } from '../base/background.ts';
import { LAYERS } from '../model/layer.ts';
import {
  GROUPINGS,
  INTERVALS_NS,
  LANE_FIGURES,
  LATENCIES,
  LAYOUTS,
  METRICS,
  OLD_PALETTE_NAMES,
  OUTLIER_CUTS,
  PALETTES,
  SCALE_KINDS,
  WEIGHTS,
} from '../model/metric.ts';
import { DISK_SORTS, PROCESS_SORTS } from './state.ts';
import type { ViewState } from './state.ts';

/** Settings that are saved between sessions, with their allowed values. */
const SETTINGS = {
  layout: LAYOUTS,
  layer: LAYERS,
  metric: METRICS,
  latency: LATENCIES,
  laneFigure: LANE_FIGURES,
  scale: SCALE_KINDS,
  weight: WEIGHTS,
  outlierCut: OUTLIER_CUTS,
  palette: PALETTES,
  background: BACKGROUND_CHOICES,
  intervalNs: INTERVALS_NS,
  grouping: GROUPINGS,
  processSort: PROCESS_SORTS,
  diskSort: DISK_SORTS,
  mouse: [true, false],
} as const satisfies Partial<Record<keyof ViewState, readonly unknown[]>>;

/** Settings that are lists: each of these names at most once, and at least one of them. */
const LISTS = {
  processColumns: PROCESS_SORTS,
  diskColumns: DISK_SORTS,
} as const satisfies Partial<Record<keyof ViewState, readonly string[]>>;

type SettingName = keyof typeof SETTINGS | keyof typeof LISTS;

export type Settings = Readonly<Partial<Pick<ViewState, SettingName>>>;

const NAMES = Object.keys({ ...SETTINGS, ...LISTS }) as SettingName[];
const LISTED = new Map<string, readonly unknown[]>(Object.entries(LISTS));
const ALLOWED = new Map<string, readonly unknown[]>(Object.entries(SETTINGS));

export function settingsOf(view: ViewState): Settings {
  // A width that nobody chose is not saved. Nor is the layer: as with the filter, there may be nothing in it next
  // time.
  const left = view.fitsInterval ? ['intervalNs', 'layer'] : ['layer'];
  const names = NAMES.filter((name) => !left.includes(name));
  return Object.fromEntries(names.map((name) => [name, view[name]]));
}

/** The settings in a parsed file, and what in it cannot be used. */
export function readSettings(value: unknown): { settings: Settings; problems: string[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { settings: {}, problems: ['the settings are not a JSON object'] };
  const kept: [string, unknown][] = [];
  const problems: string[] = [];
  for (const [name, saved] of Object.entries(value) as [string, unknown][]) {
    const setting = currentSetting(name, saved);
    const allowed = ALLOWED.get(name);
    const members = LISTED.get(name);
    if (members !== undefined) {
      if (isListOf(members, setting)) kept.push([name, setting]);
      else problems.push(`${name} must be a list of some of ${members.join(', ')}`);
    } else if (allowed === undefined) problems.push(`unknown setting "${name}"`);
    else if (!allowed.includes(setting))
      problems.push(`${name} must be one of ${allowed.join(', ')}`);
    else kept.push([name, setting]);
  }
  return { settings: Object.fromEntries(kept), problems };
}

function currentSetting(name: string, saved: unknown): unknown {
  if (name !== 'palette' || typeof saved !== 'string') return saved;
  return OLD_PALETTE_NAMES[saved] ?? saved;
}

function isListOf(members: readonly unknown[], value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every((one) => members.includes(one))
  );
}
