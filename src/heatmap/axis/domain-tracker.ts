import { NS_PER_SECOND } from '../../base/time.ts';
import type { Interval } from './scale.ts';

/**
 * How long the data must stay away from an end of the axis before the axis shrinks there. The kernel writes back dirty
 * pages when they are 30 s old; with less, the axis would change at every such burst.
 */
export const SHRINK_AFTER_NS = 35 * NS_PER_SECOND;

/** An axis over time. Each end has its own state, so that one can shrink without waiting for the other. */
export interface TrackedDomain {
  readonly domain: Interval;
  readonly low: Room | undefined;
  readonly high: Room | undefined;
}

/** An end of the axis that the data has not reached since `sinceNs`, and the farthest value since then. */
interface Room {
  readonly sinceNs: number;
  readonly reached: number;
}

/** An axis with exactly this `domain`. */
export function trackDomain(domain: Interval): TrackedDomain {
  return { domain, low: undefined, high: undefined };
}

/**
 * Expands at once, because data outside the axis would be missing from the picture; shrinks late, because comparing
 * two moments needs a stable axis.
 */
export function nextDomain(tracked: TrackedDomain, fit: Interval, nowNs: number): TrackedDomain {
  const { domain } = tracked;
  const low = nextEnd(domain.low, tracked.low, fit.low, nowNs, Math.min);
  const high = nextEnd(domain.high, tracked.high, fit.high, nowNs, Math.max);
  return { domain: { low: low.at, high: high.at }, low: low.room, high: high.room };
}

function nextEnd(
  at: number,
  room: Room | undefined,
  fit: number,
  nowNs: number,
  outer: (a: number, b: number) => number,
): { at: number; room: Room | undefined } {
  if (outer(at, fit) === fit) return { at: fit, room: undefined };
  if (room === undefined || nowNs < room.sinceNs)
    return { at, room: { sinceNs: nowNs, reached: fit } };
  const reached = outer(room.reached, fit);
  if (nowNs - room.sinceNs >= SHRINK_AFTER_NS) return { at: reached, room: undefined };
  return { at, room: { sinceNs: room.sinceNs, reached } };
}

/** The axis for `fit`: the tracked one, updated, or a new one. */
export function followDomain(
  tracked: TrackedDomain | undefined,
  fit: Interval,
  nowNs: number,
): TrackedDomain {
  return tracked === undefined ? trackDomain(fit) : nextDomain(tracked, fit, nowNs);
}
