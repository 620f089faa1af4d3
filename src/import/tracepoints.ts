import type { TraceField } from '../source/trace-reader.ts';
import type { IoOwner } from './import-rows.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';
import { keepName, nsBetween, parseStamp } from './log-text.ts';
import type { Stamp } from './log-text.ts';
import { parseLetters } from './request-letters.ts';
import { RequestJoin, Stage } from './request-join.ts';
import type { RequestStep } from './request-join.ts';

/*
 * The block tracepoints as `perf script`, `trace-cmd report` and ftrace's `trace` print them: the same
 * event text behind slightly different beginnings of the line. Times are those of the events, from a
 * clock that begins with the machine.
 */

/** `dd-1234 (1200) [001] d..1. 12.345678: ` and `dd 1200/1234 [001] 12.345678:  1 block:`. */
const TASK =
  /(?:-| )(\d+)(?:\/(\d+))? +(?:\( *(\d+|-+)\) +)?(?:\[\d+\] +)?(?:[^ \d][^ ]{3,5} +)?(\d+)\.(\d+):(?: +\d+)? +(?:block:)?$/;
/** All that stands between the name and the event. */
const TASK_CHARACTERS = 120;
const EVENT = /\b(block_(?:rq|bio|io)_[a-z]+|block_getrq|block_split): +(\d+,\d+) ([A-Z]+) (.*)$/;
/** Bytes and command where the event has them; I/O priority since Linux 6.11. */
const REQUEST = /^(?:\d+ )?(?:\(.*?\) )?(\d+) ([+/]) (\d+)(?: [^ [\]]+)? \[(.*)\]$/;

/** Other events, comments, call chains, blank lines. */
const OTHER =
  /^ *(?:#|$|cpus=\d+$|version = \d|CPU \d+ is empty)|\d\.\d+:(?: +\d+)? +[\w:-]+: |^\t* +[0-9a-f]+ /;
const LOST = /\[?LOST (\d+) EVENTS\]|PERF_RECORD_LOST lost (\d+)/;

const STAGES: Readonly<Record<string, Stage>> = {
  block_bio_queue: Stage.queued,
  block_getrq: Stage.allocated,
  block_io_start: Stage.started,
  block_rq_insert: Stage.inserted,
};

export const tracepoints: LogFormat = {
  name: 'tracepoints',
  isEvent: (line) => parseEvent(line) !== undefined,
  isHeading: (line) => /^# tracer: nop$|^cpus=\d+$/.test(line),
  open: (head) => openTracepoints(head),
};

interface ParsedEvent {
  readonly name: string;
  readonly stamp: Stamp;
  readonly owner: IoOwner | undefined;
  readonly device: string;
  readonly cmdFlags: number;
  readonly sector: number;
  /** Sectors, or the new sector of a split. */
  readonly count: number;
  readonly isSplit: boolean;
  /** What stands in brackets at the end: a name or an error. */
  readonly last: string;
}

function parseEvent(line: string): ParsedEvent | undefined {
  const event = EVENT.exec(line);
  if (event === null) return undefined;
  const [, name, device, letters, rest] = event as unknown as [
    string,
    string,
    string,
    string,
    string,
  ];
  const task = TASK.exec(line.slice(Math.max(0, event.index - TASK_CHARACTERS), event.index));
  const request = REQUEST.exec(rest);
  const cmdFlags = parseLetters(letters);
  if (task === null || request === null || cmdFlags === undefined) return undefined;
  const last = request[4]!;
  return {
    name,
    stamp: parseStamp(task[4]!, task[5]!),
    owner: ownerOf(task, keepName(last)),
    device,
    cmdFlags,
    sector: Number(request[1]),
    count: Number(request[3]),
    isSplit: request[2] === '/',
    last,
  };
}

/** Without a process id the thread's stands for it: both tools print threads unless told otherwise. */
function ownerOf(task: RegExpExecArray, comm: string): IoOwner {
  const [first, second, group] = [task[1]!, task[2], task[3]];
  const tid = Number(second ?? first);
  if (second !== undefined) return { tgid: Number(first), tid, comm };
  return { tgid: group === undefined || group.startsWith('-') ? tid : Number(group), tid, comm };
}

function openTracepoints(head: LogHead): OpenLog {
  const events = head.lines.map(parseEvent).filter((event) => event !== undefined);
  const names = new Set(events.map(({ name }) => name));
  const start = events[0]?.stamp ?? { seconds: 0, ns: 0 };
  const comment = (title: string) =>
    head.lines.find((line) => line.startsWith(`# ${title} : `))?.slice(title.length + 5);
  const host = comment('hostname');
  const kernel = comment('os release');
  return {
    writer: writerOf(head.lines),
    ...(host === undefined ? {} : { host }),
    ...(kernel === undefined ? {} : { kernel }),
    unknown: unknownFields(head.lines, names),
    startNs: BigInt(start.seconds) * 1_000_000_000n + BigInt(start.ns),
    parser: new TracepointParser(start, names.has('block_rq_complete')),
  };
}

function writerOf(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith('# tracer: '))) return 'ftrace';
  if (lines.some((line) => /^cpus=\d+$/.test(line))) return 'trace-cmd report';
  return lines.some((line) => / block:block_/.test(line)) ? 'perf script' : 'ftrace';
}

function unknownFields(lines: readonly string[], names: ReadonlySet<string>): TraceField[] {
  const unknown: TraceField[] = [];
  const starts = ['block_io_start', 'block_rq_insert', 'block_getrq', 'block_bio_queue'];
  if (!names.has('block_rq_issue') || !starts.some((name) => names.has(name)))
    unknown.push('queue');
  const hasProcess = lines.some((line) => /\d+\/\d+ +\[\d+\]|\( *\d+\) +\[\d+\]/.test(line));
  if (!hasProcess) unknown.push('pid');
  if (!names.has('block_rq_complete')) unknown.push('error');
  return unknown;
}

class TracepointParser implements LogParser {
  private readonly join = new RequestJoin();

  constructor(
    private readonly start: Stamp,
    private hasCompletions: boolean,
  ) {}

  line(text: string, out: LogSink): boolean {
    const event = parseEvent(text);
    if (event === undefined) return this.isOther(text, out);
    const step: RequestStep = {
      ns: nsBetween(this.start, event.stamp),
      dev: out.devices.numbered(event.device),
      cmdFlags: event.cmdFlags,
      sector: event.sector,
      sectors: event.isSplit ? 0 : event.count,
      owner: event.owner,
    };
    return this.take(event, step, out);
  }

  end(out: LogSink): void {
    this.join.end(out);
  }

  private take(event: ParsedEvent, step: RequestStep, out: LogSink): boolean {
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

  /** Without block_rq_complete, block_io_done or block_bio_complete tell of the end. */
  private takeCompletion(event: ParsedEvent, step: RequestStep, out: LogSink): boolean {
    const error = Number(event.last);
    if (event.name === 'block_rq_complete') {
      this.hasCompletions = true;
      return Number.isInteger(error) && this.join.complete(step, error, out);
    }
    const isEnd =
      event.name === 'block_io_done'
        ? !this.hasCompletions
        : event.name === 'block_bio_complete' && this.join.isSubmitted(step);
    return !isEnd || this.join.complete(step, Number.isInteger(error) ? error : 0, out);
  }

  private isOther(text: string, out: LogSink): boolean {
    const lost = LOST.exec(text);
    if (lost !== null) out.lose('lost by the tracer', Number(lost[1] ?? lost[2]));
    return lost !== null || (OTHER.test(text) && !EVENT.test(text));
  }
}
