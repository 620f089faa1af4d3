import type { ClockBase } from '../base/time.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import type { TraceHeader } from './trace-reader.ts';

/**
 * Where I/O comes from: the live kernel, a recording, another tool's log, a synthetic pattern.
 * Nothing behind this line knows which.
 */
export interface EventSource {
  readonly info: SourceInfo;
  /**
   * Rows finished since the last call, at most one buffer full; the columns are reused by the next
   * call. `length` 0 means nothing waits. Never blocks.
   */
  read(): CompletionColumns;
  /** Completions that were only counted, since the last call; empty when every I/O came as a row. */
  readSummaries(): readonly CompletionSummary[];
  /** Cumulative since the start of the trace. */
  counters(): SourceCounters;
  /**
   * Asks the kernel what it counted of its own, to know in `counters` of I/O that nobody saw, once
   * what waits now has been read. Cheap enough for once a second.
   */
  audit?(): void;
  /** What has been submitted and has not come back for long; absent where that cannot be known. */
  hanging?(): HangingRequests | undefined;
  /** What `--verbose` tells beside the losses, by name: cumulative, none of it lost. */
  remarks?(): Readonly<Record<string, number>>;
  dispose(): void;
}

/** Requests that no completion tells of yet, and that no picture shows therefore. */
export interface HangingRequests {
  readonly count: number;
  /** The oldest of them: since it was queued, in ns, and its device. */
  readonly ageNs: number;
  readonly dev: number;
}

export interface SourceInfo {
  readonly kind: 'live' | 'synthetic' | 'recording' | 'import';
  readonly host: string;
  /** One line: kernel release, pattern or file name. */
  readonly title: string;
  readonly clockBase: ClockBase;
  /** Of traces that were made before, what they say of themselves. */
  readonly origin?: TraceOrigin;
  /** Shared by all sources of one session. */
  readonly keys: IdentityTable;
  /** Grows while tracing; asked by number, never assumed complete. */
  device(dev: number): DeviceInfo | undefined;
  devices(): readonly DeviceInfo[];
}

/** What several traces do not agree on is as in one that does not know it. */
export type TraceOrigin = Pick<
  TraceHeader,
  'host' | 'kernel' | 'hasWallClock' | 'unknown' | 'latency' | 'recorderTgid'
>;

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
