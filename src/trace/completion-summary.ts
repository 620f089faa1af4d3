/**
 * An aggregate: completions of one device and operation in one stretch of time that the kernel only counted, because
 * the ring was full or to spare the reader. Each histogram adds up to at most `count`; the values of the rest are
 * unknown.
 */
export interface CompletionSummary {
  readonly startNs: number;
  readonly endNs: number;
  /** The identity, with the mark `noDetail`. The owner is unknown if the kernel counted the I/O. */
  readonly identity: number;
  readonly count: number;
  /** The variance of `count`, if it is an estimate: the owner's share of a sample. */
  readonly countVariance?: number;
  readonly bytes: number;
  /** How many of them failed; absent if the source cannot know. */
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
  /** `OFFSET_BINS` bins of 2^`offsetShift` sectors each; the last also counts everything beyond. */
  readonly offset: Uint32Array;
  readonly offsetShift: number;
}

/** For I/O that matches the kernel's filter: actual I/O = delivered + summarised + lost. */
export interface SourceCounters {
  /** Delivered as rows. */
  readonly delivered: number;
  /** Counted in an aggregate: in the picture, but not individually. */
  readonly summarised: number;
  /** Known to have happened, but in no picture. The total of `losses`. */
  readonly lost: number;
  /** The number by cause, for `--verbose` and recordings. */
  readonly losses: Readonly<Record<string, number>>;
  /** Losses that belong to a known disk; the others may belong to any. */
  readonly lostOn?: readonly DiskLoss[] | undefined;
  /**
   * At present, one in this many of the I/Os that are neither slow nor failed is delivered as a row; absent if all are.
   */
  readonly oneIn?: number | undefined;
  /** The same for system calls. */
  readonly callsOneIn?: number | undefined;
}

/** I/Os lost on one disk for one cause, cumulative. */
export interface DiskLoss {
  readonly dev: number;
  /** One of the names in `losses`. */
  readonly way: string;
  readonly count: number;
}
