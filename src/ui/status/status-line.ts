import {
  formatByteSum,
  formatCount,
  formatDuration,
  formatRate,
  plural,
} from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { isWithoutDisk } from '../../model/stall.ts';
import type { Stall } from '../../model/stall.ts';
import { stallTexts } from './stall-texts.ts';
import type { Completeness, Hanging } from '../../model/activity.ts';
import { completePercent, missingPercent } from '../text/figures.ts';
import { fitSegments, segmentAt } from '../text/fit-segments.ts';
import type { Segment } from '../text/fit-segments.ts';
import { exactLine, lineText, span, truncate } from '../text/span.ts';
import type { Line } from '../text/span.ts';
import type { Role } from '../text/theme.ts';
import { wrapWords } from '../text/wrap-words.ts';
import type { Hint } from './hints.ts';

/** The current recording. */
export interface RecordingShown {
  readonly name: string;
  readonly bytes: number;
}

export interface StatusContent {
  /** The filter as a person would type it; empty when everything is shown. */
  readonly filterText: string;
  /** The same for what is highlighted; empty when nothing is. */
  readonly highlightText?: string;
  /** The result of the last key; replaces the hints. */
  readonly notice: string | undefined;
  /** The keys to press next, the most important last. */
  readonly hints: readonly Hint[];
  readonly completeness: Completeness;
  /** Share of the I/O of the last minute that is not drawn; default: that of all I/O. */
  readonly recentLoss?: number;
  /** The maximum number of frames per second, if the budget limits them. */
  readonly framesPerSecond?: number | undefined;
  /** Requests submitted long ago and not completed. */
  readonly hanging?: Hanging | undefined;
  /** Shown if tasks wait although no disk explains it. */
  readonly stall?: Stall | undefined;
  readonly recording?: RecordingShown | undefined;
}

/** From this width on the three figures are written out. */
const LONG_FIGURES_WIDTH = 100;
/** Below this width they may take at most two thirds of the line. */
const SHORT_FIGURES_WIDTH = 50;

/** Number of hints that stay when a filter is cut: as many as fit next to it on 80 columns. */
const LASTING_HINTS = 3;
/** Priority of the last hint; the one before has one more. */
const HINTS_FROM = 30;
/** Shortened before the hints that stay. */
const BEFORE_LASTING_HINTS = HINTS_FROM + LASTING_HINTS - 0.5;

type FigureStyle = 'long' | 'medium' | 'short';

function figureStyle(width: number): FigureStyle {
  if (width >= LONG_FIGURES_WIDTH) return 'long';
  return width >= SHORT_FIGURES_WIDTH ? 'medium' : 'short';
}

export function statusLine(content: StatusContent, width: number): Line {
  return exactLine([span(' '), ...fitSegments(segmentsOf(content, width), width - 2)], width);
}

/** The key of the hint at the cell `x`; undefined elsewhere. */
export function statusKeyAt(content: StatusContent, width: number, x: number): string | undefined {
  return segmentAt(segmentsOf(content, width), width - 2, x - 1)?.press;
}

function segmentsOf(content: StatusContent, width: number): readonly Segment[] {
  return [
    ...hangingSegments(content, width),
    ...stallSegments(content),
    ...recordingSegments(content.recording),
    ...budgetSegments(content),
    ...filterSegments(content),
    ...highlightSegments(content),
    ...(content.notice === undefined ? hintSegments(content) : [noticeSegment(content.notice)]),
    ...completenessSegments(content, figureStyle(width)),
  ];
}

/** Share of the lines above that a notice may cover. */
const NOTICE_SHARE = 1 / 3;

/**
 * A notice that does not fit the line, to be shown in a few of the `above` lines over it; none where it
 * fits, possibly without its last clauses.
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

/** The only place that shows a request that never completes. It gets shorter, but stays, next to a notice. */
function hangingSegments({ hanging, notice }: StatusContent, width: number): Segment[] {
  if (hanging === undefined) return [];
  const { count, ageNs } = hanging;
  const disk = sanitizeText(hanging.disk);
  const age = formatDuration(ageNs);
  const many = formatCount(count);
  const long = `${many} ${plural(count, 'I/O hangs', 'I/Os hang')} on ${disk}, for ${age}`;
  const medium = `${many} ${plural(count, 'hangs', 'hang')} on ${disk} ${age}`;
  const short = [medium, `${disk} hangs ${age}`, `hangs ${age}`];
  const forms = figureStyle(width) === 'long' ? [long, ...short] : short;
  const priority = notice === undefined ? 3 : 40;
  return [{ forms, priority, dropPriority: 3, role: 'alarm' }];
}

/**
 * The picture cannot show what tasks wait for, because it is not at a disk. It gets shorter before the last hints do.
 */
function stallSegments({ stall, notice }: StatusContent): Segment[] {
  if (stall === undefined || !isWithoutDisk(stall)) return [];
  const forms = stallTexts(stall).map(sanitizeText);
  const priority = notice === undefined ? BEFORE_LASTING_HINTS : 41;
  return [{ forms, priority, dropPriority: 5, role: 'warning' }];
}

