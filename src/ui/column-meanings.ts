import type { DiskSort, ProcessSort } from '../view/state.ts';

/** What a column says, for who chooses among them. All figures are of the last five seconds. */
const MEANINGS: Record<ProcessSort | DiskSort, string> = {
  pid: 'number of the process, as other tools know it',
  comm: 'name of the process; * is a kernel thread that submitted for somebody else',
  cgroup: 'cgroup or container of the process, where it is known',
  disk: 'disk that the process did its I/O to',
  name: 'name of the disk',
  reads: 'reads completed per second',
  writes: 'writes completed per second',
  iops: 'I/Os completed per second: reads, writes, flushes, discards and all others',
  bytes: 'megabytes read and written per second; gives way to the two where there is room',
  rbytes: 'megabytes read per second',
  wbytes: 'megabytes written per second',
  errors: 'I/Os that failed',
  util: 'share of the time with at least one request at the device',
  qd: 'requests waiting or in service, on average',
  p50: 'half of the I/Os took less, queue and device',
  p99: 'one I/O in a hundred took longer, queue and device',
  max: 'the slowest I/O, queue and device',
  queue: 'share of their waiting that was in the queue: the rest was at the device',
  wait: 'share of the time that all I/Os waited: who waits most',
};

export function columnMeaning(id: ProcessSort | DiskSort): string {
  return MEANINGS[id];
}
