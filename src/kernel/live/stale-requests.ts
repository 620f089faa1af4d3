import { readFileSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';
import { layerOf } from '../../model/layer.ts';
import { Op } from '../../model/operation.ts';
import { mayEndUnseen, mayHoldUncounted } from './held-by-volume.ts';
import type { InFlightRequest } from './inflight-reader.ts';

export interface StaleRequestOptions {
  /** Returns everything that is in flight now, the oldest first. */
  readonly list: () => readonly InFlightRequest[];
  /** Returns the name of the disk's folder in `/sys/block`. */
  readonly diskFolder: (dev: number) => string | undefined;
  /** See `TraceHandover`. */
  readonly countsWaiting: boolean;
  readonly sysBlock?: string;
}

/** The result of a look at a disk. */
interface StaleOnDisk {
  readonly uses: ReadonlySet<string>;
  /** Whether the kernel counted nothing in flight. Then no request was taken as stale because of its age. */
  readonly wasIdle: boolean;
}

/** A disk may be so busy that its counts change during a look; it gets this many looks. */
const ATTEMPTS = 3;
/** A thread may lose its processor between the submission of a request and the moment when the kernel counts it. */
const OLD_NS = 1e9;

/**
 * Finds requests that the kernel has completed unseen. If the programs miss a completion, its slot stays taken until
 * the request is used again, and looks like an I/O that hangs. If the kernel counts nothing in flight on a disk, all
 * its requests are stale. If it counts fewer than are listed, the oldest beyond its count are stale. So is each flush
 * that no request waits for. A result stays valid until the next look during which the counts of that disk do not
 * change.
 *
 * Bios of volumes are stale if the kernel counts none on the volume, and the volume holds none back.
 */
export class StaleRequests {
  private readonly staleOn = new Map<number, StaleOnDisk>();

  constructor(private readonly options: StaleRequestOptions) {}

  /** Looks at the disks of `requests`, and returns the requests that are stale. */
  among(requests: readonly InFlightRequest[]): ReadonlySet<InFlightRequest> {
    const fresh = requests.filter((request) => !this.isCertain(request));
    for (const dev of new Set(fresh.map((request) => request.dev))) this.look(dev);
    return new Set(
      requests.filter(
        (request) => this.staleOn.get(request.dev)?.uses.has(useOf(request)) === true,
      ),
    );
  }

  /** Avoids looks, because each reads four files and a stale request may stay in its slot for hours. */
  private isCertain(request: InFlightRequest): boolean {
    const known = this.staleOn.get(request.dev);
    return known?.wasIdle === true && known.uses.has(useOf(request));
  }

  private look(dev: number): void {
    const name = this.options.diskFolder(dev);
    if (name === undefined) return;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = this.findOn(dev, name);
      if (found === 'busy') continue;
      this.staleOn.set(dev, found);
      return;
    }
  }

  /**
   * Lists the requests between two readings of the kernel's counts. If neither the number in flight nor that of
   * completed I/Os differs between them, no request has started or ended. (One reading proves nothing: the kernel
   * adds up its per-CPU counts one after the other.)
   */
  private findOn(dev: number, name: string): StaleOnDisk | 'busy' {
    const { list, countsWaiting, sysBlock = '/sys/block' } = this.options;
    const before = readStat(sysBlock, name);
    const listed = list().filter((request) => request.dev === dev);
    const after = readStat(sysBlock, name);
    const folder = `${sysBlock}/${name}`;
    if (before === undefined || after === undefined) return uncounted(listed, folder);
    if (before.inFlight !== after.inFlight || before.completed !== after.completed) return 'busy';
    const found = listed.some(isOfVolume)
      ? staleOfVolume(listed, after.inFlight, folder)
      : staleAmong(listed, after.inFlight, countsWaiting);
    return { uses: new Set(found.map(useOf)), wasIdle: after.inFlight === 0 };
  }
}

/** If the kernel does not count, no request is taken as stale, unless its end may be unseen. */
function uncounted(listed: readonly InFlightRequest[], folder: string): StaleOnDisk {
  const stale = listed.some(isOfVolume) && mayEndUnseen(folder) ? listed : [];
  return { uses: new Set(stale.map(useOf)), wasIdle: false };
}

/**
 * The kernel counts less on a volume than it has, so while it counts anything, I/O that the volume holds back cannot be
 * told from stale I/O.
 */
function staleOfVolume(
  listed: readonly InFlightRequest[],
  inFlight: number,
  folder: string,
): readonly InFlightRequest[] {
  if (inFlight > 0 || mayHoldUncounted(folder)) return [];
  return listed.filter((io) => isCountedWaiting(io) && isOld(io));
}

function isOfVolume(request: InFlightRequest): boolean {
  return layerOf(request) === 'volumes';
}

function staleAmong(
  listed: readonly InFlightRequest[],
  inFlight: number,
  countsWaiting: boolean,
): readonly InFlightRequest[] {
  const counted = listed.filter(countsWaiting ? isCountedWaiting : isCountedAtDriver);
  const stale = counted.slice(0, Math.max(0, counted.length - inFlight));
  const flushes = listed.filter(isFlush);
  // The kernel counts the request that waits for a flush, and for longer. So if it counts none, no flush is in flight.
  if (inFlight === 0) return countsWaiting ? [...stale, ...flushes] : stale;
  return [...stale, ...flushes.filter((flush) => isAlone(flush, listed))].filter(isOld);
}

/** Names one use of a slot. The name stays the same until the request ends. */
function useOf({ slot, startNs, issueNs }: InFlightRequest): string {
  return `${slot} ${startNs ?? issueNs ?? 0}`;
}

function isOld({ ageNs }: InFlightRequest): boolean {
  return ageNs >= OLD_NS;
}

/** Whether the request that waited for this flush has ended. The flush has the start of that request. */
function isAlone({ startNs }: InFlightRequest, listed: readonly InFlightRequest[]): boolean {
  const waits = (request: InFlightRequest) => !isFlush(request) && request.startNs === startNs;
  return startNs !== undefined && !listed.some(waits);
}

function isFlush({ op }: InFlightRequest): boolean {
  return op === Op.flush;
}

/**
 * The kernel counts neither passthrough nor flushes of disks. Of volumes it counts some flushes, but not those of md.
 */
function isCountedWaiting({ op }: InFlightRequest): boolean {
  return op !== Op.flush && op < Op.driverIn;
}

function isCountedAtDriver(request: InFlightRequest): boolean {
  return request.issueNs !== undefined && isCountedWaiting(request);
}

interface DiskStat {
  readonly inFlight: number;
  readonly completed: number;
}

/** Fields of `/sys/block/DISK/stat`. */
const IN_FLIGHT = 8;
/** The fields with the number of completed reads, writes, discards and flushes. */
const COMPLETED = [0, 4, 11, 15];

/** Undefined if the kernel does not count. */
function readStat(sysBlock: string, name: string): DiskStat | undefined {
  const folder = `${sysBlock}/${name}`;
  try {
    if (readFileSync(`${folder}/queue/iostats`, 'latin1').trim() !== '1') return undefined;
    const fields = readFileSync(`${folder}/stat`, 'latin1').trim().split(/\s+/).map(Number);
    const completed = COMPLETED.reduce((sum, index) => sum + (fields[index] ?? 0), 0);
    return { inFlight: fields[IN_FLIGHT]!, completed };
  } catch (cause) {
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}
