import { formatDuration, formatRate } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { DiskActivity } from '../model/activity.ts';
import type { DiskSort } from '../view/view-state.ts';
import { bytesPerSecond, megabytes, percentFigure } from './figures.ts';
import type { Column } from './fit-columns.ts';

type DiskColumn = Column<DiskActivity, DiskSort>;

/** A disk this busy is worth a second look, though a disk that serves in parallel may have room. */
const BUSY = 0.9;

export const DISK_COLUMNS: readonly DiskColumn[] = [
  {
    title: 'DISK',
    width: 8,
    maxWidth: 12,
    align: 'left',
    priority: 1,
    sorts: ['name'],
    cell: ({ disk }) => sanitizeText(disk),
  },
  {
    title: 'R/s',
    width: 5,
    align: 'right',
    priority: 6,
    sorts: ['iops'],
    cell: ({ readsPerSecond }) => formatRate(readsPerSecond),
  },
  {
    title: 'W/s',
    width: 5,
    align: 'right',
    priority: 6,
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
    cell: ({ queueDepth }) => formatRate(queueDepth),
  },
  {
    title: 'P50',
    width: 6,
    align: 'right',
    priority: 8,
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
    priority: 7,
    sorts: ['max'],
    cell: ({ maxNs }) => formatDuration(maxNs),
  },
];
