import { ok } from '../../base/result.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { TraceField } from '../trace-reader.ts';
import type { IoOwner } from './imported-io.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';
import { firstTime } from './first-time.ts';
import { isPossibleSector } from './import-rows.ts';
import { keepName, nsBetween, parseStamp, trimSpaces } from './log-text.ts';
import type { Stamp } from './log-text.ts';
import { parseLetters } from './request-letters.ts';
import { parseLineStart } from './line-start.ts';
import { isPossibleStep, parseError, RequestJoin, Stage } from './request-join.ts';
import type { RequestStep } from './request-join.ts';

/*
 * blkparse's default output, and ftrace's `blk` tracer, which prints the same actions. Times are those of the
 * actions, in seconds since the start of the trace. Process ids are thread ids.
 */

const ACTION = '([A-Z]{1,2}) +([A-Z]{1,8})(?: (.*))?$';
/** `8,0    3       11     0.009507758   697  C   W 223490 + 8 [0]` */
const BLKPARSE = new RegExp(`^ *(\\d+,\\d+) +\\d+ +\\d+ +(\\d+)\\.(\\d+) +(\\d+) +${ACTION}`);
/** `dd-22007   [001] d..1. 13314.849586:   7,2    Q  WS 0 + 8 [dd]`, and in the latency format. */
const TRACER = new RegExp(`: +(\\d+,\\d+) +${ACTION}`);
/** A sector and a size if there are any; with `-t` the time since insertion; a name or an error. */
const PLACE = /^(\d+)(?: ([+/]) (\d+))?(?: \( *\d+\))?(?: \[(.*)\])?$/;
const REMAP = /^\d+ \+ \d+ <- /;

