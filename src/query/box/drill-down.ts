import type { SingleIo } from '../slowest/single-io.ts';
import type { WaitParts } from './wait-parts.ts';
import type { Box } from '../../filter/box.ts';
import type { Call } from '../../model/call.ts';
import type { OpClass } from '../../model/operation.ts';

/**
 * The contents of a box of the picture.
 *
 * Rows are counted exactly. Older I/O, and I/O that only the kernel counted, is known as histograms over stretches of
 * time (slices). Where a bin or a stretch is only partly in the box, `count` takes the share that the picture shows
 * there; `leastCount` and `mostCount` are certain.
 */
export interface BoxReport {
  /** For utilization, the values of the box are ignored: it is a figure per disk, not per I/O. */
  readonly box: Box;
  /** How much of the time of the box was observed, in ns; rates relate to it. */
  readonly spanNs: number;
  readonly count: number;
  /** Bounds of the true count; equal to `count` when it is exact. */
  readonly leastCount: number;
  readonly mostCount: number;
  /**
   * I/Os that may or may not be in the box, because their exact time, value or match with the filter is not known:
   * `mostCount` − `leastCount`.
   */
  readonly undecided: number;
  /** The part of `count` that is known as rows, and the part known only as aggregates. */
  readonly fromRows: number;
  readonly fromSlices: number;
  /** All I/Os that match the filter in the time of the box, with any value or none. */
  readonly allCount: number;
  /** `count` / `allCount`, 0 to 1. */
  readonly share: number;
  readonly countPerSecond: number;
  /**
   * Bytes read and written, here and in the groups; where a log has no operations, of all I/O. Undefined if no size is
   * known.
   */
  readonly bytesPerSecond: number | undefined;
  readonly bytes: number | undefined;
  /** Queue plus device latency of all I/Os for which they are known, in ns. */
  readonly waitedNs: number;
  /** Undefined, here and in the groups, if a log does not have them. */
  readonly errors: number | undefined;
  /**
   * Bytes, waiting time and errors, here and in the groups, are partly estimates: slices have only their totals.
   */
  readonly isEstimated: boolean;
  /** By waiting time, longest first. */
  readonly groups: readonly BoxGroup[];
  /** By total latency, longest first. Aggregated I/O cannot be among them. */
  readonly slowest: readonly SingleIo[];
  /** What the slowest one waited for, if it is a wait or a call. */
  readonly waitedFor?: WaitParts | undefined;
}

/** A box that is still being counted. */
export interface CountingBox {
  readonly box: Box;
  /** Share counted so far, 0 to 1. */
  readonly countedShare: number;
}

/** I/O of one process on one disk with one class of operation. */
export interface BoxGroup {
  /** Undefined if the owner is not known. */
  readonly tgid: number | undefined;
  readonly comm: string;
  /** Undefined if unknown, or if there are several. */
  readonly cgroup: number | undefined;
  readonly cgroupName: string | undefined;
  /** Submitted by a kernel thread for somebody else. */
  readonly indirect: boolean;
  /** See `ProcessActivity`. */
  readonly via?: string | undefined;
  readonly hasSeveralWriters?: boolean;
  readonly dev: number;
  readonly disk: string;
  /** Undefined if a log does not have it. */
  readonly opClass: OpClass | undefined;
  /** The system call, for waits and calls; undefined for I/O. */
  readonly call?: Call | undefined;
  readonly count: number;
  readonly bytes: number | undefined;
  readonly errors: number | undefined;
  readonly waitedNs: number;
  /** Share of the waiting time in the box, 0 to 1. */
  readonly waitShare: number;
  /**
   * Percentile of the box's metric if that is a latency, otherwise of the total latency. Undefined if no latency is
   * known; the median also in groups beyond the first thousand or so.
   */
  readonly p50Ns: number | undefined;
  readonly maxNs: number | undefined;
}
