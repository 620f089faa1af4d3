/** Rates and latencies of one group of completions over a span of time. Latencies in ns. */
export interface Activity {
  readonly readsPerSecond: number;
  readonly writesPerSecond: number;
  /** Flushes, discards and everything else. */
  readonly othersPerSecond: number;
  readonly readBytesPerSecond: number;
  readonly writtenBytesPerSecond: number;
  /** Of the total time (queue + device); undefined when no completion had a measurable time. */
  readonly p50Ns: number | undefined;
  readonly p99Ns: number | undefined;
  readonly maxNs: number | undefined;
  /** Share of the waiting that was in the queue, 0 to 1; undefined where queue time is not known. */
  readonly queueShare?: number | undefined;
  readonly errors: number;
}

/** One row of the process table: a process, or a process on one disk, or a cgroup. */
export interface ProcessActivity extends Activity {
  /** Undefined for a cgroup, and for completions whose owner is not known. */
  readonly tgid: number | undefined;
  /** Of a cgroup, its name or else its number. */
  readonly comm: string;
  /** Undefined when there are several. */
  readonly dev: number | undefined;
  /** Its name, or how many there are: `3 disks`. */
  readonly disk: string;
  /** Undefined when it is not known, or when there are several. */
  readonly cgroup?: number | undefined;
  readonly cgroupName?: string | undefined;
  /** Share of the summed total time of all completions in the span, 0 to 1. */
  readonly waitShare: number;
  /** Submitted by a kernel thread on behalf of somebody else. */
  readonly indirect: boolean;
}

/** One row of the disk table. */
export interface DiskActivity extends Activity {
  readonly dev: number;
  readonly disk: string;
  /** Share of the span with at least one request at the device, 0 to 1; undefined if unmeasurable. */
  readonly utilization: number | undefined;
  /** Some of the I/O came without times of its own, so `utilization` is a lower bound. */
  readonly isUtilizationPartial?: boolean;
  /** Mean requests waiting or in service: summed total time / span (Little's law). */
  readonly queueDepth: number;
}

export interface Totals extends Activity {
  readonly p999Ns: number | undefined;
  /** Whether any time in the queue is known; else the times are the device's alone. */
  readonly hasQueue: boolean;
}

/** Everything beside the picture, over one span of time. */
export interface ActivityReport {
  readonly spanNs: number;
  /** I/Os of which is not known whether they pass the filter: in no other figure here. */
  readonly undecidedCount: number;
  readonly totals: Totals;
  readonly processes: readonly ProcessActivity[];
  readonly disks: readonly DiskActivity[];
}

/** Requests that have not come back for long, and are in no picture therefore. */
export interface Hanging {
  readonly count: number;
  /** Of the oldest: its age in ns, and its disk. */
  readonly ageNs: number;
  readonly disk: string;
}

/** The three figures that are always visible. */
export interface Fidelity {
  /** I/Os in the picture, of all known to have happened; 0 to 1. */
  readonly inPicture: number;
  /** I/Os known one by one, of all known to have happened; 0 to 1. */
  readonly inDetail: number;
  /** I/Os known to have happened and in no picture; a count. */
  readonly lost: number;
}
