import type { Result } from '../../base/result.ts';
import { ok } from '../../base/result.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { TraceField } from '../trace-reader.ts';
import type { IoOwner } from './imported-io.ts';
import { firstTime } from './first-time.ts';
import type { LineStart } from './line-start.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';
import { isPossibleSector } from './import-rows.ts';
import { keepName, nsBetween } from './log-text.ts';
import type { Stamp } from './log-text.ts';
import { isPossibleStep, parseError, RequestJoin, Stage } from './request-join.ts';
import type { RequestStep } from './request-join.ts';
import { clockOf } from './trace-clock.ts';
import type { TraceClock, TraceTool } from './trace-clock.ts';
import { isAboutBlocks, parseTracepoint } from './tracepoint-line.ts';
import type { TracepointEvent } from './tracepoint-line.ts';

/*
 * The block tracepoints as `perf script`, `trace-cmd report` and ftrace's `trace` print them: the same event text
 * after slightly different line starts. Times are those of the events, from a clock that starts at boot.
 */

/** Other events, comments, call chains, messages of perf, blank lines. */
const OTHER = new RegExp(
  [
    '^ *(?:#|$|cpus=\\d+$|version = \\d|CPU \\d+ is empty)',
    '\\d:(?: +\\d+)? +[\\w:-]+: ',
    '^[\\t ]+[0-9a-f]+(?: |$)',
    '^ ?=> ',
    '<stack trace ?>$',
    "^'\\w+' not valid for .* events\\. Ignoring\\.$",
  ].join('|'),
);
const LOST = /\[?LOST (\d+) EVENTS\]|PERF_RECORD_LOST lost (\d+)/;

const STAGES: Readonly<Record<string, Stage>> = {
  block_bio_queue: Stage.queued,
  block_getrq: Stage.allocated,
  block_io_start: Stage.started,
  block_rq_insert: Stage.inserted,
};

export const tracepoints: LogFormat = {
  name: 'tracepoints',
  isEvent: (line) => parseTracepoint(line)?.start !== undefined,
  isHeading: (line) => /^# tracer: nop$|^cpus=\d+$/.test(line),
  open: (head) => openTracepoints(head),
};

function openTracepoints(head: LogHead): Result<OpenLog> {
  const events = head.lines.map(parseTracepoint).filter((event) => event !== undefined);
  const starts = events.map(({ start }) => start).filter((start) => start !== undefined);
  const tool = toolOf(head.lines);
  const clock = clockOf(starts, tool);
  if (!clock.ok) return clock;
  const names = new Set(events.map(({ name }) => name));
  const start = firstOf(starts, clock.value);
  const comment = (title: string) =>
    head.lines.find((line) => line.startsWith(`# ${title} : `))?.slice(title.length + 5);
  const host = comment('hostname');
  const kernel = comment('os release');
  const clockName = clock.value.name === undefined ? '' : ` (${clock.value.name})`;
  return ok({
    writer: `${WRITERS[tool]}${clockName}`,
    ...(host === undefined ? {} : { host }),
    ...(kernel === undefined ? {} : { kernel }),
    unknown: unknownFields(starts, names),
    startNs: BigInt(start.seconds) * 1_000_000_000n + BigInt(start.ns),
    parser: new TracepointParser(start, clock.value, names.has('block_rq_complete')),
  });
}

/** In the latency format, times already count from the start of the trace. */
function firstOf(starts: readonly LineStart[], clock: TraceClock): Stamp {
  const first =
    starts[0]?.kind === 'since-start'
      ? undefined
      : firstTime(starts.map(({ stamp }) => clock.secondsOf(stamp)));
  return first ?? { seconds: 0, ns: 0 };
}

const WRITERS: Readonly<Record<TraceTool, string>> = {
  ftrace: 'ftrace',
  'trace-cmd': 'trace-cmd report',
  perf: 'perf script',
};

function toolOf(lines: readonly string[]): TraceTool {
  if (lines.some((line) => line.startsWith('# tracer: '))) return 'ftrace';
  if (lines.some((line) => /^cpus=\d+$/.test(line))) return 'trace-cmd';
  return lines.some((line) => / block:block_/.test(line)) ? 'perf' : 'ftrace';
}

function unknownFields(starts: readonly LineStart[], names: ReadonlySet<string>): TraceField[] {
  const unknown: TraceField[] = [];
  const before = ['block_io_start', 'block_rq_insert', 'block_getrq', 'block_bio_queue'];
  if (!names.has('block_rq_issue') || !before.some((name) => names.has(name)))
    unknown.push('queue');
  if (starts.every(({ tgid }) => tgid === undefined)) unknown.push('pid');
  if (starts.length > 0 && starts.every(({ tid }) => tid === undefined)) unknown.push('tid');
  if (!names.has('block_rq_complete')) unknown.push('error');
  return unknown;
}

class TracepointParser implements LogParser {
  private readonly join = new RequestJoin();

  constructor(
    private readonly start: Stamp,
    private readonly clock: TraceClock,
    private hasCompletions: boolean,
  ) {}

  line(text: string, out: LogSink): boolean {
    const event = parseTracepoint(text);
    if (event?.start === undefined) return this.isOther(text, out);
    const { start } = event;
    const dev = out.devices.numbered(event.device);
    if (dev === undefined) return false;
    const step: RequestStep = {
      ns: nsBetween(this.start, this.clock.secondsOf(start.stamp)),
      dev,
      cmdFlags: event.cmdFlags,
      sector: event.sector,
      sectors: event.isSplit ? 0 : event.count,
      owner: ownerOf(start, keepName(event.last)),
      unknown: start.tgid === undefined ? IdentityMark.processUnknown : 0,
    };
    const isPossible = isPossibleStep(step) && isPossibleSector(event.count);
    return isPossible && this.take(event, step, out);
  }

  end(out: LogSink): void {
    this.join.end(out);
  }

  private take(event: TracepointEvent, step: RequestStep, out: LogSink): boolean {
    const { join } = this;
    const stage = STAGES[event.name];
    if (stage !== undefined) join.submit(stage, step);
    else if (event.name === 'block_rq_issue') join.issue(step, out);
    else if (event.name === 'block_rq_requeue') join.requeue(step);
    else if (event.name === 'block_bio_frontmerge') join.mergeFront(step);
    else if (/^block_(?:rq_merge|bio_backmerge)$/.test(event.name)) join.mergeBack(step);
    else if (event.isSplit) join.split({ ...step, sectors: 1 }, event.count);
    else return this.takeCompletion(event, step, out);
    return true;
  }

  /** Without block_rq_complete, block_io_done or block_bio_complete is the completion. */
  private takeCompletion(event: TracepointEvent, step: RequestStep, out: LogSink): boolean {
    const error = parseError(event.last);
    if (event.name === 'block_rq_complete') {
      this.hasCompletions = true;
      return error !== undefined && this.join.complete(step, error, out);
    }
    const isEnd =
      event.name === 'block_io_done'
        ? !this.hasCompletions
        : event.name === 'block_bio_complete' && this.join.isSubmitted(step);
    return !isEnd || this.join.complete(step, error, out);
  }

  private isOther(text: string, out: LogSink): boolean {
    const lost = LOST.exec(text);
    if (lost !== null) out.lose('lost by the tracer', Number(lost[1] ?? lost[2]));
    return lost !== null || (OTHER.test(text) && !isAboutBlocks(text));
  }
}

/** Without a process id the thread id is used; the tools print threads by default. */
function ownerOf({ tid, tgid }: LineStart, comm: string): IoOwner {
  return { tgid: tgid ?? tid ?? 0, tid: tid ?? 0, comm };
}
