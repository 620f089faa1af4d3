import { formatBytes, formatCount, formatDuration, formatRate, plural } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { Fidelity, Hanging } from '../model/activity.ts';
import { completePercent, missingPercent } from './figures.ts';
import { fitSegments } from './fit-segments.ts';
import type { Segment } from './fit-segments.ts';
import { exactLine, lineText, span, truncate } from './span.ts';
import type { Line } from './span.ts';
import type { Role } from './theme.ts';
import { wrapWords } from './wrap-words.ts';

/** A recording that is under way. */
export interface RecordingShown {
  readonly name: string;
  readonly bytes: number;
}

export interface StatusContent {
  /** As a person would type it; empty when everything is shown. */
  readonly filterText: string;
  /** What the last key did; takes the place of the hints. */
  readonly notice: string | undefined;
  /** What to press next; the same thing ever shorter. */
  readonly hints: readonly string[];
  readonly fidelity: Fidelity;
  /** Share of the I/O of the last minute that is in no picture; without it, as of all. */
  readonly recentLoss?: number;
  /** Requests that have not come back for long. */
  readonly hanging?: Hanging | undefined;
  readonly recording?: RecordingShown | undefined;
}

/** From here on the three figures are written out. */
const LONG_FIGURES_WIDTH = 100;
/** Below this they must not take more than two thirds of the line. */
const SHORT_FIGURES_WIDTH = 50;

type FigureStyle = 'long' | 'medium' | 'short';

function figureStyle(width: number): FigureStyle {
  if (width >= LONG_FIGURES_WIDTH) return 'long';
  return width >= SHORT_FIGURES_WIDTH ? 'medium' : 'short';
}

export function statusLine(content: StatusContent, width: number): Line {
  const segments = [
    ...hangingSegments(content.hanging),
    ...recordingSegments(content.recording),
    ...filterSegments(content.filterText),
    noticeSegment(content),
    ...fidelitySegments(content, figureStyle(width)),
  ];
  return exactLine([span(' '), ...fitSegments(segments, width - 2)], width);
}

/** Of the lines above, which are there for more than notices. */
const NOTICE_SHARE = 1 / 3;

/**
 * A notice that the line would have to cut, to stand in a few of the `above` lines over it; none where
 * it fits, if need be without its last clauses.
 */
export function noticeLines(content: StatusContent, width: number, above: number): Line[] {
  if (content.notice === undefined) return [];
  const notice = sanitizeText(content.notice);
  const shown = lineText(statusLine(content, width));
  const forms = noticeForms(notice);
  if (forms.some((form) => shown.includes(form))) return [];
  const room = Math.max(1, width - 2);
  const most = Math.max(1, Math.floor(above * NOTICE_SHARE));
  const wrapped = forms.map((form) => wrapWords(form, room));
  const whole = wrapped.find(({ length }) => length <= most);
  const lines = whole ?? [truncate(forms.at(-1)!, room)];
  return lines.map((line) => exactLine([span(` ${line}`)], width));
}

/** Nothing else on the screen shows a request that never completes. */
function hangingSegments(hanging: Hanging | undefined): Segment[] {
  if (hanging === undefined) return [];
  const { count, ageNs } = hanging;
  const disk = sanitizeText(hanging.disk);
  const age = formatDuration(ageNs);
  const requests = `${formatCount(count)} ${plural(count, 'I/O hangs', 'I/Os hang')}`;
  const forms = [`${requests} on ${disk}, for ${age}`, `${disk} hangs ${age}`, `hangs ${age}`];
  return [{ forms, priority: 3, role: 'alarm' }];
}

function recordingSegments(recording: RecordingShown | undefined): Segment[] {
  if (recording === undefined) return [];
  const name = sanitizeText(recording.name.slice(recording.name.lastIndexOf('/') + 1));
  const size = formatBytes(recording.bytes);
  return [{ forms: [`REC ${name} ${size}`, `REC ${size}`, 'REC'], priority: 4, role: 'badge' }];
}

function filterSegments(filterText: string): Segment[] {
  if (filterText === '') return [];
  const text = sanitizeText(filterText);
  return [{ forms: [`filter: ${text}`, text], priority: 20, minWidth: 10, role: 'accent' }];
}

function noticeSegment({ notice, hints }: StatusContent): Segment {
  return notice === undefined
    ? { forms: hints, priority: 30, role: 'dim' }
    : { forms: noticeForms(sanitizeText(notice)), priority: 10, minWidth: 10 };
}

/** Whole clauses go before the end of one is cut: `frozen; Space follows` → `frozen`. */
function noticeForms(notice: string): string[] {
  const clauses = notice.split('; ');
  return clauses.map((_, dropped) => clauses.slice(0, clauses.length - dropped).join('; '));
}

/** From here on the picture is not to be trusted: louder than a word of warning. */
const GRAVE_LOSS = 0.01;

/** Quiet while nothing is lost; what is lost of late counts as much as what is lost of all. */
function lossRole({ fidelity, recentLoss = 0 }: StatusContent): Role {
  if (fidelity.lost === 0 && fidelity.inPicture >= 1) return 'dim';
  const share = Math.max(1 - fidelity.inPicture, recentLoss);
  return share >= GRAVE_LOSS ? 'alarm' : 'warning';
}

/** Always there: what the picture lacks is never hidden by anything else on the line. */
function fidelitySegments(content: StatusContent, style: FigureStyle): Segment[] {
  const { inPicture, inDetail, lost } = content.fidelity;
  const isLong = style === 'long';
  const gap = isLong ? 2 : 1;
  const role = lossRole(content);
  const lostText = style === 'short' ? formatRate(lost) : formatCount(lost);
  const lostShare = `(${missingPercent(1 - inPicture)}${isLong ? ' %' : '%'})`;
  return [
    {
      forms: [shareText(isLong ? 'in picture' : 'pic', inPicture, style)],
      priority: 1,
      role,
      align: 'right',
    },
    {
      forms: [shareText(isLong ? 'in detail' : 'det', inDetail, style)],
      priority: 2,
      role: inDetail < 1 ? 'warning' : 'dim',
      align: 'right',
      gap,
    },
    { id: 'lost', forms: [`lost ${lostText}`], priority: 0, role, align: 'right', gap },
    {
      needs: 'lost',
      forms: lost > 0 ? [lostShare] : [],
      priority: 25,
      role,
      align: 'right',
      gap: 1,
    },
  ];
}

/** `in picture 100 %`, `pic 99.997%`, or `pic 99.9%`: however short, never 100 for less. */
function shareText(name: string, share: number, style: FigureStyle): string {
  if (style === 'long') return `${name} ${completePercent(share)} %`;
  const percent = style === 'short' && share > 0.999 && share < 1 ? '99.9' : completePercent(share);
  return `${name} ${percent}%`;
}
