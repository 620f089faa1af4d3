import type { CompletionSummary, SourceCounters } from './completion-summary.ts';
import type { ClockBase } from '../base/time.ts';
import type { CardReader } from '../model/card.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { DiskBusy } from '../model/disk-busy.ts';
import type { InFlightIo, KnownInFlight } from '../model/in-flight.ts';
import type { KnownProcesses } from '../model/known-processes.ts';
import type { KnownNotes } from '../model/notes.ts';
import type { KnownPressure } from '../model/pressure.ts';
import type { StallCause } from '../model/stall.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import type { TraceHeader } from './trace-reader.ts';

/**
 * Where I/O comes from: the live kernel, a recording, another tool's log, a synthetic pattern. Users of this
 * interface do not know which.
 */
export interface EventSource {
  readonly info: SourceInfo;
  /**
   * I/Os completed since the last call, at most one buffer full; the columns are reused by the next call. `length`
   * is 0 when nothing is pending. Never blocks.
   */
  read(): CompletionColumns;
  /**
   * The aggregates since the last call; empty when every I/O came as a row. Call it after `read`. If `isDue` is false,
   * nobody looks at them yet, and they may come later.
   */
  readSummaries(isDue?: boolean): readonly CompletionSummary[];
  /**
   * How long disks were busy since the last call by the kernel's own count, if some of their I/O has no rows; absent if
   * the source cannot know. Call it after `readSummaries`.
   */
  readBusy?(): readonly DiskBusy[];
  /** Cumulative since the start of the trace. */
  counters(): SourceCounters;
  /**
   * Compares with the kernel's own counts, so that `counters` includes missed I/O once the pending rows have been read.
   * Cheap enough for once a second.
   */
  audit?(): void;
  /** I/O that has been in flight for at least `minAgeNs`, the oldest first; absent if the source cannot know. */
  inFlight?(minAgeNs?: number): readonly InFlightIo[];
  /** Requests that have been in flight for long; absent if the source cannot know. */
  hanging?(): HangingRequests | undefined;
  /** Why tasks wait now although no disk explains it; undefined until it is known, absent if the source cannot look. */
  stallCause?(): StallCause | undefined;
  /** Further counters for `--verbose`, by name: cumulative, not losses. */
  remarks?(): Readonly<Record<string, number>>;
  /** Absent if the traced machine is not this one. */
  readonly cards?: CardReader;
  dispose(): void;
}

/** Requests that have not completed and are therefore in no picture. */
export interface HangingRequests {
  readonly count: number;
  /** The oldest of them: time since it was queued, in ns, and its device. */
  readonly ageNs: number;
  readonly dev: number;
}

export interface SourceInfo {
  readonly kind: 'live' | 'synthetic' | 'recording' | 'import';
  readonly host: string;
  /** One line: kernel release, pattern or file name. */
  readonly title: string;
  readonly clockBase: ClockBase;
  /** The metadata of an earlier trace. */
  readonly origin?: TraceOrigin;
  /** Shared by all sources of a session. */
  readonly identities: IdentityTable;
  /** Disks may be added while tracing, so look them up by number and never assume that the list is complete. */
  device(dev: number): DeviceInfo | undefined;
  devices(): readonly DeviceInfo[];
  /** Absent if no cgroup has a name. */
  readonly cgroups?: CgroupNames;
  /** Absent if nothing is known of processes but their names. */
  readonly processes?: KnownProcesses;
  /** The notes of an earlier trace; absent if it cannot have any. */
  readonly notes?: KnownNotes;
  /** I/O that has been in flight for long; absent if it is unknown. */
  readonly inFlight?: KnownInFlight | undefined;
  /** How long tasks waited for storage; absent if it is unknown. */
  readonly pressure?: KnownPressure | undefined;
}

/** If several traces differ in a value, it is unknown. */
export type TraceOrigin = Pick<
  TraceHeader,
  'host' | 'kernel' | 'hasWallClock' | 'unknown' | 'latency' | 'recorderTgid'
>;
