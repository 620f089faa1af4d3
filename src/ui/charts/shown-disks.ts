import type { DiskTrend } from '../../model/trend.ts';
import { lastKnown } from './contrib/disk-chart.ts';

/** The disks that get a row, and how many do not. */
export interface ShownDisks {
  readonly disks: readonly DiskTrend[];
  /** Disks without I/O in the time shown, such as removed ones. */
  readonly idle: number;
  /** Other disks without a row, for lack of room. */
  readonly more: number;
}

/**
 * As many disks as there are rows: the busiest, in the given order. Idle ones get a row only if all are
 * idle.
 */
export function shownDisks(all: readonly DiskTrend[], rows: number): ShownDisks {
  const active = all.filter(isActive);
  const wanted = active.length === 0 ? all : active;
  const idle = all.length - wanted.length;
  if (wanted.length <= rows) return { disks: wanted, idle, more: 0 };
  const kept = [...wanted].sort((a, b) => busyness(b) - busyness(a)).slice(0, Math.max(0, rows));
  const disks = wanted.filter((disk) => kept.includes(disk));
  return { disks, idle, more: wanted.length - disks.length };
}

function isActive({ utilization, completions }: DiskTrend): boolean {
  return (utilization ?? 0) > 0 || completions.some((rate) => rate > 0);
}

function busyness({ utilization, completions }: DiskTrend): number {
  // The rate decides only among disks that are equally busy.
  return (utilization ?? 0) + 1e-12 * (lastKnown(completions) ?? 0);
}
