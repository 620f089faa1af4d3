import type { InFlightRow } from '../../model/in-flight.ts';

/** What the list of I/Os in flight shows. */
export interface ListedInFlight {
  /** The oldest first; undefined if it is unknown what was in flight. */
  readonly rows: readonly InFlightRow[] | undefined;
  /** Trace time of an earlier moment, in ns; undefined for the present. */
  readonly atNs: number | undefined;
  /** Whether only I/O that was in flight for long is known of that moment. */
  readonly isLongOnly: boolean;
}
