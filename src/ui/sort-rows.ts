import type { DiskActivity, ProcessActivity } from '../model/activity.ts';
import type { DiskSort, ProcessSort } from '../view/view-state.ts';
import { bytesPerSecond, completionsPerSecond } from './figures.ts';

type Compare<Row> = (a: Row, b: Row) => number;

/** `sd9` before `sd10`. */
const NAMES = new Intl.Collator('en', { numeric: true });

const PROCESS_ORDERS: Record<ProcessSort, Compare<ProcessActivity>> = {
  wait: largestFirst(({ waitShare }) => waitShare),
  iops: largestFirst(completionsPerSecond),
  bytes: largestFirst(bytesPerSecond),
  p99: largestFirst(({ p99Ns }) => p99Ns),
  max: largestFirst(({ maxNs }) => maxNs),
  pid: (a, b) => (a.tgid ?? Infinity) - (b.tgid ?? Infinity) || NAMES.compare(a.comm, b.comm),
};

const DISK_ORDERS: Record<DiskSort, Compare<DiskActivity>> = {
  util: largestFirst(({ utilization }) => utilization),
  iops: largestFirst(completionsPerSecond),
  bytes: largestFirst(bytesPerSecond),
  p99: largestFirst(({ p99Ns }) => p99Ns),
  max: largestFirst(({ maxNs }) => maxNs),
  name: (a, b) => NAMES.compare(a.disk, b.disk),
};

export function sortProcesses(
  rows: readonly ProcessActivity[],
  sort: ProcessSort,
): readonly ProcessActivity[] {
  const order = PROCESS_ORDERS[sort];
  return rows.toSorted(
    (a, b) => order(a, b) || PROCESS_ORDERS.pid(a, b) || (a.dev ?? 0) - (b.dev ?? 0),
  );
}

export function sortDisks(rows: readonly DiskActivity[], sort: DiskSort): readonly DiskActivity[] {
  const order = DISK_ORDERS[sort];
  return rows.toSorted((a, b) => order(a, b) || DISK_ORDERS.name(a, b) || a.dev - b.dev);
}

/** What cannot be measured comes last. */
function largestFirst<Row>(figure: (row: Row) => number | undefined): Compare<Row> {
  return (a, b) => (figure(b) ?? -1) - (figure(a) ?? -1);
}
