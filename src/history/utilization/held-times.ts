import type { KnownInFlight } from '../../model/in-flight.ts';

/** Stretches [from, to) of one disk, in ns: ascending and disjoint. */
export type Times = readonly (readonly [fromNs: number, toNs: number])[];

const NONE: Times = [];

/**
 * When each disk had a request that was in flight for long, from its issue until it was last seen: a disk on which
 * everything hangs completes nothing, and is busy.
 */
export class HeldTimes {
  private version = -1;
  private byDisk: ReadonlyMap<number, Times> = new Map();

  constructor(private readonly known: () => KnownInFlight | undefined) {}

  of(dev: number): Times {
    const known = this.known();
    if (known === undefined) return NONE;
    if (known.version !== this.version) {
      this.byDisk = timesByDisk(known);
      this.version = known.version;
    }
    return this.byDisk.get(dev) ?? NONE;
  }
}

function timesByDisk(known: KnownInFlight): ReadonlyMap<number, Times> {
  const byDisk = new Map<number, (readonly [number, number])[]>();
  for (const { identity, issueNs, untilNs } of known.spans()) {
    if (issueNs === undefined) continue;
    const times = byDisk.get(identity.dev);
    if (times === undefined) byDisk.set(identity.dev, [[issueNs, untilNs]]);
    else times.push([issueNs, untilNs]);
  }
  return new Map([...byDisk].map(([dev, times]) => [dev, apart(times)]));
}

function apart(times: Times): Times {
  const union: [number, number][] = [];
  for (const [fromNs, toNs] of times.toSorted(([a], [b]) => a - b)) {
    const last = union.at(-1);
    if (last !== undefined && fromNs <= last[1]) last[1] = Math.max(last[1], toNs);
    else union.push([fromNs, toNs]);
  }
  return union;
}
