import type { ClockBase } from '../base/time.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { KnownProcesses } from '../model/known-processes.ts';
import type { KnownInFlight } from '../model/in-flight.ts';
import type { KnownNotes } from '../model/notes.ts';
import type { KnownPressure } from '../model/pressure.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { DiskBusy } from '../model/disk-busy.ts';
import type { CompletionSummary, SourceCounters } from './completion-summary.ts';

/**
 * Reads an existing trace from its start: a recording, another tool's log, a stream that is still being written.
 * Identities are interned in the table with which the reader was opened.
 */
export interface TraceReader {
  readonly header: TraceHeader;
  /**
   * The next rows, in order of completion as far as the writer kept it; `waiting` while a stream has nothing new,
   * `ended` at the end. Never blocks on a stream. The columns are reused by the next call.
   */
  next(): TraceChunk | 'waiting' | 'ended';
  /**
   * The stretch that was recorded, as far as it has been read: it may start before the first I/O and end after the
   * last. Undefined when unknown.
   */
  readonly recorded?: Stretch | undefined;
  /**
   * For several traces: the stretches in which no host was recorded, in order, known at the end. In one trace, these are
   * the gaps.
   */
  readonly silences?: readonly Stretch[];
  /** Names of the cgroups known so far. */
  readonly cgroups?: CgroupNames;
  /** Facts about processes known so far. */
  readonly processes?: KnownProcesses;
  /** The notes, as far as they have been read. */
  readonly notes?: KnownNotes | undefined;
  /** I/O that was in flight for long, as far as it has been read. */
  readonly inFlight?: KnownInFlight | undefined;
  /** How long tasks waited for storage, as far as it has been read. */
  readonly pressure?: KnownPressure | undefined;
  /**
   * Disks known so far; those of text logs appear while the log is read. Another array when more is known of them, so
   * that callers that look up many can compare the arrays.
   */
  devices(): readonly DeviceInfo[];
  /** For traces of several hosts: looks up a disk by number, even if no trace describes it. */
  device?(dev: number): DeviceInfo | undefined;
  /** What was missing or unreadable so far, with a quote of the first of its kind. */
  problems(): readonly TraceProblem[];
  dispose(): void;
}

export interface TraceHeader {
  readonly kind: 'recording' | 'import';
  /** Name of the writer in a few words: `ioheat 0.1.0`, `biosnoop (bcc)`. */
  readonly writer: string;
  /** Empty when unknown. */
  readonly host: string;
  /** Kernel release; empty when unknown. */
  readonly kernel: string;
  readonly clockBase: ClockBase;
  /** False when the log has no wall clock: `wallNs` is then 0, and times count from its start. */
  readonly hasWallClock: boolean;
  /** What was recorded, as a filter expression; empty for everything. */
  readonly recordedOnly: string;
  /** Present if some of several traces have no such filter, and contain everything. */
  readonly hasWholeTraces?: true | undefined;
  /**
   * Fields that this trace lacks, such as `queue` or `pid`: shown as unknown, never as zero. For a log, fields that
   * no line has had so far.
   */
  readonly unknown: readonly TraceField[];
  /** Present if times are from submission to completion, in place of device times. */
  readonly latency?: 'total';
  /** The process that recorded; its own writes are in the trace under this id. */
  readonly recorderTgid?: number;
  /** Present when the file's extent is known without reading all of it. */
  readonly extent?: TraceExtent;
}

export const TRACE_FIELDS = [
  'disk',
  'op',
  'device',
  'queue',
  'sector',
  'bytes',
  'pid',
  'tid',
  'comm',
  'flags',
  'error',
] as const;
export type TraceField = (typeof TRACE_FIELDS)[number];

/** Ns since the start of the trace. */
export interface Stretch {
  readonly startNs: number;
  readonly endNs: number;
}

export interface TraceExtent {
  /** Ns since the start of the trace. */
  readonly startNs: number;
  readonly endNs: number;
  readonly rows: number;
}

export interface TraceChunk {
  readonly rows: CompletionColumns;
  readonly summaries: readonly CompletionSummary[];
  /** By the kernel's own count, where some of a disk's I/O has no rows. */
  readonly busy?: readonly DiskBusy[] | undefined;
  /** Counters of the recorded trace, cumulative, if it has them. */
  readonly counters?: SourceCounters;
  /** A stretch without a recording, such as between two files of a series, in ns. */
  readonly gap?: { readonly startNs: number; readonly endNs: number };
}

export interface TraceProblem {
  /** One sentence: what is missing or wrong. */
  readonly what: string;
  /** Where: `line 12`, `byte 65536`. */
  readonly where: string;
  /** How often it occurred. */
  readonly count: number;
  /** The text at its first occurrence, raw: sanitised when it is shown. */
  readonly quote?: string;
}
