import { formatError } from '../../base/result.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { formatByteSum } from '../../base/format.ts';
import type { Clock } from '../../base/time.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { RecordingShown } from '../../ui/status/status-line.ts';
import type { RecordOptions } from '../options/record-options.ts';
import { countedText } from './counted-text.ts';
import { endIsMissing, fileTarget, startRecorder } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { readRest } from './read-rest.ts';

interface Parts {
  readonly monitor: Monitor;
  readonly clock?: Clock;
  readonly options: RecordOptions;
  /** The filter that the source itself applies, as text. */
  readonly recordedOnly: string;
}

/** How long a disk that does not answer may delay the end of the program. */
const END_WITHIN_MS = 5_000;

/** Recordings made during a session, one at a time. */
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
    const { layers } = this.parts.monitor.source.info.identities;
    const counted = countedText(rows + summarised, layers);
    return `recorded ${counted}, ${formatByteSum(bytes)}, to ${name}`;
  }

  private readRest(): void {
    const { monitor } = this.parts;
    monitor.source.audit?.();
    readRest(() => !monitor.pump());
  }

  private detach(): void {
    this.recorder = undefined;
    this.parts.monitor.tee = undefined;
  }
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
