import type { Clock } from '../../base/time.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import type { Filter } from '../../filter/filter.ts';
import type { EventSource } from '../../trace/event-source.ts';
import type { Settings } from '../../view/settings.ts';
import type { PlaybackControl } from '../playback/playback-control.ts';

/** The view in which a source is seen best, and what to look for in it. */
export interface BestView {
  readonly settings: Settings;
  readonly notice: string | undefined;
}

/** A running source, and how to show it. */
export interface OpenedSource {
  readonly source: EventSource;
  readonly clock: Clock;
  readonly filter: Filter;
  /** The filter that the source itself applies, as text; empty when it records everything. */
  readonly recordedOnly: string;
  /** The replay; absent when nothing is replayed. */
  readonly playback?: PlaybackControl | undefined;
  /** The release of the traced kernel, if it is not this machine's. */
  readonly kernel?: string | undefined;
  /** The error if all of a replay was read and there was no I/O, unless it is known that there was none. */
  readonly nothingRead?: () => IoheatError | undefined;
  /** Lines to print at the end, such as what could not be read; not sanitized. */
  readonly lastWords?: (verbose: boolean) => readonly string[];
  readonly bestView?: BestView | undefined;
  /** Opens the next or the previous source of a tour; absent where there is none. */
  readonly next?: (step: 1 | -1) => Result<OpenedSource>;
  /** Lines for `--verbose`, in addition to the counters. */
  readonly notes: readonly string[];
}
