import { formatCount, formatDuration, formatRate } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { DiskActivity } from '../model/activity.ts';
import type { DiskSort } from '../view/view-state.ts';
import {
  bytesPerSecond,
  completionsPerSecond,
  megabytes,
  percentFigure,
  wholePercentFigure,
} from './figures.ts';
import { chooseColumns } from './fit-columns.ts';
import type { Column } from './fit-columns.ts';

type DiskColumn = Column<DiskActivity, DiskSort>;

/** A disk this busy is worth a second look, though a disk that serves in parallel may have room. */
const BUSY = 0.9;

const ALL: readonly DiskColumn[] = [
  {
    title: 'DISK',
    width: 8,
    maxWidth: 12,
    align: 'left',
    priority: 1,
    sorts: ['name'],
    isFindable: true,
    cell: ({ disk }) => sanitizeText(disk),
  },
  {
    title: 'R/s',
    width: 5,
    align: 'right',
    priority: 7,
    sorts: ['reads', 'iops'],
    cell: ({ readsPerSecond }) => formatRate(readsPerSecond),
  },
  {
    title: 'W/s',
    width: 5,
    align: 'right',
    priority: 7,
    sorts: ['writes', 'iops'],
    cell: ({ writesPerSecond }) => formatRate(writesPerSecond),
  },
  {
    title: 'IOPS',
    width: 5,
    align: 'right',
    priority: 5,
    sorts: ['iops'],
    cell: (row) => formatRate(completionsPerSecond(row)),
  },
  {
    title: 'ERR',
    width: 5,
    align: 'right',
    priority: 7,
    sorts: ['errors'],
    cell: ({ errors }) => formatCount(errors),
    role: ({ errors }) => (errors > 0 ? 'warning' : 'plain'),
  },
  {
    title: 'MB/s',
    width: 5,
    align: 'right',
    priority: 5,
    only: 'narrow',
    sorts: ['bytes', 'rbytes', 'wbytes'],
    cell: (row) => megabytes(bytesPerSecond(row)),
  },
  {
    title: 'rMB/s',
    width: 6,
    align: 'right',
    priority: 5,
    only: 'wide',
    sorts: ['rbytes', 'bytes'],
    cell: ({ readBytesPerSecond }) => megabytes(readBytesPerSecond),
  },
  {
    title: 'wMB/s',
    width: 6,
    align: 'right',
    priority: 5,
    only: 'wide',
    sorts: ['wbytes', 'bytes'],
    cell: ({ writtenBytesPerSecond }) => megabytes(writtenBytesPerSecond),
  },
  {
    title: '%UTIL',
    width: 6,
    align: 'right',
    priority: 2,
    sorts: ['util'],
    cell: ({ utilization }) => percentFigure(utilization),
    role: ({ utilization }) => ((utilization ?? 0) >= BUSY ? 'warning' : 'plain'),
  },
  {
    title: 'QD',
    width: 5,
    align: 'right',
    priority: 4,
    sorts: ['qd'],
    cell: ({ queueDepth }) => formatRate(queueDepth),
  },
  {
    title: 'P50',
    width: 5,
    align: 'right',
    priority: 9,
    sorts: ['p50'],
    cell: ({ p50Ns }) => formatDuration(p50Ns),
  },
  {
    title: 'P99',
    width: 5,
    align: 'right',
    priority: 3,
    sorts: ['p99'],
    cell: ({ p99Ns }) => formatDuration(p99Ns),
  },
  {
    title: 'MAX',
    width: 5,
    align: 'right',
    priority: 8,
    sorts: ['max'],
    cell: ({ maxNs }) => formatDuration(maxNs),
  },
  {
    title: 'Q%',
    width: 3,
    align: 'right',
    priority: 6,
    sorts: ['queue'],
    cell: ({ queueShare }) => wholePercentFigure(queueShare),
  },
];

/** The heading of a column. */
export function diskHeading(id: DiskSort): string {
  return ALL.find(({ sorts }) => sorts?.[0] === id)?.title ?? '';
}

/** The columns of the disk table in the order chosen. */
export function chosenDiskColumns(
  chosen: readonly DiskSort[],
  sort: DiskSort,
): readonly DiskColumn[] {
  return chooseColumns(ALL, chosen, sort);
}
