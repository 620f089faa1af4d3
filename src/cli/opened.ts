import type { Clock } from '../base/time.ts';
import type { Filter } from '../model/filter.ts';
import type { EventSource } from '../source/event-source.ts';

/** A source that runs, and what to show of it. */
export interface Opened {
  readonly source: EventSource;
  readonly clock: Clock;
  readonly filter: Filter;
  /** What alone the source records, as a filter would say it; empty when it records everything. */
  readonly recordedOnly: string;
  /** Lines for `--verbose`, beside the counters. */
  readonly notes: readonly string[];
}
