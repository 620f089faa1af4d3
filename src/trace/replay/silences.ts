import type { Stretch } from '../trace-reader.ts';
import type { Gap } from './trace-feed.ts';

/** When one host was recorded: from the start of its first trace to the end of its last, without the gaps. */
export interface HostRecorded {
  readonly stretches: readonly Stretch[];
  readonly gaps: readonly Gap[];
}

/** The stretches between the first recording and the last in which no host was recorded, in order. */
export function silencesOf(hosts: readonly HostRecorded[]): Gap[] {
  return breaksBetween(hosts.flatMap(recordedParts), 0);
}

/** What no stretch covers between the first and the last, as far as it is longer than `leastNs`; in order. */
export function breaksBetween(stretches: readonly Stretch[], leastNs: number): Gap[] {
  const breaks: Gap[] = [];
  let endNs = Infinity;
  for (const stretch of stretches.toSorted((a, b) => a.startNs - b.startNs)) {
    if (stretch.startNs > endNs + leastNs) breaks.push({ startNs: endNs, endNs: stretch.startNs });
    endNs = endNs === Infinity ? stretch.endNs : Math.max(endNs, stretch.endNs);
  }
  return breaks;
}

function recordedParts({ stretches, gaps }: HostRecorded): Stretch[] {
  const parts: Stretch[] = [];
  let startNs = Math.min(...stretches.map((one) => one.startNs));
  for (const gap of gaps.toSorted((a, b) => a.startNs - b.startNs)) {
    if (gap.startNs > startNs) parts.push({ startNs, endNs: gap.startNs });
    startNs = Math.max(startNs, gap.endNs);
  }
  parts.push({ startNs, endNs: Math.max(startNs, ...stretches.map((one) => one.endNs)) });
  return parts;
}
