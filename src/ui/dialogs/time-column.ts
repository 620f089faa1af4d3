import { preciseClockText } from '../../base/clock-text.ts';
import { wallMs } from '../../base/time.ts';
import type { ClockBase } from '../../base/time.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import type { Column } from '../text/fit-columns.ts';

/** When it completed, to the millisecond. */
export function timeColumn(clockBase: ClockBase): Column<SingleIo, never> {
  return {
    title: 'TIME',
    width: 12,
    align: 'left',
    priority: 1,
    cell: ({ completeNs }) => preciseClockText(wallMs(clockBase, completeNs)),
  };
}
