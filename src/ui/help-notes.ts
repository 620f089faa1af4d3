import type { HelpSection } from './help-section.ts';
import { INDIRECT_MARK, NO_DETAIL } from './process-columns.ts';
import { ERROR_MARK } from './table-lines.ts';

/** The way from "it feels slow" to who, where and why. */
export const FIRST_LOOK: HelpSection = {
  title: 'What to look at first',
  entries: [
    {
      term: 'who',
      text: 'the first row below; WAIT% is its share of all waiting',
    },
    { term: 'which disk', text: 'DISK beside it; Tab: the disks, %UTIL busy, QD waiting at once' },
    { term: 'what', text: 'R/s, W/s and MB/s; o: only reads, writes, flushes, sync …' },
    {
      term: 'why',
      text: 'Q% near 100: it waits in the queue; near 0: the disk is slow',
    },
    {
      term: 'since when',
      text: 'where the picture changes; v Enter: what is there; ! the worst',
    },
  ],
};

/** What the words and marks on the screen mean. */
export const HELP_NOTES: readonly HelpSection[] = [
  {
    title: 'The picture',
    entries: [
      { term: 'across', text: 'time; the newest column is on the right' },
      { term: 'up', text: 'the metric: one row holds one range of its values' },
      {
        term: 'left edge',
        text: 'I/Os a second between two labels, on average over the time on the screen; of utilization, how many disks were that busy',
      },
      {
        term: '┊',
        text: 'where tracing began, or the oldest known I/O: what is left of it is not known',
      },
      {
        term: 'colour',
        text: 'how many I/Os fell there; the legend has the numbers. False colour keeps a single I/O visible, but a brighter colour is not "so many times more"; grey is linear in count',
      },
    ],
  },
  {
    title: 'The layouts (V)',
    entries: [
      {
        term: 'stacked',
        text: 'latency, offset and size on one time axis. The title in bold is the map that keys and the cursor mean: 1 to 5 choose it; with the cursor Tab does, and a step over an edge. The line through the others is the same moment',
      },
      {
        term: 'size × latency',
        text: 'each I/O of the time on the screen by its two values; time is not in it, the legend says from when to when. Is only large I/O slow?',
      },
      {
        term: 'offset × latency',
        text: 'the same with the place on the disk: slow places stand out as columns. x always fits what there is, z zooms y alone; Enter twice on a box filters by both values',
      },
      {
        term: 'disks',
        text: 'a lane per disk; the colour is how slow, p99 or mean (w), not how many; a blank is no I/O',
      },
      {
        term: 'not in them',
        text: 'I/O known only in sum has no pairs of values: the maps of two values do not draw it and say how much that is',
      },
    ],
  },
  {
    title: 'The mouse',
    entries: [
      { term: 'click', text: 'in the picture: the cross-hair goes there; again: what is there' },
      { term: 'drag', text: 'in the picture: a box; a click into it opens it' },
      { term: 'wheel', text: 'in the picture: time; with Shift or Ctrl: finer or coarser' },
      { term: 'heading', text: 'sorts by that column' },
      { term: 'row', text: 'selects it; again: shows only that; the wheel goes through the rows' },
      {
        term: 'lists',
        text: 'a click goes to an entry, on [ ] marks it; in the menu of kinds too',
      },
      {
        term: 'Shift',
        text: 'with it most terminals select text as usual. While a line is typed the mouse does nothing; --no-mouse leaves it to the terminal',
      },
    ],
  },
  {
    title: 'Latency',
    entries: [
      {
        term: 'queue',
        text: 'queued → issue: waiting for a free request, in the I/O scheduler, in writeback throttling (wbt) or iocost',
      },
      { term: 'device', text: 'issue → completion: the device and everything behind it' },
      {
        term: 'total',
        text: 'queued → completion: both. P50, P99, P99.9 and MAX beside the picture are always of the total',
      },
      {
        term: 'not seen',
        text: 'time before the block layer: the page cache, the file system, a cgroup limit (io.max), the rings of io_uring and libaio',
      },
    ],
  },
  {
    title: 'Columns and marks',
    entries: [
      { term: 'WAIT%', text: 'share of the summed total time of all I/O: who waits most' },
      {
        term: 'Q%',
        text: 'how much of that waiting was in the queue; the rest was at the device: near 100 it waits for other I/O, near 0 for the disk itself',
      },
      {
        term: '%UTIL',
        text: 'share of the time with at least one request at the device; a device that serves many at once has room at 100',
      },
      {
        term: 'QD',
        text: 'I/Os waiting or in service, on average, with those that wait for a request',
      },
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
      {
        term: 'lost',
        text: 'I/Os known to have happened that are in no picture, and their share of all; red on reverse from 1 % on, of all or of the last minute',
      },
      {
        term: 'hangs',
        text: 'I/Os that were submitted and have not come back for long: they are in no figure before they do',
      },
    ],
  },
];
