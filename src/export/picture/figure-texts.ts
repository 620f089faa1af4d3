import {
  formatByteRate,
  formatCount,
  formatDuration,
  formatRate,
  plural,
} from '../../base/format.ts';
import { DEFAULT_LAYER, isOfPrograms, noneOf, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { isPlace } from '../../model/metric.ts';
import type { AxisValues, Metric, Weight } from '../../model/metric.ts';
import type { Figure, FigureMap } from './figure.ts';
import { LocalTime } from './local-time.ts';
import { recordedText } from '../recorded-text.ts';

const TITLES: Readonly<Record<Metric, string>> = {
  device: 'Device latency',
  queue: 'Queue latency',
  total: 'Total latency',
  offset: 'Offset',
  'file-offset': 'Offset in the file',
  size: 'Size',
  utilization: 'Utilization',
};

const AXIS_TITLES: Readonly<Record<Exclude<AxisValues, 'size'>, string>> = {
  device: 'device latency (issue to completion)',
  queue: 'queue latency (queued to issue)',
  total: 'total latency (queued to completion)',
  offset: 'offset on the disk',
  'file-offset': 'offset in the file',
  utilization: 'share of the time busy',
  diskShare: 'offset in % of each disk',
};

const TOTALS: Readonly<Partial<Record<Layer, string>>> = {
  waits: 'total latency (from sleep to running again)',
  calls: 'total latency (from entry to return of the call)',
};

const COLOURS: Readonly<Record<Weight, string>> = {
  count: '',
  time: ', coloured by the time waited',
  bytes: ', coloured by bytes',
};

const MOST_NAMES = 6;

/** What the picture shows: the metric, the disks, the host. */
export function titleOf({ live, maps, disks, facts }: Figure): string {
  const { metric, weight } = live.map;
  const what = maps.length > 1 ? `Layers: ${namesOf(maps)}` : TITLES[metric];
  const named = disks.slice(0, MOST_NAMES).join(', ');
  const more = disks.length - MOST_NAMES;
  const of = disks.length === 0 ? '' : ` of ${named}${more > 0 ? ` and ${more} more` : ''}`;
  const on = facts.host === '' ? '' : ` on ${facts.host}`;
  return `${what}${of}${on}${COLOURS[weight]}`;
}

function namesOf(maps: readonly FigureMap[]): string {
  return maps.map(({ title }) => title).join(', ');
}

/** The lines below the title: when, how much, which I/O, and what is missing. */
export function linesOf(figure: Figure): string[] {
  const { facts, filter, layer, contents } = figure;
  const recorded = facts.recordedOnly === '' ? '' : ` (${recordedText(facts)})`;
  const isUsual = layer === DEFAULT_LAYER && figure.maps.length === 1;
  const of = layer === undefined || isUsual ? '' : ` of ${layer}`;
  const which = `${filter === '' ? allOf(layer, of) : `Filter${of}: ${filter}`}${recorded}`;
  const count = Math.max(1, Math.round(contents.count));
  const { bytesPerSecond } = contents;
  const byteRate = bytesPerSecond === undefined ? '' : `, ${formatByteRate(bytesPerSecond)}`;
  const rates = ` (${formatRate(contents.countPerSecond)}/s${byteRate})`;
  const many =
    contents.count === 0
      ? noneOf(layer)
      : `${grouped(count)} ${plural(count, nounOf(layer))}${contents.spanNs > 0 ? rates : ''}${failedText(contents.errors)}`;
  return [whenOf(figure), `${which}: ${many}`, ...facts.warnings];
}

/** Of aggregates across an edge of the picture, a share is inside. */
function failedText(errors = 0): string {
  return errors > 0 ? `, ${grouped(Math.max(1, errors))} failed` : '';
}

/** `All I/O of volumes`, `All calls`. */
function allOf(layer: Layer | undefined, of: string): string {
  return layer !== undefined && isOfPrograms(layer) ? `All ${layer}` : `All I/O${of}`;
}

/** The layers of all maps, from top to bottom. */
export function layersOf({ maps }: Figure): readonly Layer[] {
  return maps.map(({ layer = DEFAULT_LAYER }) => layer);
}

/** `Sat 2026-01-31, 14:02:11 to 14:07:11 (UTC+01:00), 5min; a column is 1s`. */
function whenOf({ live, facts }: Figure): string {
  const { startNs, endNs, columnNs } = live.map;
  const time = new LocalTime(facts.clockBase, facts.hasWallClock);
  const decimals = columnNs < 1e9 ? 3 : 0;
  const [from, to] = [time.date(startNs), time.date(endNs)];
  const begin = `${from === '' ? '' : `${from}, `}${time.clock(startNs, decimals)}`;
  const end = `${from === to ? '' : `${to}, `}${time.clock(endNs, decimals)}`;
  const span = exactText(endNs - startNs);
  return `${begin} to ${end} (${time.zones(startNs, endNs)}), ${span}; a column is ${exactText(columnNs)}`;
}

const LONG_UNITS = [
  ['d', 86_400e9],
  ['h', 3600e9],
  ['min', 60e9],
] as const;
const SHORT_UNITS = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
] as const;

