import { formatByteRate, formatCount, formatDuration, formatRate, plural } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { Totals } from '../model/activity.ts';
import type { Playback } from '../model/playback.ts';
import { intervalText, metricSpan, metricTitle, speedText, weightTitle } from '../view/describe.ts';
import { effectiveScale } from '../view/state.ts';
import type { ViewState } from '../view/state.ts';
import { clockText } from '../base/clock-text.ts';
import { lastText } from './figures.ts';
import { fitSegments } from './fit-segments.ts';
import type { Segment } from './fit-segments.ts';
import { span } from './span.ts';
import type { Line } from './span.ts';

/** Where the I/O comes from; the same words as the source's own `kind`. */
export type SourceKind = 'live' | 'synthetic' | 'recording' | 'import';

export type HeaderView = Pick<
  ViewState,
  'layout' | 'metric' | 'laneFigure' | 'scale' | 'weight' | 'palette' | 'intervalNs' | 'frozenAtNs'
>;

export interface HeaderContent {
  readonly host: string;
  readonly sourceKind: SourceKind;
  readonly view: HeaderView;
  readonly totals: Totals;
  /** Time that the totals are about, in ns. */
  readonly spanNs: number;
  /** Wall clock of the newest column on the screen, in ms since the epoch. */
  readonly wallMs: number;
  /** I/Os that came since the picture was frozen; 0 while it is not. */
  readonly arrived: number;
  /** How a replay stands; absent where there is none. */
  readonly playback?: Playback | undefined;
  /** Release of the kernel that was traced; absent where it is not known, and for this machine. */
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

/** Widths that figures are padded to, so that what follows them keeps its place. */
const RATE_WIDTH = 5;
const BYTE_RATE_WIDTH = 8;
const DURATION_WIDTH = 5;

/** Everything on one line if `height` is 1; else what is shown above how much and how slow. */
export function headerLines(content: HeaderContent, width: number, height: number): Line[] {
  const subject = [...nameSegments(content), ...metricSegments(content)];
  const figures = [
    ...rateSegments(content.totals),
    ...latencySegments(content.totals),
    spanSegment(content),
  ];
  const state = stateSegments(content);
  const rows =
    height === 1 ? [[...subject, ...figures, ...state]] : [[...subject, ...state], figures];
  return rows.map((segments) => [span(' '), ...fitSegments(segments, width - 2)]);
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
    { id: 'metric', forms: titlesOf(view), priority: 5, role: 'accent', gap: 3 },
    { needs: 'metric', forms: [metricSpan(view.metric)], priority: 80, minWidth: 24 },
    { needs: 'metric', forms: [scaleText(view)], priority: 65, role: 'dim' },
    { forms: weightForms(view), priority: 84, role: 'dim' },
    {
      forms: isOverTime ? [`${interval}/column`, `${interval}/col`] : [],
      priority: 50,
      role: 'dim',
    },
    { forms: [`palette ${view.palette}`], priority: 90, role: 'dim' },
  ];
}

/** What the picture is, as long and as short as it can be said. */
function titlesOf({ layout, metric, laneFigure }: HeaderView): string[] {
  const title = metricTitle(metric).toUpperCase();
  switch (layout) {
    case 'single':
      return [title, ...shortTitle(title)];
    case 'stacked':
      return [`STACKED: ${title}`, ...shortTitle(title)];
    case 'size-latency':
      return [`SIZE × ${title}`, 'SIZE × LATENCY'];
    case 'offset-latency':
      return [`OFFSET × ${title}`, 'OFFSET × LATENCY'];
    case 'disks':
      return [`DISKS: ${laneFigure.toUpperCase()} ${title}`, `DISKS: ${laneFigure.toUpperCase()}`];
  }
}

/** Lanes have no axis; their colours are logarithmic. */
function scaleText(view: HeaderView): string {
  return view.layout === 'disks' ? 'log' : effectiveScale(view);
}

/** Nothing where pixels are not weighed. */
function weightForms({ layout, metric, weight }: HeaderView): string[] {
  return layout === 'disks' || metric === 'utilization' ? [] : [weightTitle(weight)];
}

/** `DEVICE LATENCY` → `DEVICE`. */
function shortTitle(title: string): string[] {
  const [first] = title.split(' ');
  return first === undefined || first === title ? [] : [first];
}

function rateSegments(totals: Totals): Segment[] {
  const bytes = totals.readBytesPerSecond + totals.writtenBytesPerSecond;
  const errors: Segment[] =
    totals.errors > 0
      ? [
          {
            forms: [`${formatCount(totals.errors)} ${plural(totals.errors, 'error')}`],
            priority: 15,
            role: 'alarm',
          },
        ]
      : [];
  return [
    { forms: [rate(totals.readsPerSecond, 'r/s')], priority: 20, gap: 3 },
    { forms: [rate(totals.writesPerSecond, 'w/s')], priority: 21, gap: 1 },
    { forms: [rate(totals.othersPerSecond, 'other/s')], priority: 85, gap: 1, role: 'dim' },
    { forms: [formatByteRate(bytes).padStart(BYTE_RATE_WIDTH)], priority: 25, gap: 1 },
    ...errors,
  ];
}

function rate(perSecond: number, unit: string): string {
  return `${formatRate(perSecond).padStart(RATE_WIDTH)} ${unit}`;
}

/** The picture may show the device's share alone; these are of the total time where it is known. */
function latencySegments({ p50Ns, p99Ns, p999Ns, maxNs, hasQueue }: Totals): Segment[] {
  return [
    {
      needs: 'p99',
      forms: [hasQueue || p99Ns === undefined ? 'total' : 'device'],
      priority: 45,
      gap: 3,
      role: 'dim',
    },
    { needs: 'p99', forms: ['latency'], priority: 75, gap: 1, role: 'dim' },
    { forms: [quantile('p50', p50Ns)], priority: 40, gap: 1 },
    { id: 'p99', forms: [quantile('p99', p99Ns)], priority: 22, gap: 1, role: 'strong' },
    { forms: [quantile('p99.9', p999Ns)], priority: 55, gap: 1 },
    { forms: [quantile('max', maxNs)], priority: 30, gap: 1, role: 'strong' },
  ];
}

function spanSegment({ spanNs }: HeaderContent): Segment {
  return { forms: [lastText(spanNs)], priority: 58, gap: 3, role: 'dim' };
}

function quantile(name: string, ns: number | undefined): string {
  return `${name} ${formatDuration(ns).padStart(DURATION_WIDTH)}`;
}

/** A demonstration or a recording must never pass for the machine's own I/O, moving or not. */
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
      forms: [`+${formatCount(arrived)} ${plural(arrived, 'I/O')}`],
      priority: 62,
      role: 'dim',
      align: 'right',
    });
  if (isFrozen)
    badges.push({ forms: [' PAUSED '], priority: 1, role: 'badge', align: 'right', gap: 1 });
  const clock: Segment = { forms: [clockText(wallMs)], priority: 10, align: 'right', gap: 1 };
  return [...badges, ...playbackSegments(playback), clock];
}

/** Widths that keep what stands beside them in its place. */
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
  return state === 'loading' ? 'loads' : speedText(speed);
}
