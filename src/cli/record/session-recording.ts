import { unlinkSync } from 'node:fs';
import { partOf, publishPart } from '../../base/part-file.ts';
import { formatError } from '../../base/result.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { formatBytes, formatCount } from '../../base/format.ts';
import type { Clock } from '../../base/time.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import { compileFilter } from '../../filter/match.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import { singleFile } from '../../recording/recording-files.ts';
import { RecordingWriter } from '../../recording/recording-writer.ts';
import type { Filter } from '../../filter/filter.ts';
import type { RecordingShown } from '../../ui/status-line.ts';
import { CALLED_OFF, FileWork } from '../file-work.ts';
import type { RecordOptions } from './record-options.ts';
import { endIsMissing, fileTarget, headerOf, startRecorder } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { saveHistory } from './save-history.ts';

export interface SavedStretch {
  readonly startNs: number;
  readonly endNs: number;
  readonly filter: Filter;
}

interface Parts {
  readonly monitor: Monitor;
  readonly cgroups: CgroupNames;
  readonly clock?: Clock;
  readonly options: RecordOptions;
  /** What alone reaches the monitor, as a filter would say it. */
  readonly recordedOnly: string;
}

/** How long a disk that does not answer may hold up the end of the program. */
const END_WITHIN_MS = 5_000;
/** How long the rest may be read that waits in the kernel. */
const READ_WITHIN_MS = 500;

/** Recordings made while somebody looks: one at a time, beside saving what has been. */
export class SessionRecording {
  /** Why the last one that did not become what was asked for did not. */
  failure: IoheatError | undefined;
  private recorder: Recorder | undefined;
  /** Of a recording that has ended by itself, until its file is closed. */
  private closing: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  get shown(): RecordingShown | undefined {
    return this.recorder && { name: this.recorder.state.name, bytes: this.recorder.state.bytes };
  }

  /** Records from now on; the value is what to tell. */
  start(path: string): Result<string> {
    const { monitor, options, recordedOnly, cgroups, clock } = this.parts;
    const { source } = monitor;
    if (source.info.kind === 'recording' || source.info.kind === 'import') return err(IS_REPLAY);
    const target = fileTarget(path, options);
    const { summary } = options;
    const started = startRecorder({ source, cgroups, ...(clock && { clock }) }, target, {
      recordedOnly,
      summary,
    });
    if (!started.ok) return started;
    this.recorder = started.value;
    monitor.tee = started.value;
    return ok('recording; R ends it');
  }

  /** To be called after each pump; the value is what to tell of a recording that has ended by itself. */
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

  /** Resolves with what to tell when the file is whole, or cannot be: then `failure` says why. */
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
    return `recorded ${formatCount(rows + summarised)} I/Os, ${formatBytes(bytes)}, to ${name}`;
  }

  private readRest(): void {
    const { monitor } = this.parts;
    monitor.source.audit?.();
    const untilMs = performance.now() + READ_WITHIN_MS;
    while (!monitor.pump() && performance.now() < untilMs);
  }

  /** Writes a part of the history to a file that has its name when it is whole; resolves with what to tell. */
  async save(path: string, stretch: SavedStretch, work = new FileWork()): Promise<string> {
    const { monitor, cgroups } = this.parts;
    const { source, history } = monitor;
    const { info } = source;
    const { startNs, endNs, filter } = stretch;
    const recordedOnly = [formatFilter(filter), this.parts.recordedOnly].filter(Boolean).join(' ');
    const part = partOf(path);
    if (!part.ok) return formatError(part.error);
    const writer = RecordingWriter.start({
      header: headerOf(source, recordedOnly),
      keys: info.keys,
      names: { devices: info, cgroups },
      target: singleFile(part.value),
      nowMs: () => performance.now(),
      recorded: () => ({ startNs, endNs }),
    });
    if (!writer.ok) return formatError(writer.error);
    const wanted = { startNs, endNs, filter: compileFilter(filter, info.keys, info) };
    const undecided = await saveHistory(history, wanted, info.keys, writer.value, work);
    await writer.value.end(source.counters());
    if (undecided === undefined) {
      unlinkSync(part.value);
      return CALLED_OFF;
    }
    const { bytes, rows, summarised, failure } = writer.value.state;
    if (failure !== undefined) return formatError(failure);
    const published = publishPart(part.value, path);
    if (!published.ok) return formatError(published.error);
    const sums = summarised > 0 ? ` and ${formatCount(summarised)} in sum` : '';
    const left = undecided > 0 ? `; ${formatCount(undecided)} known only in sum are left out` : '';
    return `saved ${formatCount(rows)} I/Os${sums}, ${formatBytes(bytes)}, to ${path}${left}`;
  }

  private detach(): void {
    this.recorder = undefined;
    this.parts.monitor.tee = undefined;
  }
}

const IS_REPLAY = {
  exitCode: ExitCode.failed,
  what: 'a replay is not recorded again',
  remedy: 'D saves a part of it',
};

/** False when the disk did not take the rest in time. */
function endInTime(recorder: Recorder): Promise<boolean> {
  const late = new Promise<false>((resolve) => {
    setTimeout(resolve, END_WITHIN_MS, false).unref();
  });
  return Promise.race([recorder.end().then(() => true), late]);
}
