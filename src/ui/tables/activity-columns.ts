import { formatCount, formatDuration, formatRate } from '../../base/format.ts';
import type { Activity } from '../../model/activity.ts';
import {
  bytesPerSecond,
  completionsPerSecond,
  megabytes,
  wholePercentFigure,
} from '../text/figures.ts';
import type { Column } from '../text/fit-columns.ts';

type AmountSort = 'reads' | 'writes' | 'iops' | 'errors' | 'bytes' | 'rbytes' | 'wbytes';
type LatencySort = 'p50' | 'p99' | 'max' | 'queue';

/** Columns by their own sort order: an order without a column does not compile. */
type ColumnsOf<Sort extends AmountSort | LatencySort> = Readonly<
  Record<Sort, Column<Activity, AmountSort | LatencySort>>
>;

/** Priority of each figure where there is little room; it depends on the table's other columns. */
export type ActivityPriorities = Readonly<
  Record<'kinds' | 'errors' | 'p50' | 'max' | 'queue', number>
>;

const FIGURE = { width: 5, align: 'right' } as const;
const WIDE_FIGURE = { width: 6, align: 'right' } as const;
const THROUGHPUT_PRIORITY = 5;

/** Columns of amounts: per kind, and in total. */
export function amountColumns({ kinds, errors }: ActivityPriorities): ColumnsOf<AmountSort> {
  return {
    reads: {
      ...FIGURE,
      title: 'R/s',
      priority: kinds,
      sorts: ['reads', 'iops'],
      cell: ({ readsPerSecond }) => formatRate(readsPerSecond),
    },
    writes: {
      ...FIGURE,
      title: 'W/s',
      priority: kinds,
      sorts: ['writes', 'iops'],
      cell: ({ writesPerSecond }) => formatRate(writesPerSecond),
    },
    iops: {
      ...FIGURE,
      title: 'IOPS',
      priority: THROUGHPUT_PRIORITY,
      sorts: ['iops'],
      cell: (row) => formatRate(completionsPerSecond(row)),
    },
    errors: {
      ...FIGURE,
      title: 'ERR',
      priority: errors,
      sorts: ['errors'],
      cell: (row) => formatCount(row.errors),
      role: ({ errors = 0 }) => (errors > 0 ? 'warning' : 'plain'),
    },
    ...BYTES,
  };
}

const BYTES: ColumnsOf<'bytes' | 'rbytes' | 'wbytes'> = {
  bytes: {
    ...FIGURE,
    title: 'MB/s',
    priority: THROUGHPUT_PRIORITY,
    only: 'narrow',
    sorts: ['bytes', 'rbytes', 'wbytes'],
    cell: (row) => megabytes(bytesPerSecond(row)),
  },
  rbytes: {
    ...WIDE_FIGURE,
    title: 'rMB/s',
    priority: THROUGHPUT_PRIORITY,
    only: 'wide',
    sorts: ['rbytes', 'bytes'],
    cell: ({ readBytesPerSecond }) => megabytes(readBytesPerSecond),
  },
  wbytes: {
    ...WIDE_FIGURE,
    title: 'wMB/s',
    priority: THROUGHPUT_PRIORITY,
    only: 'wide',
    sorts: ['wbytes', 'bytes'],
    cell: ({ writtenBytesPerSecond }) => megabytes(writtenBytesPerSecond),
  },
};

/** Columns of latencies, and where the time goes. */
export function latencyColumns({ p50, max, queue }: ActivityPriorities): ColumnsOf<LatencySort> {
  return {
    p50: {
      ...FIGURE,
      title: 'P50',
      priority: p50,
      sorts: ['p50'],
      cell: ({ p50Ns }) => formatDuration(p50Ns),
    },
    p99: {
      ...FIGURE,
      title: 'P99',
      priority: 3,
      sorts: ['p99'],
      cell: ({ p99Ns }) => formatDuration(p99Ns),
    },
    max: {
      ...FIGURE,
      title: 'MAX',
      priority: max,
      sorts: ['max'],
      cell: ({ maxNs }) => formatDuration(maxNs),
    },
    queue: {
      title: 'Q%',
      width: 3,
      align: 'right',
      priority: queue,
      sorts: ['queue'],
      cell: ({ queueShare }) => wholePercentFigure(queueShare),
    },
  };
}
