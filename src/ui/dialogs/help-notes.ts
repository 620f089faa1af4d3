import type { HelpSection } from './help-section.ts';
import { INDIRECT_MARK, NO_DETAIL, SEVERAL_MARK } from '../tables/process-columns.ts';
import { ERROR_MARK } from '../tables/table-lines.ts';

/** The steps from "it feels slow" to who, where and why. */
export const FIRST_LOOK: HelpSection = {
  title: 'Where to start',
  entries: [
    {
      term: 'who',
      text: 'the first row of the table; WAIT%: its share of all waiting',
    },
    {
      term: 'which disk',
      text: 'column DISK; Tab: the disks; %UTIL: busy; QD: mean requests in flight',
    },
    { term: 'what', text: 'R/s, W/s and MB/s; o: show only reads, writes, flushes, sync …' },
    {
      term: 'why',
      text: 'Q% near 100: it waits in the queue; near 0: the disk is slow',
    },
    {
      term: 'since when',
      text: 'where the picture changes; v Enter: details; !: the slowest I/O',
    },
  ],
};

/** The meaning of terms and marks on the screen. */
export const HELP_NOTES: readonly HelpSection[] = [
  {
    title: 'The picture',
    entries: [
      { term: 'across', text: 'time; the newest column is on the right' },
      { term: 'up', text: 'the metric: each row is a range of values' },
      {
        term: 'left edge',
        text: 'mean I/Os per second between two labels over the time shown; for utilization, how many disks were that busy',
      },
      {
        term: '┊',
        text: 'start of tracing, or the oldest known I/O: everything to its left is unknown',
      },
      {
        term: 'colour',
        text: 'number of I/Os in a cell; see the legend. Palette spectrum keeps a single I/O visible, but its brightness is not proportional to the count; grey is linear in count',
      },
    ],
  },
  {
    title: 'The layouts (V)',
    entries: [
      {
        term: 'stacked',
        text: 'latency, offset and size on one time axis. Keys and the cursor act on the map with the bold title: choose it with 1 to 5, or with Tab while the cursor is on. The line in the other maps marks the same moment',
      },
      {
        term: 'layers',
        text: 'system calls, what programs waited for, volumes, and the queue and device latency of disks, as far as they have had I/O, on one time axis: if it is slow above and fast below, the time is lost in between. Rate, p99 and max are of each map; header and tables are of the layer with the bold title, as two layers must not be added up. L, or Tab while the cursor is on, goes to another one',
      },
      {
        term: 'size × latency',
        text: 'each I/O of the time shown by its size and latency; there is no time axis, the legend states the period. Answers: is only large I/O slow?',
      },
      {
        term: 'offset × latency',
        text: 'the same by place on the disk: slow places show as columns. The x axis always fits the data, z zooms only y; Enter twice on a box filters by both values',
      },
      {
        term: 'disks',
        text: 'a lane per disk; the colour is how slow (p99 or mean, w switches), not how many; blank: no I/O',
      },
      {
        term: 'files',
        text: 'the same with a lane for each of the files with the most I/O in the picture; the last lane has everything else. A file keeps its lane until another has more than twice its I/O',
      },
      {
        term: 'processes',
        text: 'the same with a lane per process, by PID and name',
      },
      {
        term: 'cgroups',
        text: 'the same with a lane per cgroup: service, container or pod. I/O that was aggregated without an owner is in the last lane, and counted in the legend',
      },
      {
        term: 'missing',
        text: 'aggregated I/O has no pairs of values: maps of two values do not draw it, and state how much it is',
      },
    ],
  },
  {
    title: 'The mouse',
    entries: [
      { term: 'click', text: 'in the picture: moves the cross-hair there; again: details' },
      { term: 'click', text: 'left of the picture: highlights the values between two labels' },
      { term: 'drag', text: 'in the picture: selects a box; a click inside opens it' },
      { term: 'wheel', text: 'in the picture: scrolls through time; with Shift or Ctrl: zooms' },
      { term: 'heading', text: 'sorts by that column' },
      { term: 'hint', text: 'presses its key; so do metric, scale and weight in the header' },
      { term: 'row', text: 'selects it; again: shows only its I/O; the wheel scrolls' },
      { term: 'lists', text: 'a click selects an entry, again: applies it; on [ ] marks it' },
      { term: 'columns', text: 'and the menu of kinds: a click switches an entry on or off' },
      {
        term: 'texts',
        text: 'and lists of I/Os: the wheel scrolls, a click on the first line closes; on a single I/O selects it, again: explains',
      },
      {
        term: 'Shift',
        text: 'with Shift most terminals select text as usual. The mouse is ignored while a line is typed; --no-mouse does not capture it',
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
        text: 'queued → completion: both. P50, P99 and MAX in the tables refer to the total, those in the header to the latency in the picture',
      },
      {
        term: 'no time',
        text: 'an fsync ends in an empty write that is never issued: it has a queue time, but no device and no total time, which the legend counts. The flush that it waits for has all three. I/Os that were under way when tracing began have no time either',
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
      { term: 'WAIT%', text: 'share of the total latency of all I/O: who waits most' },
      {
        term: 'Q%',
        text: 'share of that waiting in the queue; the rest is at the device: near 100 it waits for other I/O, near 0 for the disk itself',
      },
      {
        term: '%UTIL',
        text: '% of the time with at least one request at the device (≥: this or more); a parallel device still has room at 100',
      },
      {
        term: 'QD',
        text: 'mean requests in flight: waiting or in service, including I/O that waits for a request; each counts when it completes, with all of its time',
      },
      {
        term: 'stalled',
        text: 'share of the time in which tasks of the machine, or of a cgroup (STALL%), waited for storage, by the kernel (pressure, some); if no disk explains it, the last line says why as far as it can be seen',
      },
      {
        term: INDIRECT_MARK,
        text: 'submitted by a kernel thread for a process, such as writeback; names the process that wrote or waits, or the thread where that is unknown',
      },
      {
        term: SEVERAL_MARK,
        text: 'like *, but others wrote to the same file or journal, too',
      },
      {
        term: NO_DETAIL,
        text: 'aggregated: the owner is unknown',
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
        text: 'share known individually; the rest came too fast and was only counted in the kernel',
      },
      {
        term: 'budget',
        text: 'to stay within --budget, the screen is drawn twice or once a second (2 frames/s), and one in eight I/Os comes individually (1 in 8), besides all slow and failed ones and the first of each process and file; whose the others are is estimated, see the column ±%',
      },
      {
        term: 'lost',
        text: 'I/Os known to have happened that are not drawn, and their share; highlighted from 1% on, of all I/O or of the last minute',
      },
      {
        term: 'hangs',
        text: 'I/Os submitted long ago and not completed: they are not counted until they complete',
      },
    ],
  },
];
