import type { Grouping } from '../model/metric.ts';

/** Columns of the process table, in the order of the screen; each is also an order of the rows. */
export const PROCESS_SORTS = [
  'pid',
  'comm',
  'cgroup',
  'disk',
  'user',
  'via',
  'reads',
  'writes',
  'iops',
  'margin',
  'bytes',
  'rbytes',
  'wbytes',
  'errors',
  'p50',
  'p99',
  'max',
  'queue',
  'wait',
  'command',
] as const;
export type ProcessSort = (typeof PROCESS_SORTS)[number];

const OF_A_PROCESS: readonly ProcessSort[] = ['pid', 'comm', 'user', 'cgroup', 'via', 'command'];

/** Where rows are not single processes, the columns in whose place is the name of the row. */
export const REPLACED_COLUMNS: Partial<Record<Grouping, readonly ProcessSort[]>> = {
  name: ['pid', 'comm'],
  cgroup: OF_A_PROCESS,
  file: OF_A_PROCESS,
  folder: OF_A_PROCESS,
};

/** The orders of rows among these columns: without those that the rows lack, except that `comm` is by their name. */
export function ordersOf(
  grouping: Grouping,
  columns: readonly ProcessSort[],
): readonly ProcessSort[] {
  const replaced = REPLACED_COLUMNS[grouping] ?? [];
  return columns.filter((id) => id === 'comm' || !replaced.includes(id));
}

/** The same of the disk table. */
export const DISK_SORTS = [
  'name',
  'reads',
  'writes',
  'iops',
  'bytes',
  'rbytes',
  'wbytes',
  'errors',
  'util',
  'qd',
  'inflight',
  'p50',
  'p99',
  'max',
  'queue',
  'mount',
  'stack',
] as const;
export type DiskSort = (typeof DISK_SORTS)[number];

/** The orders of the rows of the matrix; the cells of the matrix can show each of them except for the PID. */
export const MATRIX_SORTS = ['wait', 'iops', 'bytes', 'max', 'pid'] as const;
export type MatrixSort = (typeof MATRIX_SORTS)[number];

const SPARE: readonly string[] = ['cgroup', 'iops', 'errors'];

export const DEFAULT_PROCESS_COLUMNS: readonly ProcessSort[] = PROCESS_SORTS.filter(
  (id) => !SPARE.includes(id),
);
export const DEFAULT_DISK_COLUMNS: readonly DiskSort[] = DISK_SORTS.filter(
  (id) => !SPARE.includes(id),
);

const MATRIX_SORT_OF: Readonly<Record<ProcessSort, MatrixSort>> = {
  pid: 'pid',
  comm: 'pid',
  cgroup: 'pid',
  disk: 'pid',
  user: 'pid',
  via: 'pid',
  reads: 'iops',
  writes: 'iops',
  iops: 'iops',
  margin: 'wait',
  bytes: 'bytes',
  rbytes: 'bytes',
  wbytes: 'bytes',
  errors: 'wait',
  p50: 'max',
  p99: 'max',
  max: 'max',
  queue: 'wait',
  wait: 'wait',
  command: 'pid',
};

/** The sort order of the matrix closest to one of the table. */
export function matrixSort(sort: ProcessSort): MatrixSort {
  return MATRIX_SORT_OF[sort];
}

/** All columns: the chosen ones in their order, each other one after its neighbour in `all`. */
export function listColumns<Id extends string>(
  chosen: readonly Id[],
  all: readonly Id[],
): readonly Id[] {
  const listed = [...chosen];
  for (const [at, id] of all.entries()) {
    if (listed.includes(id)) continue;
    const before = all.slice(0, at).findLast((one) => listed.includes(one));
    listed.splice(before === undefined ? 0 : listed.indexOf(before) + 1, 0, id);
  }
  return listed;
}
