import type { Layer } from './layer.ts';
import type { Latency } from './metric.ts';
import type { Stalled } from './pressure.ts';

/** Rates and latencies of one group of completions over a span of time. Latencies in ns. */
export interface Activity {
  /** Undefined if no operation is known, here and of the bytes. */
  readonly readsPerSecond: number | undefined;
  readonly writesPerSecond: number | undefined;
  /** Flushes, discards and everything else, also I/O of unknown operation. */
  readonly othersPerSecond: number;
  /** Undefined also if no size is known. */
  readonly readBytesPerSecond: number | undefined;
  readonly writtenBytesPerSecond: number | undefined;
  /** Of I/O of unknown operation, which is taken for reads and writes; absent if there is none. */
  readonly undividedBytesPerSecond?: number | undefined;
  /** Of the total time (queue + device); undefined when no completion has a known time. */
  readonly p50Ns: number | undefined;
  readonly p99Ns: number | undefined;
  readonly maxNs: number | undefined;
  /** Share of the waiting time that was spent in the queue, 0 to 1; undefined when queue times are unknown. */
  readonly queueShare?: number | undefined;
  /** Undefined if a log does not have them. */
  readonly errors: number | undefined;
  /**
   * How far the number of I/Os may be off in 19 of 20 cases, as a share of it. Present if the number is an estimate
   * from a sample, undefined if it is exact.
   */
  readonly margin?: number | undefined;
}

/**
 * One row of the process table: a process (perhaps on one disk), a thread, all processes of one name, a cgroup, a file, or
 * all files of a folder.
 */
export interface ProcessActivity extends Activity {
  /** Undefined for several processes, and when the owner is unknown. */
  readonly tgid: number | undefined;
  /** If the row is a thread. Undefined also for aggregates, which do not have the thread. */
  readonly tid?: number | undefined;
  /** Number of processes, if a row is all of one name, or those of one name that are not told apart. */
  readonly processes?: number | undefined;
  /** Whether it may be more than `processes`, which then counts those that are told apart, at least 1. */
  readonly hasMoreProcesses?: boolean | undefined;
  /** The name of the process. For a cgroup, its name or number; for a file or folder, its path or a word in parentheses. */
  readonly comm: string;
  /** Number in the `FileTable`; undefined where a row is not a file, or not a known one. */
  readonly file?: number | undefined;
  /** If the row is all files of a folder, its path with a slash at its end. */
  readonly folder?: string | undefined;
  /** Undefined when there are several. */
  readonly dev: number | undefined;
  /** The name of the disk, or the number of disks: `3 disks`. */
  readonly disk: string;
  /** The host of the processes or the file, if the trace has several hosts and the row is of one of them. */
  readonly host?: string | undefined;
  /** Undefined when it is unknown, or when there are several. */
  readonly cgroup?: number | undefined;
  readonly cgroupName?: string | undefined;
  /** Command line or title, raw; undefined when it is unknown, or when there are several processes. */
  readonly command?: string | undefined;
  readonly user?: string | undefined;
  /** Share of the total time of all completions in the span, 0 to 1. */
  readonly waitShare: number;
  /** Submitted by a kernel thread on behalf of another process. */
  readonly indirect: boolean;
  /** The kernel thread that submitted the I/O for it, raw; the kinds of threads if there were several. */
  readonly via?: string | undefined;
  /**
   * For some of the I/O, it is the last of several processes that wrote to the file, or one of several that filled a
   * journal.
   */
  readonly hasSeveralWriters?: boolean | undefined;
  /**
   * Share of the time in which tasks of its cgroup waited for storage, in the block layer or above; undefined for
   * files.
   */
  readonly stalled?: Stalled | undefined;
}

/** I/O of a disk or volume that has not completed. */
export interface DiskInFlight {
  readonly count: number;
  /** Age of the oldest; 0 where there is none. */
  readonly oldestNs: number;
}

/** By device number. */
export type InFlightByDisk = ReadonlyMap<
  number,
  { readonly layer: Layer; readonly inFlight: DiskInFlight }
>;

/** One row of the disk table. */
export interface DiskActivity extends Activity {
  readonly dev: number;
  readonly disk: string;
  /** Default: `disks`. */
  readonly layer?: Layer | undefined;
  /** Where file systems on it are mounted, raw; undefined when unknown. */
  readonly mounts?: readonly string[] | undefined;
  /** See `DeviceInfo`. */
  readonly volumes?: readonly string[] | undefined;
  readonly liesOn?: readonly string[] | undefined;
  /**
   * I/O in flight at the moment of the report. Undefined if the report is not about now, and in the layers of waits and
   * calls.
   */
  readonly inFlight?: DiskInFlight | undefined;
  /** Share of the span with at least one request at the device, 0 to 1; undefined when unknown. */
  readonly utilization: number | undefined;
  /** Some of the I/O has no times of its own, so `utilization` is a lower bound. */
  readonly isUtilizationPartial?: boolean;
  /** Mean number of requests waiting or in service: total time / span (Little's law). */
  readonly queueDepth: number;
}

/** Where the slowest I/Os spent their time; totals in ns. */
export interface TailSplit {
  readonly queueNs: number;
  readonly deviceNs: number;
}

/** Percentiles and maximum are of `latency`. */
export interface Totals extends Activity {
  /** Default: `total`. */
  readonly latency?: Latency;
  /**
   * Queue and device time of the I/Os at or above the 99th percentile of the total time, among those known
   * individually.
   */
  readonly tail?: TailSplit | undefined;
  readonly p999Ns: number | undefined;
  /** Whether any queue time is known; if not, times are device times. */
  readonly hasQueue: boolean;
}

/** How the time of a report relates to the picture. */
export type ReportScope = 'recent' | 'picture' | 'column' | 'box';

/** Trace time [startNs, endNs) of a report. */
export interface ReportRange {
  readonly scope: ReportScope;
  readonly startNs: number;
  readonly endNs: number;
  /** The right edge of the picture, where its last column ends later: the rest of that column has not been observed. */
  readonly edgeNs?: number;
}

/** The figures next to the picture, over one span of time. */
export interface ActivityReport {
  readonly spanNs: number;
  /** Default: `recent`. */
  readonly scope?: ReportScope;
  /** I/Os that may match the filter; they are in no other figure here. */
  readonly undecidedCount: number;
  readonly totals: Totals;
  readonly processes: readonly ProcessActivity[];
  readonly disks: readonly DiskActivity[];
  /** Volumes above these disks, or disks below these volumes; their I/O is in no other figure here. */
  readonly disksBeside?: readonly DiskActivity[];
}

/** Requests that have been in flight for long; they are in no picture. */
export interface Hanging {
  readonly count: number;
  /** Age of the oldest in ns, and its disk. */
  readonly ageNs: number;
  readonly disk: string;
}

/** The three figures that are always visible. */
export interface Completeness {
  /** Share of all I/Os known to have happened that are in the picture; 0 to 1. */
  readonly inPicture: number;
  /** Share of all I/Os known to have happened that are known individually; 0 to 1. */
  readonly inDetail: number;
  /** Number of I/Os known to have happened that are in no picture. */
  readonly lost: number;
  /**
   * At present, one in this many of the I/Os that are neither slow nor failed is delivered individually; default: all
   * are.
   */
  readonly oneIn?: number | undefined;
  /** The same for system calls. */
  readonly callsOneIn?: number | undefined;
}
