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

/** The visible reasons why tasks wait. */
export interface StallCause {
  readonly limit?: ReachedLimit | undefined;
  /** Mount points of file systems that depend on a network or on a process instead of a disk, raw. */
  readonly remoteMounts: readonly string[];
}

/** How much tasks wait for storage, compared with how busy the disks are at the same time. */
export interface Stall extends Stalled {
  /** Share of the time in which the busiest disk had I/O; undefined unless that of every disk is known. */
  readonly busiest: number | undefined;
  /** The same of all disks, added up, at most 1: in no more of the time did any disk have I/O. */
  readonly allBusy: number | undefined;
  /** Undefined if disks explain the wait, or if the source cannot look. */
  readonly cause?: StallCause | undefined;
}

/** From this share of the time on, the waiting is mentioned. */
const LONG_STALL = 0.3;
/** A disk that has I/O for more than this share of the time may be what tasks wait for. */
const IDLE_DISK = 0.2;
/** Next to busy disks, waiting is mentioned if they leave this share of the time unexplained. */
const UNEXPLAINED = 0.5;

/** Whether tasks wait for much of the time while no disk is busy, or for much longer than any disk is. */
export function isWithoutDisk({
  some,
  busiest,
  allBusy,
}: Pick<Stall, 'some' | 'busiest' | 'allBusy'>): boolean {
  if (busiest === undefined || allBusy === undefined) return false;
  return (some >= LONG_STALL && busiest <= IDLE_DISK) || some - allBusy >= UNEXPLAINED;
}
