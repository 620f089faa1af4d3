import { formatDuration, formatRate, UNKNOWN } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { ProcessActivity } from '../model/activity.ts';
import type { Grouping } from '../model/metric.ts';
import type { ProcessSort } from '../view/view-state.ts';
import { bytesPerSecond, megabytes, percentFigure } from './figures.ts';
import type { Column } from './fit-columns.ts';
import { truncate, truncateStart } from './span.ts';

/** Owner of I/O that was only counted, or never seen at submission. */
export const NO_DETAIL = '(no detail)';

/** Behind the name of a kernel thread that submitted for somebody else. */
export const INDIRECT_MARK = '*';

/** 15 characters of `comm` and the mark. */
const COMM_WIDTH = 16;
/** Room for `(no detail)`. */
const MIN_COMM_WIDTH = 11;

type ProcessColumn = Column<ProcessActivity, ProcessSort>;

const WHO: readonly ProcessColumn[] = [
  {
    title: 'PID',
    width: 7,
    align: 'right',
    priority: 4,
    sorts: ['pid'],
    cell: ({ tgid }) => (tgid === undefined ? UNKNOWN : String(tgid)),
  },
  {
    title: 'COMM',
    width: MIN_COMM_WIDTH,
    maxWidth: COMM_WIDTH,
    align: 'left',
    priority: 1,
    cell: commText,
  },
];

/** As wide as PID and COMM together; a path says most at its end. */
const CGROUP: ProcessColumn = {
  title: 'CGROUP',
  width: MIN_COMM_WIDTH,
  maxWidth: 24,
  align: 'left',
  priority: 1,
  sorts: ['pid'],
  cell: ({ comm }, width) => truncateStart(comm === '' ? UNKNOWN : sanitizeText(comm), width),
};

const DISK: ProcessColumn = {
  title: 'DISK',
  width: 7,
  maxWidth: 10,
  align: 'left',
  priority: 6,
  cell: ({ disk }) => (disk === '' ? UNKNOWN : sanitizeText(disk)),
};

const FIGURES: readonly ProcessColumn[] = [
  {
    title: 'R/s',
    width: 5,
    align: 'right',
    priority: 7,
    sorts: ['iops'],
    cell: ({ readsPerSecond }) => formatRate(readsPerSecond),
  },
  {
    title: 'W/s',
    width: 5,
    align: 'right',
    priority: 7,
    sorts: ['iops'],
    cell: ({ writesPerSecond }) => formatRate(writesPerSecond),
  },
  {
    title: 'MB/s',
    width: 5,
    align: 'right',
    priority: 5,
    only: 'narrow',
    sorts: ['bytes'],
    cell: (row) => megabytes(bytesPerSecond(row)),
  },
  {
    title: 'rMB/s',
    width: 6,
    align: 'right',
    priority: 5,
    only: 'wide',
    sorts: ['bytes'],
    cell: ({ readBytesPerSecond }) => megabytes(readBytesPerSecond),
  },
  {
    title: 'wMB/s',
    width: 6,
    align: 'right',
    priority: 5,
    only: 'wide',
    sorts: ['bytes'],
    cell: ({ writtenBytesPerSecond }) => megabytes(writtenBytesPerSecond),
  },
  {
    title: 'P50',
    width: 6,
    align: 'right',
    priority: 9,
    cell: ({ p50Ns }) => formatDuration(p50Ns),
  },
  {
    title: 'P99',
    width: 6,
    align: 'right',
    priority: 3,
    sorts: ['p99'],
    cell: ({ p99Ns }) => formatDuration(p99Ns),
  },
  {
    title: 'MAX',
    width: 6,
    align: 'right',
    priority: 8,
    sorts: ['max'],
    cell: ({ maxNs }) => formatDuration(maxNs),
  },
  {
    title: 'WAIT%',
    width: 6,
    align: 'right',
    priority: 2,
    sorts: ['wait'],
    cell: ({ waitShare }) => percentFigure(waitShare),
  },
];

export const PROCESS_COLUMNS: readonly ProcessColumn[] = [...WHO, DISK, ...FIGURES];

/** A cgroup has no PID of its own; what is added up over disks has no disk. */
const COLUMNS_OF: Record<Grouping, readonly ProcessColumn[]> = {
  'process-disk': PROCESS_COLUMNS,
  process: PROCESS_COLUMNS,
  cgroup: [CGROUP, DISK, ...FIGURES],
};

export function processColumns(grouping: Grouping): readonly ProcessColumn[] {
  return COLUMNS_OF[grouping];
}

type Owner = Pick<ProcessActivity, 'tgid' | 'comm' | 'indirect'>;

/** The mark survives the cut: who is to blame is the point of it. */
export function commText({ tgid, comm, indirect }: Owner, width: number): string {
  const name = comm === '' && tgid === undefined ? NO_DETAIL : sanitizeText(comm);
  if (!indirect) return truncate(name, width);
  return `${truncate(name, width - INDIRECT_MARK.length)}${INDIRECT_MARK}`;
}
