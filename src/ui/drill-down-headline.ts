import { formatPercent, plural } from '../base/format.ts';
import type { ClockBase } from '../base/time.ts';
import type { BoxReport } from '../model/drill-down.ts';
import { metricTitle } from '../view/describe.ts';
import { timeRangeText } from './clock-text.ts';
import { byteSumText, exactAmount, exactCount, spanText } from './figures.ts';
import { fitSegments } from './fit-segments.ts';
import type { Segment } from './fit-segments.ts';
import { exactLine, span } from './span.ts';
import type { Line } from './span.ts';
import { valueRangeText } from './value-range-text.ts';

/** What the box is, how much is in it, and how well that is known: two lines or three. */
export function headlines(report: BoxReport, clockBase: ClockBase, width: number): Line[] {
  const { box } = report;
  const subject: Segment[] = [
    { forms: [timeRangeText(clockBase, box.startNs, box.endNs)], priority: 1 },
    { forms: [`(${spanText(box.endNs - box.startNs)})`], priority: 5, gap: 1 },
    {
      forms: [`${metricTitle(box.metric)} ${valuesText(report)}`, valuesText(report)],
      priority: 2,
      gap: 3,
      minWidth: 8,
    },
  ];
  const text = fitSegments(subject, Math.max(0, width - 2));
  const bar = exactLine([span(' '), ...text], width).map((one) => span(one.text, 'bar'));
  const certainty = certaintyForms(report);
  const notes: Line[] =
    certainty.length === 0
      ? []
      : [indented(fitSegments([{ forms: certainty, priority: 1, role: 'warning' }], width - 2))];
  return [bar, indented(fitSegments(amountSegments(report), width - 2)), ...notes];
}

function indented(line: Line): Line {
  return [span(' '), ...line];
}

/** Utilization is a figure of disks, so its values pick out no I/O. */
function valuesText({ box }: BoxReport): string {
  return box.metric === 'utilization' ? 'of any value' : valueRangeText(box);
}

function amountSegments(report: BoxReport): Segment[] {
  const { count, share, bytes, waitedNs, errors, isEstimated } = report;
  const about = isEstimated ? '~' : '';
  const percent = formatPercent(share);
  return [
    { forms: [countText(report)], priority: 1, role: 'strong' },
    {
      forms: [`(${percent.replace('%', ' %')} of those in this time)`, `(${percent})`],
      priority: 2,
      gap: 1,
    },
    { forms: [`${about}${byteSumText(bytes)}`], priority: 4 },
    { forms: [`waited ${about}${spanText(waitedNs)}`], priority: 3 },
    {
      forms: errors === 0 || count === 0 ? [] : [`${about}${exactAmount(errors, 'error')}`],
      priority: 0,
      role: 'alarm',
    },
  ];
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
