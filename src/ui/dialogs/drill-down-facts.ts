import { formatByteSum, formatDuration, formatPercent } from '../../base/format.ts';
import type { ClockBase } from '../../base/time.ts';
import type { Box } from '../../filter/box.ts';
import { nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { BoxReport } from '../../query/box/drill-down.ts';
import { metricTitle } from '../../view/describe.ts';
import { timeRangeText } from '../../base/clock-text.ts';
import { exactAmount, exactCount } from '../text/figures.ts';
import type { Segment } from '../text/fit-segments.ts';
import { laneForms } from '../text/lane-forms.ts';
import { valueRangeForms } from '../text/value-range-text.ts';

/** The time, values and place of the box. */
export function boxSegments(box: Box, clockBase: ClockBase): Segment[] {
  return [
    { forms: [timeRangeText(clockBase, box.startNs, box.endNs)], priority: 1 },
    { forms: [`(${formatDuration(box.endNs - box.startNs)})`], priority: 5, gap: 1 },
    ...whereSegments(box),
    ...valueSegments(box),
  ];
}

/** Utilization is a figure per disk, so its values select no I/O. Lanes have no values: they hold all their I/O. */
function valueSegments(box: Box): Segment[] {
  if (isOfLanes(box)) return [];
  const values = box.metric === 'utilization' ? ['of any value'] : valueRangeForms(box);
  const titled = values.map((text) => `${metricTitle(box.metric)} ${text}`);
  return [{ forms: [...titled, values.at(-1)!], priority: 2, gap: 3, minWidth: 8 }];
}

/** The second range of a box: in a map of two values that of the x axis, in lanes the disks or files. */
function whereSegments(box: Box): Segment[] {
  const { where, across } = box;
  if (where !== undefined) return [{ forms: laneForms(where), priority: 2, gap: 3 }];
  if (across === undefined) return [];
  const forms = valueRangeForms(across).map((text) => `${across.metric} ${text}`);
  return [{ forms, priority: 3, gap: 3 }];
}

function isOfLanes({ where }: Box): boolean {
  return where !== undefined;
}

/** The amount of I/O in the box. */
export function amountSegments(report: BoxReport, layer: Layer): Segment[] {
  const { count, share, bytes, waitedNs, errors = 0, isEstimated, groups } = report;
  const isTimed = count === 0 || waitedNs > 0 || groups.some(({ maxNs }) => maxNs !== undefined);
  const about = isEstimated ? '~' : '';
  const percent = formatPercent(share);
  const ofWhat = wholeOf(report.box);
  return [
    { forms: [countText(report, layer)], priority: 1, role: 'strong' },
    ...(ofWhat === undefined
      ? []
      : [
          {
            forms: [`(${percent} ${ofWhat})`, `(${percent})`],
            priority: 2,
            gap: 1,
          },
        ]),
    { forms: bytes === undefined ? [] : [`${about}${formatByteSum(bytes)}`], priority: 4 },
    {
      forms: isTimed ? [`waited ${about}${formatDuration(waitedNs)}`] : [],
      priority: 3,
    },
    {
      forms: errors === 0 || count === 0 ? [] : [`${about}${exactCount(errors)} failed`],
      priority: 0,
      role: 'alarm',
    },
  ];
}

/** What the share is a share of. Lanes have none, because they always hold all I/O. */
function wholeOf(box: Box): string | undefined {
  if (isOfLanes(box)) return undefined;
  if (box.across === undefined) return 'of this time';
  return box.across.metric === 'size' ? 'of this size' : 'of this place';
}

function countText({ count, leastCount, mostCount }: BoxReport, layer: Layer): string {
  return `${leastCount === mostCount ? '' : '~'}${exactAmount(count, nounOf(layer))}`;
}

/** How exact the amount is, in ever shorter forms; empty if every I/O is known individually. */
export function certaintyForms(report: BoxReport): string[] {
  const { fromSlices, leastCount, mostCount, undecided } = report;
  if (fromSlices === 0 && leastCount === mostCount) return [];
  const sum = exactCount(fromSlices);
  if (leastCount === mostCount) return [`${sum} aggregated, not listed below`, `${sum} aggregated`];
  const [least, most] = [exactCount(leastCount), exactCount(mostCount)];
  if (fromSlices === 0)
    return [
      `${exactCount(undecided)} may be in it or not; total between ${least} and ${most}`,
      `total ${least}–${most}`,
    ];
  return [
    `${sum} aggregated, not listed below; total between ${least} and ${most}`,
    `${sum} aggregated; total ${least}–${most}`,
    `total ${least}–${most}`,
  ];
}
