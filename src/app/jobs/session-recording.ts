import { partOf, publishPart, removePart } from '../../base/partial-file.ts';
import { formatError } from '../../base/result.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { formatByteSum, formatCount } from '../../base/format.ts';
import type { Clock } from '../../base/time.ts';
import { compileFilter } from '../../filter/match/match.ts';
import { formatFilter } from '../../filter/language/format.ts';
import { DEFAULT_LAYER, LAYERS, nounOf, nounsOf } from '../../model/layer.ts';
import type { KnownInFlight } from '../../model/in-flight.ts';
import { presentNotes } from '../../model/notes.ts';
import type { KnownNotes } from '../../model/notes.ts';
import { MachinePressure } from '../../model/machine-pressure.ts';
import type { KnownPressure, PressureHistory, PressureSample } from '../../model/pressure.ts';
import { diskFilter } from '../../filter/match/disk-filter.ts';
import { inFlightPassing } from '../../filter/match/in-flight-filter.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import { singleFile } from '../../trace/recording/writing/recording-files.ts';
import { RecordingWriter } from '../../trace/recording/writing/recording-writer.ts';
import type { Filter } from '../../filter/filter.ts';
import type { RecordingShown } from '../../ui/status/status-line.ts';
import { CANCELLED, FileJob } from './file-job.ts';
import type { RecordOptions } from '../options/record-options.ts';
import { endIsMissing, fileTarget, headerOf, startRecorder, namesOf } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { readRest } from './read-rest.ts';
import { saveHistory } from './save-history.ts';

export interface SavedStretch {
  readonly startNs: number;
  readonly endNs: number;
  readonly filter: Filter;
}

interface Parts {
  readonly monitor: Monitor;
  readonly clock?: Clock;
  readonly options: RecordOptions;
  /** The filter that the source itself applies, as text. */
  readonly recordedOnly: string;
}

/** How long a disk that does not answer may delay the end of the program. */
const END_WITHIN_MS = 5_000;

/** Recordings made during a session, one at a time, and saving parts of the history. */
export class SessionRecording {
  /** Why the last failed recording failed. */
  failure: IoheatError | undefined;
  private recorder: Recorder | undefined;
  /** Pending while the file of a recording that ended by itself is being closed. */
  private closing: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  get shown(): RecordingShown | undefined {
    return this.recorder && { name: this.recorder.state.name, bytes: this.recorder.state.bytes };
  }

  /** Records from now on; returns a notice. `force` is of the command line: a key never replaces a file. */
  start(path: string, force?: boolean): Result<string> {
    const { monitor, options, recordedOnly, clock } = this.parts;
    const { source } = monitor;
    if (source.info.kind === 'recording' || source.info.kind === 'import') return err(IS_REPLAY);
    const target = fileTarget(path, { ...options, force });
    const { summary } = options;
    const started = startRecorder({ source, ...(clock && { clock }) }, target, {
      recordedOnly,
      summary,
      notes: monitor.notes,
      inFlight: source.info.inFlight,
      pressure: source.info.pressure,
    });
    if (!started.ok) return started;
    this.recorder = started.value;
    monitor.tee = started.value;
    return ok('recording; R stops it');
  }

  /** Call it after each pump; returns a notice for a recording that ended by itself. */
  tick(): string | undefined {
    const { recorder } = this;
    recorder?.tick();
    const failure = recorder?.state.failure;
    if (recorder === undefined || failure === undefined) return undefined;
    this.failure = failure;
    this.detach();
    this.closing = endInTime(recorder);
    return formatError(failure);
  }

  /** Resolves with a notice when the file is complete or has failed: then `failure` says why. */
  async stop(): Promise<string> {
    const { recorder } = this;
    if (recorder !== undefined) this.readRest();
    this.detach();
    await this.closing;
    if (recorder === undefined) return '';
    const isDone = await endInTime(recorder);
    const { name, bytes, rows, summarised, failure } = recorder.state;
    this.failure = failure ?? (isDone ? this.failure : endIsMissing(name));
    if (failure !== undefined || !isDone) return '';
    const counted = this.countedText(rows + summarised);
    return `recorded ${counted}, ${formatByteSum(bytes)}, to ${name}`;
  }

  /** `5.3k I/Os`, `5.3k I/Os and calls` */
  private countedText(count: number): string {
    const { layers } = this.parts.monitor.source.info.identities;
    const some = LAYERS.filter((layer) => layers.has(layer));
    const many = nounsOf(some.length > 0 ? some : [DEFAULT_LAYER]);
    return `${formatCount(count)} ${count === 1 && some.length < 2 ? nounOf(some[0]) : many}`;
  }

  private readRest(): void {
    const { monitor } = this.parts;
    monitor.source.audit?.();
    readRest(() => !monitor.pump());
  }

