/**
 * Completions of one device and operation in one stretch of time that were counted in the kernel
 * because the ring was full. Every histogram sums to at most `count`; what it lacks is unmeasurable.
 */
export interface CompletionSummary {
  readonly startNs: number;
  readonly endNs: number;
  /** Interned with `IdentityMark.noDetail`; of sums from the kernel, the owner is not known. */
  readonly key: number;
  readonly count: number;
  readonly bytes: number;
  /** How many of them failed; absent where the source cannot tell. */
  readonly errors?: number;
  readonly deviceNsSum: number;
  readonly queueNsSum: number;
  readonly maxDeviceNs: number;
  readonly maxQueueNs: number;
  /** Fine bins, see `model/fine-bins.ts`. */
  readonly device: Uint32Array;
  readonly queue: Uint32Array;
  readonly total: Uint32Array;
  readonly size: Uint32Array;
  /** `OFFSET_BINS` bins of 2^`offsetShift` sectors each; the last also holds what lies beyond. */
  readonly offset: Uint32Array;
  readonly offsetShift: number;
}

/** truth = delivered + summarised + lost, for the I/O that passes the kernel's filter. */
export interface SourceCounters {
  /** Came as a row. */
  readonly delivered: number;
  /** Counted in a summary: in the picture, not in detail. */
  readonly summarised: number;
  /** Known to have happened, in no picture. The sum of `losses`. */
  readonly lost: number;
  /** Each way to lose, by name, for `--verbose` and recordings. */
  readonly losses: Readonly<Record<string, number>>;
  /** Which of them are known to be of one disk; what is missing here may be of any. */
  readonly lostOn?: readonly DiskLoss[] | undefined;
}

/** I/Os lost on one disk in one way, cumulative. */
export interface DiskLoss {
  readonly dev: number;
  /** One of the names in `losses`. */
  readonly way: string;
  readonly count: number;
}
