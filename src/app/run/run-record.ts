import { setTimeout as sleep } from 'node:timers/promises';
import { END_SIGNALS, signalExitCode } from '../../base/end-signals.ts';
import { NS_PER_MS } from '../../base/time.ts';
import { NoteBook } from '../../model/notes.ts';
import { NoteInbox } from '../notes/note-inbox.ts';
import type { Result } from '../../base/result.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { allOf, negate, term } from '../../filter/filter.ts';
import type { Filter } from '../../filter/filter.ts';
import { compileFilter } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { formatFilter } from '../../filter/language/format.ts';
import { Verdict } from '../../filter/verdict.ts';
import { diskFilter } from '../../filter/match/disk-filter.ts';
import { inFlightPassing } from '../../filter/match/in-flight-filter.ts';
import { StreamSink } from '../../trace/recording/writing/file-sink.ts';
import { NOBODY_READS } from '../../trace/recording/writing/recording-writer.ts';
import type { RecordingTarget } from '../../trace/recording/writing/recording-writer.ts';
import { EndRequest } from '../process/end-request.ts';
import type { OpenedSource } from '../open/opened-source.ts';
import { STDIN_FILE } from '../options/options.ts';
import { tell } from '../process/print.ts';
import { MatchingRows } from '../jobs/matching-rows.ts';
import { readRest } from '../jobs/read-rest.ts';
import { LayerCounts } from './layer-counts.ts';
import { lossSummaryText, progressText } from './progress.ts';
import { ProgressLine } from '../process/progress-line.ts';
import type { RecordOptions } from '../options/record-options.ts';
import { endIsMissing, fileTarget, startRecorder } from '../jobs/recorder.ts';
import type { Recorder } from '../jobs/recorder.ts';

const PUMP_EVERY_MS = 50;
/** Batches between two checks of the clock and the signals. */
const BATCHES_PER_PUMP = 8;
/** How long a disk that does not answer may delay the end of the program. */
const END_WITHIN_MS = 10_000;

/** Records without a screen, until the time is up, a signal arrives or a write fails. */
export async function runRecord(
  opened: OpenedSource,
  options: RecordOptions,
  verbose: boolean,
): Promise<Result<number>> {
  const target = targetOf(options);
  if (!target.ok) return target;
  const filter = options.hideSelf ? withoutSelf(opened.filter) : opened.filter;
  const recordedOnly = formatFilter(filter);
  const { summary } = options;
  // First, so that no signal leaves a recording that is not closed.
  const end = new EndRequest();
  for (const signal of END_SIGNALS) process.on(signal, end.accept);
  const notes = new NoteBook();
  const { info } = opened.source;
  const inFlight = inFlightPassing(info.inFlight, filter, info);
  const { pressure } = info;
  const recordedAs = { recordedOnly, summary, notes, inFlight, pressure };
  const recorder = startRecorder(opened, target.value, recordedAs);
  if (!recorder.ok) return recorder;
  // A replay at the other end of a pipe draws on the same terminal.
  const isSilent = (options.file ?? STDIN_FILE) === STDIN_FILE && !verbose;
  const inbox = NoteInbox.open(`record ${options.file ?? STDIN_FILE}`);
  const parts = { ...options, isSilent, end, notes, inbox };
  const done = await new RecordRun(opened, filter, recorder.value, parts).run();
  inbox?.close();
  return done;
}

function withoutSelf(filter: Filter): Filter {
  return allOf([filter, negate(term('pid', '=', process.pid))]);
}

function targetOf(options: RecordOptions): Result<RecordingTarget> {
  const { file } = options;
  if (file !== undefined && file !== '-') return ok(fileTarget(file, options));
  if (process.stdout.isTTY)
    return err({
      exitCode: ExitCode.usage,
      what: 'cannot write a recording to a terminal',
      remedy: 'give a file name, or pipe it',
    });
  const open = () => ok(new StreamSink('standard output', process.stdout));
  return ok({ open, isFull: () => false });
}

