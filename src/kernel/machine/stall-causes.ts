import type { ReachedLimit, StallCause } from '../../model/stall.ts';
import { readIoLimits } from './io-limits.ts';
import type { IoLimit, LimitRoots } from './io-limits.ts';
import { readMounts } from './mounts.ts';
import type { Mount } from './mounts.ts';

/** A limit counts as reached from this share of it on: the kernel accounts in periods of its own. */
const REACHED = 0.8;
/** Time between two readings of the counts. */
const LOOK_EVERY_MS = 2000;

interface Looked {
  readonly atMs: number;
  readonly limits: readonly IoLimit[];
}

/**
 * Possible reasons why tasks wait although disks are idle, as far as this process may read them: limits that cgroups
 * have reached, and file systems that are not on disks. Call it only while tasks wait: a reading takes up to 20 ms.
 */
export class StallCauses {
  private last: Looked | undefined;
  private cause: StallCause | undefined;

  constructor(
    private readonly roots: LimitRoots,
    private readonly diskName: (dev: number) => string,
    private readonly nowMs: () => number,
  ) {}

  /** The reasons; undefined until there are two readings to compare. */
  look(): StallCause | undefined {
    const atMs = this.nowMs();
    const { last } = this;
    const elapsedMs = last === undefined ? Infinity : atMs - last.atMs;
    if (elapsedMs < LOOK_EVERY_MS) return this.cause;
    const limits = readIoLimits(this.roots);
    this.last = { atMs, limits };
    // Counts of an earlier stall say nothing about this one.
    if (last === undefined || elapsedMs > 5 * LOOK_EVERY_MS) return (this.cause = undefined);
    const limit = reachedLimit(last.limits, limits, elapsedMs / 1000);
    this.cause = { limit: limit && this.named(limit), remoteMounts: remoteMounts(readMounts()) };
    return this.cause;
  }

  private named({ cgroup, dev, direction, unit, perSecond }: IoLimit): ReachedLimit {
    return { cgroup, disk: this.diskName(dev), direction, unit, perSecond };
  }
}

/** The limit of which the largest share is used. */
export function reachedLimit(
  before: readonly IoLimit[],
  after: readonly IoLimit[],
  seconds: number,
): IoLimit | undefined {
  const used = after.flatMap((limit) => {
    const earlier = before.find((other) => isSame(other, limit));
    if (earlier === undefined) return [];
    return [{ limit, share: (limit.done - earlier.done) / seconds / limit.perSecond }];
  });
  const most = used.sort((a, b) => b.share - a.share)[0];
  return most !== undefined && most.share >= REACHED ? most.limit : undefined;
}

function isSame(a: IoLimit, b: IoLimit): boolean {
  return (
    a.cgroup === b.cgroup && a.dev === b.dev && a.direction === b.direction && a.unit === b.unit
  );
}

/** File systems of a network, and of processes (FUSE) unless they are on a disk. */
const REMOTE = /^(nfs4?|cifs|smb3|ceph|9p|virtiofs|afs|glusterfs|fuse(\..+)?)$/;

function remoteMounts(mounts: readonly Mount[] = []): readonly string[] {
  return mounts.filter(({ kind }) => REMOTE.test(kind)).map(({ point }) => point);
}