/** Messages of schedulers (`m`), and actions without a request: plugs, sleeps, bounces. */
const NOTE = /^ *\d+,\d+ +\d+ +\d+ +\d+\.\d+ +\d+ +m +N /;
const OTHER = /^(?:# .*|#|CPU \d+ is empty|cpus=\d+)?$|^CPU:\d+ \[LOST/;
const SUMMARY = /^CPU\d+ \(|^Throughput \(R\/W\)|^Total \(/;
const LOST = /\[LOST (\d+) EVENTS\]/;

/** blkparse prints this for a process whose name is not in the trace. */
const NAMELESS = '(null)';

export const blkparse: LogFormat = {
  name: 'blkparse',
  isEvent: (line) => parseAction(line)?.request !== undefined,
  isHeading: (line) => /^# tracer: blk$|^Throughput \(R\/W\)/.test(line),
  open: (head) => ok(openBlkparse(head)),
};

interface ParsedAction {
  readonly action: string;
  readonly stamp: Stamp;
  readonly device: string;
  /** Undefined for actions without a request. */
  readonly request: ParsedRequest | undefined;
}

interface ParsedRequest {
  readonly cmdFlags: number;
  readonly tid: number;
  readonly sector: number;
  readonly count: number;
  readonly last: string;
}

const REQUEST_ACTIONS = new Set(['Q', 'G', 'I', 'D', 'C', 'M', 'F', 'X', 'R']);
const OTHER_ACTIONS = new Set(['A', 'B', 'P', 'S', 'U', 'UT', 'T']);

function parseAction(line: string): ParsedAction | undefined {
  const fields = fieldsOf(line);
  if (fields === undefined) return undefined;
  const { device, stamp, tid, action, letters, rest } = fields;
  if (!REQUEST_ACTIONS.has(action)) {
    const isKnown = OTHER_ACTIONS.has(action);
    return isKnown ? { action, stamp, device, request: undefined } : undefined;
  }
  const request = parseRequest(letters, tid, rest);
  return request === undefined ? undefined : { action, stamp, device, request };
}

interface ActionFields {
  readonly device: string;
  readonly stamp: Stamp;
  readonly tid: number;
  readonly action: string;
  readonly letters: string;
  readonly rest: string;
}

function fieldsOf(line: string): ActionFields | undefined {
  const fields = BLKPARSE.exec(line);
  if (fields === null) return tracerFields(line);
  const [, device = '', seconds = '', fraction = '', tid, action = '', letters = '', rest = ''] =
    fields;
  return { device, stamp: parseStamp(seconds, fraction), tid: Number(tid), action, letters, rest };
}

/** The tracer prints the device after the time. */
function tracerFields(line: string): ActionFields | undefined {
  const fields = TRACER.exec(line);
  if (fields === null) return undefined;
  const start = parseLineStart(line.slice(0, fields.index + 1));
  if (start?.tid === undefined || start.kind === 'count') return undefined;
  const [, device = '', action = '', letters = '', rest = ''] = fields;
  return { device, stamp: start.stamp, tid: start.tid, action, letters, rest };
}

function parseRequest(letters: string, tid: number, rest: string): ParsedRequest | undefined {
  const cmdFlags = parseLetters(letters);
  if (cmdFlags === undefined || REMAP.test(rest)) return undefined;
  const text = trimSpaces(rest);
  const place = PLACE.exec(text);
  // Flushes and commands of drivers: `[kworker/0:1H]`, `36 (12 00 00) [dd]`.
  const open = text.indexOf('[');
  const name = open >= 0 && text.endsWith(']') ? text.slice(open + 1, -1) : undefined;
  if (place === null && name === undefined) return undefined;
  return {
    cmdFlags,
    tid,
    sector: place === null ? NaN : Number(place[1]),
    count: Number(place?.[3] ?? 0),
    last: place?.[4] ?? name ?? '',
  };
}

function openBlkparse(head: LogHead): OpenLog {
  const isTracer = head.lines.some((line) => TRACER.test(line));
  const actions = head.lines.map(parseAction).filter((action) => action?.request !== undefined);
  const stamps = isTracer ? actions.flatMap((action) => action?.stamp ?? []) : [];
  const start = firstTime(stamps) ?? { seconds: 0, ns: 0 };
  const unknown: TraceField[] = ['pid'];
  if (!actions.some((one) => one?.action === 'D' || one?.action === 'I')) unknown.push('queue');
  const names = actions.filter((one) => one?.action !== 'C').map((one) => one?.request?.last);
  if (names.every((name) => name === NAMELESS)) unknown.push('comm');
  return {
    writer: isTracer ? 'ftrace (blk)' : 'blkparse',
    unknown,
    startNs: BigInt(start.seconds) * 1_000_000_000n + BigInt(start.ns),
    parser: new BlkparseParser(start),
  };
}

class BlkparseParser implements LogParser {
  private readonly join = new RequestJoin();
  private isSummary = false;

  constructor(private readonly start: Stamp) {}

  line(text: string, out: LogSink): boolean {
    const action = parseAction(text);
    if (action === undefined) return this.isOther(text, out);
    if (action.request === undefined) return true;
    const { request } = action;
    const dev = out.devices.numbered(action.device);
    if (dev === undefined) return false;
    const step: RequestStep = {
      ns: nsBetween(this.start, action.stamp),
      dev,
      cmdFlags: request.cmdFlags,
      sector: request.sector >= 0 ? request.sector : 0,
      sectors: action.action === 'X' ? 0 : request.count,
      owner: ownerOf(request),
      unknown: IdentityMark.processUnknown,
    };
    const isPossible = isPossibleStep(step) && isPossibleSector(request.count);
    return isPossible && this.take(action.action, request, step, out);
  }

  end(out: LogSink): void {
    this.join.end(out);
  }

  private take(action: string, request: ParsedRequest, step: RequestStep, out: LogSink): boolean {
    const { join } = this;
    if (action === 'Q') join.submit(Stage.queued, step);
    else if (action === 'G') join.submit(Stage.allocated, step);
    else if (action === 'I') join.submit(Stage.inserted, step);
    else if (action === 'M') join.mergeBack(step);
    else if (action === 'F') join.mergeFront(step);
    else if (action === 'X') join.split(step, request.count);
    else if (action === 'R') join.requeue(step);
    else if (action === 'D') join.issue(step, out);
    else return this.complete(request, step, out);
    return true;
  }

  private complete(request: ParsedRequest, step: RequestStep, out: LogSink): boolean {
    const error = parseError(request.last);
    return error !== undefined && this.join.complete(step, signed(error), out);
  }

  private isOther(text: string, out: LogSink): boolean {
    this.isSummary ||= SUMMARY.test(text);
    const lost = LOST.exec(text);
    if (lost !== null) out.lose('lost by the tracer', Number(lost[1]));
    return this.isSummary || OTHER.test(text) || NOTE.test(text);
  }
}

/** blkparse prints the 16 bits of a negative errno as a positive number. */
function signed(error: number): number {
  return error > 0x7fff && error <= 0xffff ? error - 0x1_0000 : error;
}

function ownerOf({ tid, last }: ParsedRequest): IoOwner {
  return { tgid: tid, tid, comm: last === NAMELESS ? '' : keepName(last) };
}
