import { naturalOrder } from '../../base/natural-order.ts';
import type { Activity, DiskActivity, ProcessActivity } from '../../model/activity.ts';
import { cgroupNumber } from '../../model/cgroup-names.ts';
import type { DiskSort, ProcessSort } from '../../view/table-columns.ts';
import { bytesPerSecond, completionsPerSecond } from '../text/figures.ts';
import { stackText } from './stack-text.ts';

/** Sorts rows without a name after the others. */
const LAST = '\u{10ffff}';

type Compare<Row> = (a: Row, b: Row) => number;

/** Sort orders that both tables have. */
const FIGURE_ORDERS = {
  reads: largestFirst<Activity>(({ readsPerSecond }) => readsPerSecond),
  writes: largestFirst<Activity>(({ writesPerSecond }) => writesPerSecond),
  rbytes: largestFirst<Activity>(({ readBytesPerSecond }) => readBytesPerSecond),
  wbytes: largestFirst<Activity>(({ writtenBytesPerSecond }) => writtenBytesPerSecond),
  errors: largestFirst<Activity>(({ errors }) => errors),
  p50: largestFirst<Activity>(({ p50Ns }) => p50Ns),
  queue: largestFirst<Activity>(({ queueShare }) => queueShare),
};

/** By what a row is called, in ascending order. All other orders have the largest figure first. */
const PROCESS_NAME_ORDERS = {
  comm: (a, b) => naturalOrder(a.comm, b.comm),
  cgroup: (a, b) => naturalOrder(cgroupKey(a), cgroupKey(b)),
  user: (a, b) => naturalOrder(a.user ?? LAST, b.user ?? LAST),
  via: (a, b) => naturalOrder(a.via ?? LAST, b.via ?? LAST),
  command: (a, b) => naturalOrder(a.command ?? LAST, b.command ?? LAST),
  disk: (a, b) => naturalOrder(a.disk, b.disk),
  pid: (a, b) =>
    (a.tgid ?? Infinity) - (b.tgid ?? Infinity) ||
    (a.tid ?? Infinity) - (b.tid ?? Infinity) ||
    naturalOrder(a.comm, b.comm),
} satisfies Partial<Record<ProcessSort, Compare<ProcessActivity>>>;

const DISK_NAME_ORDERS = {
  name: (a, b) => naturalOrder(a.disk, b.disk),
  mount: (a, b) => naturalOrder(a.mounts?.[0] ?? LAST, b.mounts?.[0] ?? LAST),
  stack: (a, b) => naturalOrder(stackText(a) || LAST, stackText(b) || LAST),
} satisfies Partial<Record<DiskSort, Compare<DiskActivity>>>;

const PROCESS_ORDERS: Record<ProcessSort, Compare<ProcessActivity>> = {
  wait: largestFirst(({ waitShare }) => waitShare),
  iops: largestFirst(completionsPerSecond),
  bytes: largestFirst(bytesPerSecond),
  margin: largestFirst(({ margin }) => margin),
  p99: largestFirst(({ p99Ns }) => p99Ns),
  max: largestFirst(({ maxNs }) => maxNs),
  ...FIGURE_ORDERS,
  ...PROCESS_NAME_ORDERS,
};

const DISK_ORDERS: Record<DiskSort, Compare<DiskActivity>> = {
  util: largestFirst(({ utilization }) => utilization),
  iops: largestFirst(completionsPerSecond),
  bytes: largestFirst(bytesPerSecond),
  p99: largestFirst(({ p99Ns }) => p99Ns),
  max: largestFirst(({ maxNs }) => maxNs),
  ...FIGURE_ORDERS,
  qd: largestFirst(({ queueDepth }) => queueDepth),
  inflight: largestFirst(({ inFlight }) => inFlight?.oldestNs),
  ...DISK_NAME_ORDERS,
};

/** Whether the smallest value comes first. */
export function isAscending(sort: ProcessSort | DiskSort): boolean {
  return sort in PROCESS_NAME_ORDERS || sort in DISK_NAME_ORDERS;
}

export function sortProcesses<Row extends ProcessActivity>(
  rows: readonly Row[],
  sort: ProcessSort,
): readonly Row[] {
  const order = PROCESS_ORDERS[sort];
  return rows.toSorted(
    (a, b) => order(a, b) || PROCESS_ORDERS.pid(a, b) || (a.dev ?? 0) - (b.dev ?? 0),
  );
}

export function sortDisks(rows: readonly DiskActivity[], sort: DiskSort): readonly DiskActivity[] {
  const order = DISK_ORDERS[sort];
  return rows.toSorted((a, b) => order(a, b) || DISK_ORDERS.name(a, b) || a.dev - b.dev);
}

function cgroupKey({ cgroup, cgroupName }: ProcessActivity): string {
  return cgroupName ?? (cgroup === undefined ? LAST : String(cgroupNumber(cgroup)));
}

/** Unknown values come last. */
function largestFirst<Row>(figure: (row: Row) => number | undefined): Compare<Row> {
  return (a, b) => (figure(b) ?? -1) - (figure(a) ?? -1);
}
