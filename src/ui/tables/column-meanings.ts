import { UNKNOWN } from '../../base/format.ts';
import type { Layer } from '../../model/layer.ts';
import type { DiskSort, ProcessSort } from '../../view/state.ts';

/** For the list of columns. All figures are of the time that the tables report on. */
const MEANINGS: Record<Exclude<ProcessSort | DiskSort, 'qd'>, string> = {
  pid: `process ID; ${UNKNOWN} if unknown, or of several that are not told apart`,
  comm: 'name of the process; * through a kernel thread, + others wrote, too',
  cgroup: 'cgroup or container of the process, where known',
  disk: 'disk that the process accessed',
  user: `user of the process; ${UNKNOWN} if it ended before it was read`,
  via: 'kernel thread that submitted what the process wrote',
  command: `command line of the process, or its title; ${UNKNOWN} if it ended before it was read`,
  stack: 'volumes on the disk; for a volume, the disks below it',
  mount: 'where file systems on the disk are mounted',
  name: 'name of the disk; volumes are above their disks; dim rows are not in header and totals',
  reads: 'reads completed per second',
  writes: 'writes completed per second',
  iops: 'I/Os completed per second: reads, writes, flushes, discards and others',
  margin: 'how far the I/Os per second may be off, in %, if they are estimated from a sample',
  bytes: 'megabytes per second; split into read and write columns on wide screens',
  rbytes: 'megabytes read per second',
  wbytes: 'megabytes written per second',
  errors: 'failed I/Os',
  util: '% of the time with at least one request at the device',
  inflight: 'I/Os in flight for more than a second, and the age of the oldest',
  p50: 'median total latency (queue and device)',
  p99: '99th percentile of total latency (queue and device)',
  max: 'highest total latency (queue and device)',
  queue: '% of their latency spent in the queue; the rest at the device',
  wait: '% of the total latency of all I/O: who waits most',
};

const QUEUE_DEPTHS: Record<Layer, string> = {
  disks: 'mean requests in flight',
  volumes: 'mean I/Os in flight in the volume',
  waits: 'mean threads that wait',
  calls: 'mean calls in progress',
};

export function columnMeaning(id: ProcessSort | DiskSort, layer: Layer): string {
  return id === 'qd' ? QUEUE_DEPTHS[layer] : MEANINGS[id];
}