function recordingSegments(recording: RecordingShown | undefined): Segment[] {
  if (recording === undefined) return [];
  const name = sanitizeText(recording.name.slice(recording.name.lastIndexOf('/') + 1));
  const size = formatByteSum(recording.bytes);
  return [{ forms: [`REC ${name} ${size}`, `REC ${size}`, 'REC'], priority: 4, role: 'badge' }];
}

/** Why not all I/O is in detail, and why the picture moves rarely. */
function budgetSegments({ completeness, framesPerSecond }: StatusContent): Segment[] {
  const forms = budgetTexts(ratesOf(completeness), framesPerSecond);
  if (forms.length === 0) return [];
  return [{ forms, priority: BEFORE_LASTING_HINTS, dropPriority: 22, role: 'dim' }];
}

function ratesOf({ oneIn = 1, callsOneIn = 1 }: Completeness): string[] {
  return [
    ...(oneIn > 1 ? [`1 in ${formatCount(oneIn)}`] : []),
    ...(callsOneIn > 1 ? [`1 in ${formatCount(callsOneIn)} calls`] : []),
  ];
}

function budgetTexts(rates: readonly string[], framesPerSecond: number | undefined): string[] {
  const rate = rates.join(', ');
  const frames = framesPerSecond === 1 ? '1 frame/s' : `${framesPerSecond} frames/s`;
  if (rates.length === 0) return framesPerSecond === undefined ? [] : [`budget: ${frames}`, frames];
  const sampled = [`budget: ${rate} in detail`, `budget: ${rate}`, rate];
  return framesPerSecond === undefined ? sampled : [`${sampled[0]}, ${frames}`, ...sampled];
}

/** A notice is more important than the filter; a hint is not. */
function filterSegments({ filterText, notice }: StatusContent): Segment[] {
  if (filterText === '') return [];
  const text = sanitizeText(filterText);
  const forms = [`filter: ${text}`, text];
  const dropPriority = notice === undefined ? 6 : 20;
  return [{ forms, priority: 20, dropPriority, minWidth: 10, role: 'accent' }];
}

/** Cut rather than without its word, which tells it from a filter. */
function highlightSegments({ highlightText = '' }: StatusContent): Segment[] {
  if (highlightText === '') return [];
  const forms = [`highlight: ${sanitizeText(highlightText)}`];
  return [{ forms, priority: 21, dropPriority: 19, minWidth: 14, role: 'accent' }];
}

function hintSegments({ hints }: StatusContent): Segment[] {
  return hints.map(({ key, text, short }, index) => {
    const after = hints.length - 1 - index;
    return {
      forms: short === undefined ? [text] : [text, short],
      // The first ones are dropped first.
      priority: HINTS_FROM + after,
      ...(after < LASTING_HINTS && { dropPriority: 7 + after }),
      role: 'dim',
      ...(key !== undefined && { press: key }),
    };
  });
}

function noticeSegment(notice: string): Segment {
  return { forms: noticeForms(sanitizeText(notice)), priority: 10, minWidth: 10 };
}

/** Whole clauses are dropped before one is cut: `frozen; Space resumes` → `frozen`. */
function noticeForms(notice: string): string[] {
  const clauses = notice.split('; ');
  return clauses.map((_, dropped) => clauses.slice(0, clauses.length - dropped).join('; '));
}

/** From this share on the picture cannot be trusted, and the figure becomes an alarm. */
const GRAVE_LOSS = 0.01;

/** Dim while nothing is lost; recent losses count like losses of the whole trace. */
function lossRole({ completeness, recentLoss = 0 }: StatusContent): Role {
  if (completeness.lost === 0 && completeness.inPicture >= 1) return 'dim';
  const share = Math.max(1 - completeness.inPicture, recentLoss);
  return share >= GRAVE_LOSS ? 'alarm' : 'warning';
}

/** Always shown: nothing else on the line hides what the picture lacks. */
function completenessSegments(content: StatusContent, style: FigureStyle): Segment[] {
  const { inPicture, inDetail, lost } = content.completeness;
  const isLong = style === 'long';
  const gap = isLong ? 2 : 1;
  const role = lossRole(content);
  const lostText = style === 'short' ? formatRate(lost) : formatCount(lost);
  const lostShare = `(${missingPercent(1 - inPicture)}%)`;
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
      // What is missing of the share in the picture says the same.
      priority: BEFORE_LASTING_HINTS + 0.1,
      role,
      align: 'right',
      gap: 1,
    },
  ];
}

/** `in picture 100%`, `pic 99.997%`, or `pic 99.9%`: however short, never 100 for less. */
function shareText(name: string, share: number, style: FigureStyle): string {
  if (style === 'long') return `${name} ${completePercent(share)}%`;
  const percent = style === 'short' && share > 0.999 && share < 1 ? '99.9' : completePercent(share);
  return `${name} ${percent}%`;
}
