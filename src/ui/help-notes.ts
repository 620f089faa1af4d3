import type { HelpSection } from './help-lines.ts';
import { INDIRECT_MARK, NO_DETAIL } from './process-columns.ts';
import { ERROR_MARK } from './table-lines.ts';

/** What the words and marks on the screen mean. */
export const HELP_NOTES: readonly HelpSection[] = [
  {
    title: 'The picture',
    entries: [
      { term: 'across', text: 'time; the newest column is on the right' },
      { term: 'up', text: 'the metric: one row holds one range of its values' },
      {
        term: 'colour',
        text: 'how many I/Os fell there; the legend has the numbers. False colour keeps a single I/O visible, but a brighter colour is not "so many times more"; grey is linear in count',
      },
    ],
  },
  {
    title: 'Latency',
    entries: [
      { term: 'queue', text: 'submission → issue: waiting in the scheduler, before the device' },
      { term: 'device', text: 'issue → completion: the device and everything behind it' },
      {
        term: 'total',
        text: 'submission → completion: both. P50, P99, P99.9 and MAX beside the picture are always of the total',
      },
    ],
  },
  {
    title: 'Columns and marks',
    entries: [
      { term: 'WAIT%', text: 'share of the summed total time of all I/O: who waits most' },
      {
        term: '%UTIL',
        text: 'share of the time with at least one request at the device; a device that serves many at once has room at 100',
      },
      { term: 'QD', text: 'requests waiting or in service, on average' },
      {
        term: INDIRECT_MARK,
        text: 'submitted by a kernel thread on behalf of somebody else, such as writeback',
      },
      {
        term: NO_DETAIL,
        text: 'counted, but not known one by one: the owner is not known',
      },
      { term: ERROR_MARK, text: 'some of this I/O failed' },
      { term: '▾ ▴', text: 'sorted by this column, largest or smallest first' },
    ],
  },
  {
    title: 'Trust',
    entries: [
      {
        term: 'in picture',
        text: 'share of all I/O known to have happened that is drawn and counted',
      },
      {
        term: 'in detail',
        text: 'share known one by one; the rest was counted in the kernel because it came too fast',
      },
      { term: 'lost', text: 'I/Os known to have happened that are in no picture' },
    ],
  },
];
