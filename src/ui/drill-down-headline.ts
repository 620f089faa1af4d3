import { formatPercent, plural } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { ClockBase } from '../base/time.ts';
import type { Box } from '../filter/box.ts';
import type { BoxReport } from '../query/box/drill-down.ts';
import { metricTitle } from '../view/describe.ts';
import { timeRangeText } from '../base/clock-text.ts';
import { byteSumText, exactAmount, exactCount, spanText } from './figures.ts';
import { fitSegments } from './fit-segments.ts';
import type { Segment } from './fit-segments.ts';
import { exactLine, span } from './span.ts';
import type { Line } from './span.ts';
import { valueRangeText } from './value-range-text.ts';

/** What the box is, how much is in it, and how well that is known: two lines or three. */
export function headlines(report: BoxReport, clockBase: ClockBase, width: number): Line[] {
  const bar = boxBar(report.box, clockBase, width);
  const certainty = certaintyForms(report);
  const notes: Line[] =
    certainty.length === 0
      ? []
      : [indented(fitSegments([{ forms: certainty, priority: 1, role: 'warning' }], width - 2))];
  return [bar, indented(fitSegments(amountSegments(report), width - 2)), ...notes];
}

/** What the box is. */
export function boxBar(box: Box, clockBase: ClockBase, width: number): Line {
  const subject: Segment[] = [
    { forms: [timeRangeText(clockBase, box.startNs, box.endNs)], priority: 1 },
    { forms: [`(${spanText(box.endNs - box.startNs)})`], priority: 5, gap: 1 },
    ...whereSegments(box),
    ...valueSegments(box),
  ];
  const text = fitSegments(subject, Math.max(0, width - 2));
  return exactLine([span(' '), ...text], width).map((one) => span(one.text, 'bar'));
}

function indented(line: Line): Line {
  return [span(' '), ...line];
}

/** Utilization is a figure of disks, so its values pick out no I/O; a lane holds all of its disk. */
function valueSegments(box: Box): Segment[] {
  if (isOfLanes(box)) return [];
  const values = box.metric === 'utilization' ? 'of any value' : valueRangeText(box);
  return [
    { forms: [`${metricTitle(box.metric)} ${values}`, values], priority: 2, gap: 3, minWidth: 8 },
  ];
}

/** In a map of two values what lies across, in lanes the disks. */
function whereSegments(box: Box): Segment[] {
  const { where = [] } = box;
  if (where.length === 0) return [];
  if (isOfLanes(box)) {
    const disks = where.flatMap(({ values }) => values.map(String)).map(sanitizeText);
    const some = exactAmount(disks.length, 'disk');
    return [{ forms: [disks.join(', '), some], priority: 2, gap: 3 }];
  }
  const [low = 0, high = Infinity] = where.map(({ values }) => Number(values[0]));
  const metric = where[0]!.field === 'size' ? 'size' : 'offset';
  const values = valueRangeText({ metric, low, high });
  return [{ forms: [`${metric} ${values}`], priority: 3, gap: 3 }];
}

function isOfLanes({ where = [] }: Box): boolean {
  return where.some(({ field }) => field === 'disk');
}

function amountSegments(report: BoxReport): Segment[] {
  const { count, share, bytes, waitedNs, errors, isEstimated } = report;
  const about = isEstimated ? '~' : '';
  const percent = formatPercent(share);
  const ofWhat = wholeOf(report.box);
  return [
    { forms: [countText(report)], priority: 1, role: 'strong' },
    ...(ofWhat === undefined
      ? []
      : [
          {
            forms: [`(${percent.replace('%', ' %')} ${ofWhat})`, `(${percent})`],
            priority: 2,
            gap: 1,
          },
        ]),
    { forms: [`${about}${byteSumText(bytes)}`], priority: 4 },
    { forms: [`waited ${about}${spanText(waitedNs)}`], priority: 3 },
    {
      forms: errors === 0 || count === 0 ? [] : [`${about}${exactAmount(errors, 'error')}`],
      priority: 0,
      role: 'alarm',
    },
  ];
}

/** What the share is of; a lane always holds all of it. */
function wholeOf(box: Box): string | undefined {
  if (isOfLanes(box)) return undefined;
  const [first] = box.where ?? [];
  if (first === undefined) return 'of those in this time';
  return first.field === 'size' ? 'of those of this size' : 'of those in this place';
}

function countText({ count, leastCount, mostCount }: BoxReport): string {
  return `${leastCount === mostCount ? '' : '~'}${exactAmount(count, 'I/O')}`;
}

/** Nothing when every I/O is known one by one. */
function certaintyForms(report: BoxReport): string[] {
  const { fromSlices, leastCount, mostCount } = report;
  if (fromSlices === 0 && leastCount === mostCount) return [];
  const sum = exactCount(fromSlices);
  if (leastCount === mostCount)
    return [
      `${sum} of them ${plural(fromSlices, 'is', 'are')} known only in sum: not in the list below`,
      `${sum} known only in sum`,
    ];
  const range = `${exactCount(leastCount)} to ${exactCount(mostCount)}`;
  return [
    `${sum} ${plural(fromSlices, 'is', 'are')} known only in sum and not in the list below; in all there are ${range}`,
    `${sum} known only in sum; in all ${range}`,
    `in all ${range}`,
  ];
}