/** `5min`, `1h 30min`, `5.1s`: to the second, and below a minute to two digits. */
export function spanText(ns: number): string {
  return ns < 60e9 ? formatDuration(ns) : exactText(Math.round(ns / 1e9) * 1e9);
}

/** `5min`, `1min 15.25s`, `1.25s`, `200ms`: exact, because users choose the lengths of columns. */
function exactText(ns: number): string {
  let rest = ns;
  const parts: string[] = [];
  for (const [name, size] of LONG_UNITS) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0) parts.push(`${whole}${name}`);
  }
  if (rest === 0 && parts.length > 0) return parts.join(' ');
  const [name, size] = SHORT_UNITS.find(([, unit]) => rest >= unit) ?? SHORT_UNITS.at(-1)!;
  return [...parts, `${rest / size}${name}`].join(' ');
}

function valuesTitle(values: AxisValues, layer: Layer = DEFAULT_LAYER): string {
  if (values === 'size') return `bytes per ${nounOf(layer)}`;
  return (values === 'total' ? TOTALS[layer] : undefined) ?? AXIS_TITLES[values];
}

export function axisTitle({ live, layer }: Figure): string {
  const { metric, axisValues, scale } = live.map;
  const isLatencyOrSize = !isPlace(metric) && metric !== 'utilization';
  const title = valuesTitle(axisValues, layer);
  return isLatencyOrSize ? `${title}, ${scale.kind}` : title;
}

/** The title next to the axis of a map; if there are several maps, with its name and how many I/Os it has. */
export function mapTitle(figure: Figure): string {
  const { title, layer, live, totals } = figure;
  if (title === '') return axisTitle(figure);
  return `${title}, ${live.map.scale.kind}: ${grouped(totals.all)} ${plural(totals.all, nounOf(layer))}`;
}

export function timeAxisTitle({ live, facts }: Figure): string {
  const time = new LocalTime(facts.clockBase, facts.hasWallClock);
  if (!facts.hasWallClock) return 'time since the start of the log';
  const { startNs, endNs } = live.map;
  const [from, to] = [time.date(startNs), time.date(endNs)];
  return `completed at, ${from}${from === to ? '' : ` to ${to}`}, ${time.zones(startNs, endNs)}`;
}

export function footerOf({ facts }: Figure): string {
  const kernel = facts.kernel === '' ? '' : `, kernel ${facts.kernel}`;
  return `${facts.writer}${kernel}`;
}

/** A count with commas, in full up to ten million (1,204,332), rounded above. */
function grouped(count: number): string {
  const whole = Math.round(count);
  return whole < 1e7 ? String(whole).replace(/\B(?=(\d{3})+$)/g, ',') : formatCount(whole);
}
