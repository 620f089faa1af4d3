import type { Stalled } from './pressure.ts';

/** A limit of a cgroup that its I/O has reached. */
export interface ReachedLimit {
  /** Path of the cgroup, raw. */
  readonly cgroup: string;
  readonly disk: string;
  readonly direction: 'read' | 'write';
  readonly unit: 'bytes' | 'I/Os';
  readonly perSecond: number;
}

/** What can be seen, while tasks wait, of why they do. */
export interface StallCause {
  readonly limit?: ReachedLimit | undefined;
  /** Where file systems are mounted that wait for a network or a process instead of a disk, raw. */
  readonly remoteMounts: readonly string[];
}

/** Tasks that wait for storage, next to what the disks do at the same time. */
export interface Stall extends Stalled {
  /** Share of the time in which the busiest disk had I/O; undefined where it is not known of each disk. */
  readonly busiest: number | undefined;
  /** Undefined where disks explain the wait, and where nobody can look. */
  readonly cause?: StallCause | undefined;
}

/** From this share of the time on, waiting is worth a sentence. */
const LONG_STALL = 0.3;
/** A disk with I/O for longer than this may be what tasks wait for. */
const IDLE_DISK = 0.2;

/** Whether tasks wait much while no disk does much. */
export function isWithoutDisk({ some, busiest }: Pick<Stall, 'some' | 'busiest'>): boolean {
  return busiest !== undefined && some >= LONG_STALL && busiest <= IDLE_DISK;
}
