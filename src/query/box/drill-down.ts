import type { SingleIo } from '../slowest/single-io.ts';
import type { Box } from '../../filter/box.ts';
import type { OpClass } from '../../model/operation.ts';

/**
 * What a box of the picture holds.
 *
 * Single I/Os are counted exactly. Older I/O, and I/O that was only counted in the kernel, is known as
 * histograms over stretches of time (slices): where a bin or a stretch lies only partly in the box,
 * `count` takes of it what the picture shows there, and `leastCount` and `mostCount` say what is
 * certain.
 */
export interface BoxReport {
  /** For utilization, the values of the box are ignored: it is a figure of disks, not of I/O. */
  readonly box: Box;
  /** How much of the time of the box has been observed, in ns; rates relate to it. */
  readonly spanNs: number;
  readonly count: number;
  /** The bounds between which the true count lies; all three are equal when it is exact. */
  readonly leastCount: number;
  readonly mostCount: number;
  /**
   * I/Os that may belong to the box or not, because it is not known just where they lie or whether they
   * match the filter: `mostCount` − `leastCount`.
   */
  readonly undecided: number;
  /** The part of `count` that is known I/O by I/O, and the part that is known only as aggregates. */
  readonly fromRows: number;
  readonly fromSlices: number;
  /** All I/Os that match the filter in the time of the box, whatever their value, or without one. */
  readonly allCount: number;
  /** `count` of `allCount`, 0 to 1. */
  readonly share: number;
  readonly countPerSecond: number;
  readonly bytesPerSecond: number;
  readonly bytes: number;
  /** Queue and device time together, of all for which they are known, in ns. */
  readonly waitedNs: number;
  readonly errors: number;
  /**
   * Bytes, waiting time and errors, here and in the groups, are estimates in part: of slices they are
   * known for whole slices only.
   */
  readonly isEstimated: boolean;
  /** By waiting time, the longest first. */
  readonly groups: readonly BoxGroup[];
  /** By total latency, the longest first. I/O that is known only as aggregates cannot be among them. */
  readonly slowest: readonly SingleIo[];
}

/** A box that has been counted only in part: nothing is known of it yet. */
export interface CountingBox {
  readonly box: Box;
  /** From 0 to 1. */
  readonly countedShare: number;
}

/** I/O of one process on one disk with one class of operation. */
export interface BoxGroup {
  /** Undefined for completions whose owner is not known. */
  readonly tgid: number | undefined;
  readonly comm: string;
  /** Undefined when it is not known, or when there are several. */
  readonly cgroup: number | undefined;
  readonly cgroupName: string | undefined;
  /** Submitted by a kernel thread on behalf of somebody else. */
  readonly indirect: boolean;
  readonly dev: number;
  readonly disk: string;
  readonly opClass: OpClass;
  readonly count: number;
  readonly bytes: number;
  readonly errors: number;
  /** Share of the I/Os in the box, 0 to 1. */
  readonly countShare: number;
  readonly waitedNs: number;
  /** Share of the waiting time in the box, 0 to 1. */
  readonly waitShare: number;
  /**
   * Of the latency that the box is about, or else of the total latency. Undefined when none was
   * measurable. The median also where there are more than about a thousand groups, of the latest.
   */
  readonly p50Ns: number | undefined;
  readonly maxNs: number | undefined;
}
