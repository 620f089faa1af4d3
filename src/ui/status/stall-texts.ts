import { formatByteRate, formatRate } from '../../base/format.ts';
import type { ReachedLimit, Stall, StallCause } from '../../model/stall.ts';
import { wholePercentFigure } from '../text/figures.ts';

/** The text that tasks wait although no disk explains it, with the reason if it is visible: ever shorter forms. */
export function stallTexts({ some, busiest, cause }: Stall): string[] {
  const stalled = `stalled ${wholePercentFigure(some)}%`;
  const shares = `${stalled}, disks busy ${wholePercentFigure(busiest)}%`;
  const [first, ...shorter] = cause === undefined ? [] : whyTexts(cause);
  if (first === undefined) return [`tasks ${shares}`, shares];
  return [
    `tasks ${shares}: ${first}`,
    ...shorter.map((why) => `${shares}: ${why}`),
    `${stalled}: ${shorter.at(-1) ?? first}`,
  ];
}

function whyTexts({ limit, remoteMounts }: StallCause): string[] {
  if (limit !== undefined) return limitTexts(limit);
  const [mount] = remoteMounts;
  const waits = 'not a disk; --waits shows what they wait for';
  return mount === undefined
    ? [waits, 'not a disk']
    : [`perhaps ${mount}, which is not a disk`, `perhaps ${mount}`];
}

function limitTexts({ cgroup, disk, direction, unit, perSecond }: ReachedLimit): string[] {
  const rate = unit === 'bytes' ? formatByteRate(perSecond) : `${formatRate(perSecond)} I/Os/s`;
  const name = cgroup.slice(cgroup.lastIndexOf('/') + 1);
  const limit = `${rate} of ${direction}s`;
  return [
    `cgroup ${cgroup} is limited to ${limit} on ${disk}`,
    `${name} is limited to ${limit}`,
    `limit of ${name}`,
  ];
}
