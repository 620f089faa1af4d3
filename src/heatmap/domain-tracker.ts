import { NS_PER_SECOND } from '../base/time.ts';
import type { Interval } from './scale.ts';

/**
 * How long the data must have left room before the axis takes it back. The kernel writes back dirty
 * pages when they are 30 s old; shrinking sooner would make the axis breathe with every such burst.
 */
export const SHRINK_AFTER_NS = 35 * NS_PER_SECOND;

/** An axis over time: what it shows, and since when it could show less. */
export interface TrackedDomain {
  readonly domain: Interval;
  /** The trace time since which the data would fit a smaller domain, and the largest such fit since. */
  readonly roomy: { readonly sinceNs: number; readonly fit: Interval } | undefined;
}

/** An axis that holds exactly `domain`. */
export function trackDomain(domain: Interval): TrackedDomain {
  return { domain, roomy: undefined };
}

/**
 * Expands at once, as data outside the axis would be missing from the picture; shrinks late, as a
 * reader who compares two moments needs the axis to stand still.
 */
export function nextDomain(tracked: TrackedDomain, fit: Interval, nowNs: number): TrackedDomain {
  const { domain, roomy } = tracked;
  if (!contains(domain, fit)) return trackDomain(union(domain, fit));
  if (contains(fit, domain)) return roomy === undefined ? tracked : trackDomain(domain);
  if (roomy === undefined || nowNs < roomy.sinceNs)
    return { domain, roomy: { sinceNs: nowNs, fit } };
  const largest = union(roomy.fit, fit);
  if (nowNs - roomy.sinceNs >= SHRINK_AFTER_NS) return trackDomain(largest);
  return { domain, roomy: { sinceNs: roomy.sinceNs, fit: largest } };
}

function contains(outer: Interval, inner: Interval): boolean {
  return outer.low <= inner.low && outer.high >= inner.high;
}

function union(a: Interval, b: Interval): Interval {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}