class RecordRun {
  private readonly startedMs = performance.now();
  private readonly filter: CompiledFilter;
  /** Whether all I/O of a disk is recorded. */
  private readonly takesAllOf: (dev: number) => boolean;
  private readonly matching: MatchingRows;
  private readonly counts: LayerCounts;
  private readonly progress = new ProgressLine(process.stderr.isTTY, tell);

  constructor(
    private readonly opened: OpenedSource,
    filter: Filter,
    private readonly recorder: Recorder,
    private readonly options: RecordOptions & {
      readonly isSilent: boolean;
      readonly end: EndRequest;
      readonly notes: NoteBook;
      readonly inbox: NoteInbox | undefined;
    },
  ) {
    const { info } = opened.source;
    this.filter = compileFilter(filter, info.identities, info);
    this.takesAllOf = diskFilter(filter, info);
    this.matching = new MatchingRows(this.filter);
    this.counts = new LayerCounts(info.identities);
  }

  async run(): Promise<Result<number>> {
    while (!this.isOver()) {
      this.pump();
      await this.pause();
    }
    this.opened.source.audit?.();
    readRest(() => this.pump());
    return this.conclude(await this.end());
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.options.end.onFirst = resolve;
      setTimeout(resolve, PUMP_EVERY_MS);
    });
  }

  private isOver(): boolean {
    const { durationNs = Infinity } = this.options;
    return (
      this.options.end.signal !== undefined ||
      this.recorder.state.failure !== undefined ||
      this.elapsedMs() * 1e6 >= durationNs
    );
  }

  private elapsedMs(): number {
    return performance.now() - this.startedMs;
  }

  /** Reads from the source; true when more is waiting. */
  private pump(): boolean {
    const { recorder, matching, opened } = this;
    let batches = 0;
    for (; batches < BATCHES_PER_PUMP; batches++) {
      const rows = opened.source.read();
      if (rows.length === 0) break;
      const picked = matching.of(rows);
      this.counts.add(picked);
      recorder.append(picked);
    }
    for (const summary of opened.source.readSummaries()) {
      if (this.filter.judge(summary.identity) === Verdict.no) continue;
      this.counts.addSummary(summary);
      recorder.appendSummary(summary);
    }
    for (const busy of opened.source.readBusy?.() ?? [])
      if (this.takesAllOf(busy.dev)) recorder.appendBusy(busy);
    this.takeNotes();
    recorder.tick();
    this.showProgress();
    return batches === BATCHES_PER_PUMP;
  }

  private takeNotes(): void {
    const { notes, inbox } = this.options;
    const nowNs = this.opened.clock.nowNs();
    for (const { text, ageMs } of inbox?.take() ?? []) notes.add(nowNs - ageMs * NS_PER_MS, text);
  }

  private showProgress(): void {
    if (this.options.isSilent) return;
    const { state } = this.recorder;
    const text = progressText(state, this.counted(), this.elapsedMs(), this.lost());
    this.progress.show(text, performance.now());
  }

  /** The contents of the file as text, by layer; as one number if the disk did not take all of it. */
  private counted(): string {
    const { rows, summarised, unwritten } = this.recorder.state;
    return unwritten === 0 ? this.counts.text() : this.counts.together(rows + summarised);
  }

  private lost(): number {
    return this.opened.source.counters().lost + this.recorder.state.unwritten;
  }

  /** Ends the recording; false if the disk did not write the rest in time. */
  private end(): Promise<boolean> {
    return Promise.race([
      this.recorder.end().then(() => true),
      sleep(END_WITHIN_MS, false, { ref: false }),
    ]);
  }

  private conclude(isDone: boolean): Result<number> {
    const { recorder, progress } = this;
    progress.clear();
    if (!this.options.isSilent)
      tell(`${lossSummaryText(recorder.state, this.counted(), this.elapsedMs(), this.lost())}\n`);
    const { failure } = recorder.state;
    if (failure !== undefined && failure.why !== NOBODY_READS) return err(failure);
    if (!isDone) return err(endIsMissing(recorder.state.name));
    const { signal } = this.options.end;
    // Ctrl-C is the usual end of a recording.
    return ok(signal === undefined || signal === 'SIGINT' ? ExitCode.fine : signalExitCode(signal));
  }
}
