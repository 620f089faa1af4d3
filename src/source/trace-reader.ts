import type { ClockBase } from '../base/time.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { CompletionSummary, SourceCounters } from './completion-summary.ts';

/**
 * A trace that was made before, read from its beginning: a recording, another tool's log, a stream
 * that is still being written. Keys are interned in the table that the reader was opened with.
 */
export interface TraceReader {
  readonly header: TraceHeader;
  /**
   * What follows, in order of completion as far as its maker kept it; `waiting` while a stream has
   * brought nothing new, `ended` for good. Never blocks on a stream. The columns are reused by the
   * next call.
   */
  next(): TraceChunk | 'waiting' | 'ended';
  /**
   * From when until when it was recorded, as far as it has been read: more than from the first I/O to
   * the last. Undefined where nothing tells it.
   */
  readonly recorded?: Stretch | undefined;
  /** Names of the cgroups, as far as they are known by now. */
  readonly cgroups?: CgroupNames;
  /** Disks as far as they are known by now; those of text logs appear while they are read. */
  devices(): readonly DeviceInfo[];
  /** What is missing or could not be read so far, the first of its kind quoted. */
  problems(): readonly TraceProblem[];
  dispose(): void;
}

export interface TraceHeader {
  readonly kind: 'recording' | 'import';
  /** What wrote it, in a few words: `ioheat 0.1.0`, `biosnoop (bcc)`. */
  readonly writer: string;
  /** Empty when not known. */
  readonly host: string;
  /** Kernel release; empty when not known. */
  readonly kernel: string;
  readonly clockBase: ClockBase;
  /** False when the log has no wall clock: `wallNs` is then 0, and times are from its start. */
  readonly hasWallClock: boolean;
  /** What alone was recorded, as a filter would say it; empty for everything. */
  readonly recordedOnly: string;
  /**
   * Fields that this trace cannot know, such as `queue` or `pid`: shown as unknown, never as zero. Of a
   * log, those that no line read so far has told.
   */
  readonly unknown: readonly TraceField[];
  /** The times in place of device times are from submission to completion. */
  readonly latency?: 'total';
  /** The process that recorded, in whose name its own writes are in the trace. */
  readonly recorderTgid?: number;
  /** Known where the file tells without being read through. */
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
  /** Of the recorded trace, cumulative, where it tells. */
  readonly counters?: SourceCounters;
  /** Times without any recording, such as between two files of one series, in ns. */
  readonly gap?: { readonly startNs: number; readonly endNs: number };
}

export interface TraceProblem {
  /** One sentence: what is missing or wrong. */
  readonly what: string;
  /** Where: `line 12`, `byte 65536`. */
  readonly where: string;
  /** How often. */
  readonly count: number;
  /** The first such text, raw: sanitised where it meets the terminal. */
  readonly quote?: string;
}
