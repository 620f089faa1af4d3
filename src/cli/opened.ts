import type { Clock } from '../base/time.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { Filter } from '../filter/filter.ts';
import type { EventSource } from '../source/event-source.ts';
import type { PlaybackControl } from './replay/playback-control.ts';

/** A source that runs, and what to show of it. */
export interface Opened {
  readonly source: EventSource;
  readonly clock: Clock;
  readonly filter: Filter;
  /** Names for the cgroups of the machine that is traced. */
  readonly cgroups: CgroupNames;
  /** What alone the source records, as a filter would say it; empty when it records everything. */
  readonly recordedOnly: string;
  /** What is replayed; absent when nothing is. */
  readonly playback?: PlaybackControl | undefined;
  /** Release of the kernel that was traced, where it is not this machine's. */
  readonly kernel?: string | undefined;
  /** What to tell at the end, such as what could not be read; raw. */
  readonly lastWords?: (verbose: boolean) => readonly string[];
  /** Lines for `--verbose`, beside the counters. */
  readonly notes: readonly string[];
}
