import { growth, type DiskStats } from '../../src/kernel/machine/diskstats.ts';

/** How much every counter grew; gauges are copied from `after`. */
export function diskstatsSince(before: DiskStats, after: DiskStats): DiskStats {
  const grown = Object.entries(after).map(([field, value]: [string, unknown]) => {
    const start: unknown = before[field as keyof DiskStats];
    const counts = typeof value === 'number' && typeof start === 'number';
    return [field, counts && !GAUGES.has(field) ? growth(start, value) : value];
  });
  return Object.fromEntries(grown) as DiskStats;
}

const GAUGES: ReadonlySet<string> = new Set(['dev', 'inFlight']);

/** Share of `spanNs` with at least one request in flight, 0 to 1: the %util of iostat. */
export function utilization(before: DiskStats, after: DiskStats, spanNs: number): number {
  if (spanNs <= 0) return 0;
  return Math.min(1, (growth(before.ioMs, after.ioMs) * 1e6) / spanNs);
}
