import {
  formatByteRate,
  formatCount,
  formatDuration,
  formatDurationParts,
  formatRate,
} from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { ReportScope, Totals } from '../../model/activity.ts';
import { DEFAULT_LAYER, isFailureGrave, isOfPrograms, rateUnitOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { hasLanes } from '../../model/metric.ts';
import type { Playback } from '../../model/playback.ts';
import type { Stalled } from '../../model/pressure.ts';
import {
  intervalText,
  metricSpanForms,
  metricTitle,
  speedText,
  weightTitle,
} from '../../view/describe.ts';
import { effectiveScale } from '../../view/state.ts';
import type { ViewState } from '../../view/state.ts';
import { clockText } from '../../base/clock-text.ts';
import {
  bytesPerSecond,
  completionsPerSecond,
  scopeText,
  wholePercentFigure,
} from '../text/figures.ts';
import { fitSegments, segmentAt } from '../text/fit-segments.ts';
import type { Segment } from '../text/fit-segments.ts';
import { span } from '../text/span.ts';
import type { Line } from '../text/span.ts';

/** Where the I/O comes from; the same words as the source's own `kind`. */
export type SourceKind = 'live' | 'synthetic' | 'recording' | 'import';

export type HeaderView = Pick<
  ViewState,
  | 'layout'
  | 'layer'
  | 'metric'
  | 'laneFigure'
  | 'scale'
  | 'weight'
  | 'palette'
  | 'intervalNs'
  | 'frozenAtNs'
>;

export interface HeaderContent {
  readonly host: string;
  readonly sourceKind: SourceKind;
  readonly view: HeaderView;
  readonly totals: Totals;
  /** How much tasks were stalled in the same time; undefined if unknown. */
  readonly stall?: Stalled | undefined;
  /** Time covered by the totals, in ns. */
  readonly spanNs: number;
  readonly scope?: ReportScope;
  /** Wall clock of the newest column on the screen, in ms since the epoch. */
  readonly wallMs: number;
  /** I/Os that arrived since the picture was frozen; 0 while it is not. */
  readonly arrived: number;
  /** The state of a replay; absent where there is none. */
  readonly playback?: Playback | undefined;
  /** The release of the traced kernel; absent if unknown, or if it is this machine's. */
  readonly kernel?: string | undefined;
}

const SOURCE_BADGES: Record<SourceKind, string> = {
  live: 'LIVE',
  synthetic: 'DEMO',
  recording: 'REPLAY',
  import: 'REPLAY',
};

/** As wide as ` PAUSED `, so that freezing moves nothing. */
const BADGE_WIDTH = 8;

/** Widths that figures are padded to, so that the following text stays in place. */
const RATE_WIDTH = 5;
const BYTE_RATE_WIDTH = 8;
const DURATION_WIDTH = 5;
const STALL_WIDTH = 4;
const ARRIVED_WIDTH = 10;

/** From this share of the time on, the figure of stalled tasks is highlighted. */
const GRAVE_STALL = 0.5;

/** One line if `height` is 1; else the subject above the figures. */
export function headerLines(content: HeaderContent, width: number, height: number): Line[] {
  return rowsOf(content, height).map((row) => [span(' '), ...fitSegments(row, width - 2)]);
}

/** The key of what the header shows at the cell (x, y); undefined where it is only text. */
export function headerKeyAt(
  content: HeaderContent,
  { width, height }: { readonly width: number; readonly height: number },
  x: number,
  y: number,
): string | undefined {
  return segmentAt(rowsOf(content, height)[y] ?? [], width - 2, x - 1)?.press;
}

function rowsOf(content: HeaderContent, height: number): readonly (readonly Segment[])[] {
  const subject = [...nameSegments(content), ...metricSegments(content)];
  const figures = [
    ...rateSegments(content.totals, content.view.layer),
    ...latencySegments(content.totals),
    ...stallSegments(content.stall),
    spanSegment(content),
  ];
  const state = stateSegments(content);
  return height === 1 ? [[...subject, ...figures, ...state]] : [[...subject, ...state], figures];
}

function nameSegments({ host, kernel }: HeaderContent): Segment[] {
  const release: Segment[] =
    kernel === undefined
      ? []
      : [{ forms: [`Linux ${sanitizeText(kernel)}`], priority: 90, role: 'dim' }];
  return [
    { forms: ['ioheat'], priority: 60, role: 'strong' },
    { forms: [sanitizeText(host)], priority: 70, minWidth: 6 },
    ...release,
  ];
}

function metricSegments({ view }: HeaderContent): Segment[] {
  const isOverTime = view.layout !== 'size-latency' && view.layout !== 'offset-latency';
  const interval = intervalText(view.intervalNs);
  return [
    { forms: layerForms(view), priority: 4, role: 'badge', gap: 3, press: 'L' },
    { id: 'metric', forms: titlesOf(view), priority: 5, role: 'accent', gap: 3, press: 'm' },
    { needs: 'metric', forms: metricSpanForms(view), priority: 80 },
    { needs: 'metric', forms: [scaleText(view)], priority: 65, role: 'dim', press: 'y' },
    { forms: weightForms(view), priority: 84, role: 'dim', press: 'w' },
    {
      forms: isOverTime ? [`${interval}/column`, `${interval}/col`] : [],
      priority: 50,
      role: 'dim',
    },
  ];
}

/** The layer of the figures: shown if the picture has several, or another one than usual. */
function layerForms({ layout, layer }: HeaderView): string[] {
  const name = layer.toUpperCase();
  if (layout === 'layers') return [`FIGURES OF ${name}`, name];
  return layer === DEFAULT_LAYER ? [] : [name];
}

/** The title of the picture, ever shorter. */
function titlesOf({ layout, metric, laneFigure }: HeaderView): string[] {
  const title = metricTitle(metric).toUpperCase();
  switch (layout) {
    case 'single':
      return [title, ...shortTitle(title)];
    case 'stacked':
      return [`STACKED: ${title}`, ...shortTitle(title)];
    case 'layers':
      return [`LAYERS: ${title}`, 'LAYERS'];
    case 'size-latency':
      return [`SIZE × ${title}`, 'SIZE × LATENCY'];
    case 'offset-latency':
      return [`OFFSET × ${title}`, 'OFFSET × LATENCY'];
    case 'disks':
    case 'files':
    case 'processes':
    case 'cgroups': {
      const figures = `${layout.toUpperCase()}: ${laneFigure.toUpperCase()}`;
      return [`${figures} ${title}`, figures];
    }
  }
}

/** Lanes have no axis; their colours are logarithmic. */
function scaleText(view: HeaderView): string {
  return hasLanes(view.layout) ? 'log' : effectiveScale(view);
}

/** Empty where pixels are not weighted. */
function weightForms({ layout, metric, weight }: HeaderView): string[] {
  return hasLanes(layout) || metric === 'utilization' ? [] : [weightTitle(weight)];
}

/** `DEVICE LATENCY` → `DEVICE`. */
function shortTitle(title: string): string[] {
  const [first] = title.split(' ');
  return first === undefined || first === title ? [] : [first];
}

function rateSegments(totals: Totals, layer: Layer): Segment[] {
  return [
    ...countSegments(totals, layer),
    { forms: marginForms(totals), priority: 23, gap: 1 },
    {
      forms: byteRateForms(totals),
      priority: 25,
      gap: 1,
    },
    ...errorSegments(totals.errors, layer),
  ];
}

/**
 * One rate for waits and calls, as in their tables: most of them neither read nor write, such as an fsync. Also where no
 * operation is known.
 */
function countSegments(totals: Totals, layer: Layer): Segment[] {
  const { readsPerSecond, writesPerSecond, othersPerSecond } = totals;
  if (isOfPrograms(layer) || readsPerSecond === undefined || writesPerSecond === undefined)
    return [
      { forms: [rate(completionsPerSecond(totals), rateUnitOf(layer))], priority: 20, gap: 3 },
    ];
  // As for flushes alone.
  const isOther = readsPerSecond + writesPerSecond === 0 && othersPerSecond > 0;
  return [
    { forms: [rate(readsPerSecond, 'R/s')], priority: 20, gap: 3 },
    { forms: [rate(writesPerSecond, 'W/s')], priority: 21, gap: 1 },
    {
      forms: [rate(othersPerSecond, 'other/s')],
      priority: isOther ? 24 : 85,
      gap: 1,
      role: isOther ? 'plain' : 'dim',
    },
  ];
}

function errorSegments(errors = 0, layer: Layer): Segment[] {
  if (errors === 0) return [];
  const forms = [`${formatCount(errors)} failed`];
  return isFailureGrave(layer)
    ? [{ forms, priority: 15, role: 'alarm' }]
    : [{ forms, priority: 50, role: 'dim' }];
}

/** None if no size is known. */
function byteRateForms(totals: Totals): string[] {
  const bytes = bytesPerSecond(totals);
  return bytes === undefined ? [] : [formatByteRate(bytes).padStart(BYTE_RATE_WIDTH)];
}

/** `±3%`, if the number of I/Os that match the filter is estimated from a sample. */
function marginForms({ margin }: Totals): string[] {
  return margin === undefined ? [] : [`±${wholePercentFigure(margin)}%`];
}

function rate(perSecond: number, unit: string): string {
  return `${formatRate(perSecond).padStart(RATE_WIDTH)} ${unit}`;
}

/** Percentiles of the latency in the picture; of device latency if the total is unknown. */
function latencySegments(totals: Totals): Segment[] {
  const { p50Ns, p99Ns, p999Ns, maxNs, hasQueue, latency = 'total' } = totals;
  return [
    {
      needs: 'p99',
      forms: [hasQueue || latency !== 'total' || p99Ns === undefined ? latency : 'device'],
      priority: 45,
      gap: 3,
      role: 'dim',
    },
    { needs: 'p99', forms: ['latency'], priority: 75, gap: 1, role: 'dim' },
    { forms: [quantile('p50', p50Ns)], priority: 40, gap: 1 },
    { id: 'p99', forms: [quantile('p99', p99Ns)], priority: 22, gap: 1, role: 'strong' },
    { needs: 'p99', forms: splitForms(totals), priority: 35, gap: 1 },
    { forms: [quantile('p99.9', p999Ns)], priority: 55, gap: 1 },
    { forms: [quantile('max', maxNs)], priority: 30, gap: 1, role: 'strong' },
  ];
}

/** How much tasks of the whole machine are stalled, whatever the filter. */
function stallSegments(stall: Stalled | undefined): Segment[] {
  if (stall === undefined) return [];
  const share = `${wholePercentFigure(stall.some)}%`.padStart(STALL_WIDTH);
  const forms = [`tasks stalled ${share}`, `stalled ${share}`];
  return [{ forms, priority: 52, gap: 3, role: stall.some >= GRAVE_STALL ? 'strong' : 'dim' }];
}

/** `= queue 240 + device 23`: the 99th percentile, divided as the I/Os above it spent their time. */
function splitForms({ p99Ns, tail }: Totals): string[] {
  if (tail === undefined || p99Ns === undefined) return [];
  const queueNs = (p99Ns * tail.queueNs) / (tail.queueNs + tail.deviceNs);
  const [queue, device] = formatDurationParts(p99Ns, queueNs);
  return [`= queue ${queue} + device ${device}`];
}

function spanSegment(content: HeaderContent): Segment {
  return { forms: [scopeText(content)], priority: 58, gap: 3, role: 'dim' };
}

function quantile(name: string, ns: number | undefined): string {
  return `${name} ${formatDuration(ns).padStart(DURATION_WIDTH)}`;
}

/** A demo or a recording must never look like the machine's own I/O, frozen or not. */
function stateSegments(content: HeaderContent): Segment[] {
  const { sourceKind, view, wallMs, arrived, playback } = content;
  const isFrozen = view.frozenAtNs !== undefined;
  const badge = ` ${SOURCE_BADGES[sourceKind]} `;
  const badges: Segment[] = [];
  if (sourceKind !== 'live' || !isFrozen)
    badges.push({
      forms: [isFrozen ? badge : badge.padStart(BADGE_WIDTH)],
      priority: 2,
      role: sourceKind === 'live' ? 'good' : 'badge',
      align: 'right',
    });
  if (arrived > 0)
    badges.push({
      forms: [`+${formatCount(arrived)} new`.padStart(ARRIVED_WIDTH)],
      priority: 62,
      role: 'dim',
      align: 'right',
    });
  if (isFrozen)
    badges.push({
      ...{ forms: [' PAUSED '], priority: 1, align: 'right', gap: 1 },
      ...{ role: 'badge', press: 'space' },
    });
  const clock: Segment = { forms: [clockText(wallMs)], priority: 10, align: 'right', gap: 1 };
  return [...badges, ...playbackSegments(playback), clock];
}

/** Widths that keep the neighbouring text in place. */
const SPEED_WIDTH = 5;
const SHARE_WIDTH = 4;

function playbackSegments(playback: Playback | undefined): Segment[] {
  if (playback === undefined || playback.state === 'following') return [];
  const { share } = playback;
  const state = stateText(playback).padStart(SPEED_WIDTH);
  const segments: Segment[] = [{ forms: [state], priority: 11, align: 'right', gap: 1 }];
  if (share !== undefined) {
    const text = `${Math.floor(share * 100)}%`.padStart(SHARE_WIDTH);
    segments.push({ forms: [text], priority: 12, align: 'right', gap: 1 });
  }
  return segments;
}

function stateText({ state, speed }: Playback): string {
  if (state === 'ended') return 'END';
  return state === 'loading' ? 'loading' : speedText(speed);
}
