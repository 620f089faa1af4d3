import { release } from 'node:os';
import type { IoheatError, Result } from '../../base/result.ts';
import type { Clock, ClockBase } from '../../base/time.ts';
import { ExitCode, ok } from '../../base/result.ts';
import { NO_CGROUP_NAMES } from '../../model/cgroup-names.ts';
import type { DiskBusy } from '../../model/disk-busy.ts';
import type { KnownInFlight } from '../../model/in-flight.ts';
import type { KnownNotes } from '../../model/notes.ts';
import type { KnownPressure } from '../../model/pressure.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { rotatingFiles, singleFile } from '../../trace/recording/writing/recording-files.ts';
import { RecordingWriter } from '../../trace/recording/writing/recording-writer.ts';
import type {
  RecordingState,
  RecordingTarget,
} from '../../trace/recording/writing/recording-writer.ts';
import { Summarizer, SUMMARY_SLICE_NS } from '../../trace/recording/writing/summarizer.ts';
import type { Names } from '../../trace/recording/format/identity-book.ts';
import type { RecordingHeader } from '../../trace/recording/format/recording-header.ts';
import type { EventSource, SourceInfo, TraceOrigin } from '../../trace/event-source.ts';
import type { CompletionSummary, SourceCounters } from '../../trace/completion-summary.ts';
import type { Stretch } from '../../trace/trace-reader.ts';
import type { OpenedSource } from '../open/opened-source.ts';
import { VERSION } from '../process/version.ts';
import type { RecordOptions } from '../options/record-options.ts';

/** The recorded trace. */
export type Recorded = Pick<OpenedSource, 'source'> & Partial<Pick<OpenedSource, 'clock'>>;

/** Writes the batches of a trace. */
export interface Recorder {
  readonly state: RecordingState;
  append(rows: CompletionColumns): void;
  appendSummary(summary: CompletionSummary): void;
  appendBusy(busy: DiskBusy): void;
  /** Call it several times a second. */
  tick(): void;
  /** Resolves when everything is written, or has failed to be. */
  end(): Promise<void>;
}

export interface RecordedAs {
  /** The filter of the recording, as text. */
  readonly recordedOnly: string;
  /** Whether only aggregates are recorded. */
  readonly summary: boolean;
  /** The notes of people. */
  readonly notes?: KnownNotes | undefined;
  /** The I/O in flight, as far as it is recorded. */
  readonly inFlight?: KnownInFlight | undefined;
  /** How long tasks wait for storage. */
  readonly pressure?: KnownPressure | undefined;
}

/** Creates the file at once, and fails where that is not possible. */
export function startRecorder(
  recorded: Recorded,
  target: RecordingTarget,
  { recordedOnly, summary, notes, inFlight, pressure }: RecordedAs,
): Result<Recorder> {
  const { source, clock } = recorded;
  const { info } = source;
  const writer = RecordingWriter.start({
    header: headerOf(source, recordedOnly),
    identities: info.identities,
    names: namesOf(info),
    target,
    nowMs: () => performance.now(),
    recorded: clock && since(clock),
    notes,
    inFlight,
    pressure,
    lossesBefore: lossesBefore(source),
    ...(summary && { flushMs: SUMMARY_SLICE_NS / 1e6 }),
  });
  if (!writer.ok) return writer;
  return ok(
    summary ? new AggregateRecorder(source, writer.value) : new RowRecorder(source, writer.value),
  );
}

export function namesOf(info: SourceInfo): Names & { readonly devices: SourceInfo } {
  const { cgroups = NO_CGROUP_NAMES, processes } = info;
  return { devices: info, cgroups, processes };
}

/** Returns the recorded stretch, which starts now. */
function since(clock: Clock): () => Stretch {
  const startNs = clock.nowNs();
  return () => ({ startNs, endNs: clock.nowNs() });
}

/**
 * The losses at the start; undefined if nothing has been read yet, because losses before the first read may belong to
 * what is read first.
 */
function lossesBefore(source: EventSource): SourceCounters | undefined {
  const counters = source.counters();
  return counters.delivered + counters.summarised > 0 ? counters : undefined;
}

/** The file or files that the options ask for. */
export function fileTarget(path: string, options: RecordOptions): RecordingTarget {
  const { rotateBytes: maxBytes, rotateMs: maxMs, keep, force } = options;
  if (maxBytes === undefined && maxMs === undefined) return singleFile(path, force);
  return rotatingFiles({ path, maxBytes, maxMs, keep, wallMs: () => Date.now() });
}

/** The error for a file whose disk did not answer in time. */
export function endIsMissing(name: string): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: `the end of ${name} is missing`,
    why: 'the disk did not write it in time',
  };
}

export function headerOf(source: EventSource, recordedOnly: string): RecordingHeader {
  const { kind, host, title, clockBase, origin } = source.info;
  if (origin !== undefined) return { ...ofOrigin(origin, clockBase), title, recordedOnly };
  return {
    writer: `ioheat ${VERSION}`,
    host,
    kernel: kind === 'live' ? release() : '',
    title,
    clockBase,
    hasWallClock: true,
    recordedOnly,
    unknown: [],
    ...(kind === 'live' && { recorderTgid: process.pid }),
  };
}

/** The header of an earlier trace. Without a wall clock, times count from the start of the trace. */
function ofOrigin(
  origin: TraceOrigin,
  clockBase: ClockBase,
): Omit<RecordingHeader, 'title' | 'recordedOnly'> {
  const { hasWallClock } = origin;
  return {
    ...origin,
    writer: `ioheat ${VERSION}`,
    clockBase: hasWallClock ? clockBase : { monotonicNs: 0n, wallNs: 0n },
  };
}

class RowRecorder implements Recorder {
  constructor(
    private readonly source: EventSource,
    private readonly writer: RecordingWriter,
  ) {}

  get state(): RecordingState {
    return this.writer.state;
  }

  append(rows: CompletionColumns): void {
    this.writer.append(rows);
  }

  appendSummary(summary: CompletionSummary): void {
    this.writer.appendSummary(summary);
  }

  appendBusy(busy: DiskBusy): void {
    this.writer.appendBusy(busy);
  }

  tick(): void {
    this.writer.tick(this.source.counters());
  }

  end(): Promise<void> {
    return this.writer.end(this.source.counters());
  }
}

/** Records aggregates only. */
class AggregateRecorder implements Recorder {
  private readonly sums: Summarizer;

  constructor(
    private readonly source: EventSource,
    private readonly writer: RecordingWriter,
  ) {
    const { info } = source;
    this.sums = new Summarizer(info.identities, (dev) => info.device(dev)?.sizeBytes);
  }

  get state(): RecordingState {
    return this.writer.state;
  }

  append(rows: CompletionColumns): void {
    this.sums.append(rows);
  }

  appendSummary(summary: CompletionSummary): void {
    this.writer.appendSummary(summary);
  }

  appendBusy(busy: DiskBusy): void {
    this.writer.appendBusy(busy);
  }

  tick(): void {
    for (const summary of this.sums.take()) this.writer.appendSummary(summary);
    this.writer.tick(this.source.counters());
  }

  end(): Promise<void> {
    for (const summary of this.sums.take(true)) this.writer.appendSummary(summary);
    return this.writer.end(this.source.counters());
  }
}
