import { readFileSync } from 'node:fs';
import { Op } from '../../model/operation.ts';
import { diskFolder } from '../machine/disks.ts';
import type { InFlightRequest } from './inflight-reader.ts';

export interface StaleRequestOptions {
  /** See `TraceHandover`. */
  readonly countsWaiting: boolean;
  readonly sysBlock?: string;
}

/**
 * Requests that the kernel has completed unseen. If the programs miss a completion, its slot stays taken until the
 * request is used again, and looks like an I/O that hangs. Requests are stale if the kernel counts no I/O in flight
 * on their disk. `isStillThere` is called after that count is read, to leave out requests that have ended since they
 * were listed.
 */
export function findStaleRequests(
  requests: readonly InFlightRequest[],
  diskName: (dev: number) => string | undefined,
  isStillThere: (request: InFlightRequest) => boolean,
  { countsWaiting, sysBlock = '/sys/block' }: StaleRequestOptions,
): InFlightRequest[] {
  const isAccounted = countsWaiting ? isCountedWaiting : isCountedAtDriver;
  const devs = new Set(requests.filter(isAccounted).map(({ dev }) => dev));
  const idle = new Set([...devs].filter((dev) => isIdle(diskName(dev), sysBlock)));
  return requests.filter(
    (request) => isAccounted(request) && idle.has(request.dev) && isStillThere(request),
  );
}

/** Requests that were issued, but neither flushes nor passthrough. */
function isCountedAtDriver({ issueNs, op }: InFlightRequest): boolean {
  return issueNs !== undefined && op !== Op.flush && op < Op.driverIn;
}

/** The kernel does not count a flush, but it counts the request that waits for it, and for longer. */
function isCountedWaiting({ op }: InFlightRequest): boolean {
  return op < Op.driverIn;
}

/**
 * Reads the count twice: the kernel adds up its per-CPU counts one after the other, so the result may be 0 while
 * requests end. If the number of completed I/Os did not change between the readings, none has ended.
 */
function isIdle(name: string | undefined, sysBlock: string): boolean {
  if (name === undefined) return false;
  const folder = `${sysBlock}/${diskFolder(name)}`;
  try {
    if (readFileSync(`${folder}/queue/iostats`, 'latin1').trim() !== '1') return false;
    const before = readStat(folder);
    if (before.inFlight !== 0) return false;
    const after = readStat(folder);
    return after.inFlight === 0 && after.completed === before.completed;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return false;
    throw cause;
  }
}

interface DiskStat {
  readonly inFlight: number;
  readonly completed: number;
}

/** Fields of `/sys/block/DISK/stat`. */
const IN_FLIGHT = 8;
/** Reads, writes, discards, flushes. */
const COMPLETED = [0, 4, 11, 15];

function readStat(folder: string): DiskStat {
  const fields = readFileSync(`${folder}/stat`, 'latin1').trim().split(/\s+/).map(Number);
  const completed = COMPLETED.reduce((sum, index) => sum + (fields[index] ?? 0), 0);
  return { inFlight: fields[IN_FLIGHT]!, completed };
}
