import { readFileSync } from 'node:fs';
import { Op } from '../model/operation.ts';
import { diskFolder } from './disks.ts';
import type { InFlightRequest } from './inflight-reader.ts';

export interface GhostOptions {
  /** See `TraceHandover`. */
  readonly countsWaiting: boolean;
  readonly sysBlock?: string;
}

/**
 * Requests that the kernel has long finished: when the completion of one never reached us, its slot
 * stays taken until the request is used again, and looks like an I/O that hangs. Judged where the
 * kernel itself says that nothing is at the device; `isStillThere` is asked after that, so that none
 * which ends between the two looks is among them.
 */
export function findGhosts(
  requests: readonly InFlightRequest[],
  diskName: (dev: number) => string | undefined,
  isStillThere: (request: InFlightRequest) => boolean,
  { countsWaiting, sysBlock = '/sys/block' }: GhostOptions,
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

/** Flushes are not counted either, but whoever waits for one is, and for longer than it takes. */
function isCountedWaiting({ op }: InFlightRequest): boolean {
  return op < Op.driverIn;
}

/**
 * Asked twice: the kernel adds up what its CPUs count one after the other, and while requests end may
 * well find none at the device. Between two equal counts none has ended.
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
/** Reads, writes, discards, flushes; older kernels lack the last ones. */
const COMPLETED = [0, 4, 11, 15];

function readStat(folder: string): DiskStat {
  const fields = readFileSync(`${folder}/stat`, 'latin1').trim().split(/\s+/).map(Number);
  const completed = COMPLETED.reduce((sum, index) => sum + (fields[index] ?? 0), 0);
  return { inFlight: fields[IN_FLIGHT]!, completed };
}
