import type { CompletionSummary, SourceCounters } from './completion-summary.ts';
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
