import { release } from 'node:os';
import type { IoheatError, Result } from '../../base/result.ts';
import type { Clock, ClockBase } from '../../base/time.ts';
import { ExitCode, ok } from '../../base/result.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { rotatingFiles, singleFile } from '../../recording/recording-files.ts';
import { RecordingWriter } from '../../recording/recording-writer.ts';
import type { RecordingState, RecordingTarget } from '../../recording/recording-writer.ts';
import { Summarizer, SUMMARY_SLICE_NS } from '../../recording/summarizer.ts';
import type { RecordingHeader } from '../../recording/recording-header.ts';
import type { EventSource, TraceOrigin } from '../../source/event-source.ts';
import type { CompletionSummary, SourceCounters } from '../../source/completion-summary.ts';
import type { Stretch } from '../../source/trace-reader.ts';
import type { Opened } from '../opened.ts';
import { VERSION } from '../version.ts';
import type { RecordOptions } from './record-options.ts';

/** The trace that is recorded. */
export type Recorded = Pick<Opened, 'source' | 'cgroups'> & Partial<Pick<Opened, 'clock'>>;

/** Takes what a trace brings, and writes it. */
export interface Recorder {
  readonly state: RecordingState;
  append(rows: CompletionColumns): void;
  appendSummary(summary: CompletionSummary): void;
  /** To be called several times a second. */
  tick(): void;
  /** Resolves when everything is in the file, or cannot be. */
  end(): Promise<void>;
}

export function startRecorder(
  recorded: Recorded,
  target: RecordingTarget,
  { recordedOnly, summary }: { readonly recordedOnly: string; readonly summary: boolean },
): Result<Recorder> {
  const { source, cgroups, clock } = recorded;
  const { info } = source;
  const writer = RecordingWriter.start({
    header: headerOf(source, recordedOnly),
    keys: info.keys,
    names: { devices: info, cgroups },
    target,
    nowMs: () => performance.now(),
    recorded: clock && since(clock),
    lossesBefore: lossesBefore(source),
    ...(summary && { flushMs: SUMMARY_SLICE_NS / 1e6 }),
  });
  if (!writer.ok) return writer;
  return ok(
    summary ? new SumRecorder(source, writer.value) : new RowRecorder(source, writer.value),
  );
}

/** From now on. */
function since(clock: Clock): () => Stretch {
  const startNs = clock.nowNs();
  return () => ({ startNs, endNs: clock.nowNs() });
}

/** What was lost before anything was read may belong to what is read first. */
function lossesBefore(source: EventSource): SourceCounters | undefined {
  const counters = source.counters();
  return counters.delivered + counters.summarised > 0 ? counters : undefined;
}

/** Files as the options ask for them. */
export function fileTarget(path: string, options: RecordOptions): RecordingTarget {
  const { rotateBytes: maxBytes, rotateMs: maxMs, keep, force } = options;
  if (maxBytes === undefined && maxMs === undefined) return singleFile(path, force);
  return rotatingFiles({ path, maxBytes, maxMs, keep, wallMs: () => Date.now() });
}

/** Of a file whose disk did not answer in time. */
export function endIsMissing(name: string): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: `the end of ${name} is missing`,
    why: 'the disk did not take it in time',
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

/** Without a wall clock, times are from the start of the trace, whatever they were shown as. */
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

  tick(): void {
    this.writer.tick(this.source.counters());
  }

  end(): Promise<void> {
    return this.writer.end(this.source.counters());
  }
}

/** Keeps sums alone. */
class SumRecorder implements Recorder {
  private readonly sums: Summarizer;

  constructor(
    private readonly source: EventSource,
    private readonly writer: RecordingWriter,
  ) {
    const { info } = source;
    this.sums = new Summarizer(info.keys, (dev) => info.device(dev)?.sizeBytes);
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

  tick(): void {
    for (const summary of this.sums.take()) this.writer.appendSummary(summary);
    this.writer.tick(this.source.counters());
  }

  end(): Promise<void> {
    for (const summary of this.sums.take(true)) this.writer.appendSummary(summary);
    return this.writer.end(this.source.counters());
  }
}
