import { preciseClockText } from '../../base/clock-text.ts';
import { UNKNOWN } from '../../base/format.ts';
import { wallMs } from '../../base/time.ts';
import type { ClockBase } from '../../base/time.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import type { Column } from '../text/fit-columns.ts';

/** The time of completion, to the millisecond. */
export function timeColumn(clockBase: ClockBase): Column<SingleIo, never> {
  return {
    ...{ title: 'TIME', width: 12, align: 'left', priority: 1 },
    cell: ({ completeNs }) => preciseClockText(wallMs(clockBase, completeNs)),
  };
}

/** The time at which the first I/O, wait or call of its file completed. */
export function firstSeenColumn(clockBase: ClockBase): Column<SingleIo, never> {
  return {
    ...{ title: 'FIRST SEEN', width: 12, align: 'left', priority: 13 },
    cell: ({ firstSeenNs }) =>
      firstSeenNs === undefined ? UNKNOWN : preciseClockText(wallMs(clockBase, firstSeenNs)),
  };
}
