import type { Clock } from '../base/time.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { Filter } from '../model/filter.ts';
import type { EventSource } from '../source/event-source.ts';

/** A source that runs, and what to show of it. */
export interface Opened {
  readonly source: EventSource;
  readonly clock: Clock;
  readonly filter: Filter;
  /** Names for the cgroups of the machine that is traced. */
  readonly cgroups: CgroupNames;
  /** What alone the source records, as a filter would say it; empty when it records everything. */
  readonly recordedOnly: string;
  /** Lines for `--verbose`, beside the counters. */
  readonly notes: readonly string[];
}