  /** Writes a part of the history to a file that gets its name when complete; resolves with a notice. */
  async save(path: string, stretch: SavedStretch, job = new FileJob()): Promise<string> {
    const { monitor } = this.parts;
    const { source, history } = monitor;
    const { info } = source;
    const { startNs, endNs, filter } = stretch;
    const recordedOnly = bothOf(formatFilter(filter), this.parts.recordedOnly);
    const part = partOf(path);
    if (!part.ok) return formatError(part.error);
    const writer = RecordingWriter.start({
      header: headerOf(source, recordedOnly),
      identities: info.identities,
      names: namesOf(info),
      target: singleFile(part.value),
      nowMs: () => performance.now(),
      recorded: () => ({ startNs, endNs }),
      // If the history is saved up to the last I/O, notes after it are saved, too.
      notes: notesUntil(monitor.notes, endNs > history.endNs ? Infinity : endNs),
      inFlight: inFlightUntil(inFlightPassing(info.inFlight, filter, info), endNs),
      pressure: pressureWithin(info.pressure, stretch),
    });
    if (!writer.ok) return formatError(writer.error);
    const wanted = { startNs, endNs, filter: compileFilter(filter, info.identities, info) };
    const undecided = await saveHistory(history, wanted, info.identities, writer.value, job);
    const takesAllOf = diskFilter(filter, info);
    for (const busy of history.countedBusy(startNs, endNs))
      if (takesAllOf(busy.dev)) writer.value.appendBusy(busy);
    await writer.value.end(source.counters());
    if (undecided === undefined) {
      removePart(part.value);
      return CANCELLED;
    }
    const { bytes, rows, summarised, failure } = writer.value.state;
    if (failure !== undefined) {
      removePart(part.value);
      return formatError({ ...failure, what: `cannot save ${path}`, remedy: undefined });
    }
    const published = publishPart(part.value, path);
    if (!published.ok) return formatError(published.error);
    const sums = summarised > 0 ? ` and ${formatCount(summarised)} aggregated` : '';
    const left = undecided > 0 ? `; ${formatCount(undecided)} aggregated left out` : '';
    return `saved ${this.countedText(rows)}${sums}, ${formatByteSum(bytes)}, to ${path}${left}`;
  }

  private detach(): void {
    this.recorder = undefined;
    this.parts.monitor.tee = undefined;
  }
}

/** Two filters as one text; `or` binds less tightly than the space between them. */
function bothOf(...texts: readonly string[]): string {
  const [first = '', ...others] = texts.filter((text) => text !== '');
  if (others.length === 0) return first;
  return [first, ...others].map((text) => (/ or /.test(text) ? `(${text})` : text)).join(' ');
}

function notesUntil(notes: KnownNotes, untilNs: number): KnownNotes {
  const all = notes.all().filter(({ atNs }) => atNs < untilNs);
  return { all: () => all, list: () => presentNotes(all), version: notes.version };
}

/** The I/O in flight up to the end of the part; what was in flight at its end has no end in the file. */
function inFlightUntil(known: KnownInFlight | undefined, endNs: number): KnownInFlight | undefined {
  if (known === undefined) return undefined;
  const spans = known
    .spans()
    .filter(({ sinceNs }) => sinceNs < endNs)
    .map((span) => (span.untilNs < endNs ? span : { ...span, untilNs: Infinity }));
  return { spans: () => spans, version: known.version };
}

/** The samples of the part, and those just before and after it, so that all of its time is known. */
function pressureWithin(
  known: KnownPressure | undefined,
  stretch: SavedStretch,
): KnownPressure | undefined {
  if (known === undefined) return undefined;
  const part = new MachinePressure();
  for (const sample of samplesWithin(known, stretch)) part.put(sample);
  for (const [cgroup, history] of known.cgroups)
    for (const sample of samplesWithin(history, stretch)) part.putCgroup({ cgroup, ...sample });
  return part;
}

function samplesWithin(
  history: PressureHistory,
  { startNs, endNs }: SavedStretch,
): readonly PressureSample[] {
  const all = history.samplesAfter(-Infinity);
  const first = all.findLastIndex(({ atNs }) => atNs <= startNs);
  const last = all.findIndex(({ atNs }) => atNs >= endNs);
  return all.slice(Math.max(0, first), last < 0 ? all.length : last + 1);
}

const IS_REPLAY = {
  exitCode: ExitCode.failed,
  what: 'cannot record a replay',
  remedy: 'D saves a part of it',
};

/** Ends a recording; false if the disk did not write the rest in time. */
function endInTime(recorder: Recorder): Promise<boolean> {
  const late = new Promise<false>((resolve) => {
    setTimeout(resolve, END_WITHIN_MS, false).unref();
  });
  return Promise.race([recorder.end().then(() => true), late]);
}
