import { NS_PER_MS } from '../../base/time.ts';
import { ok } from '../../base/result.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { TraceField } from '../trace-reader.ts';
import { DayClock, secondsOfDay } from './day-clock.ts';
import { firstTime } from './first-time.ts';
import type { IoOwner } from './imported-io.ts';
import { opOfEmpty } from './import-rows.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';
import { durationNs, nsBetween, parseStamp, trimSpaces, trimSpacesAtEnd } from './log-text.ts';
import type { Stamp } from './log-text.ts';
import { splitFields } from './line-fields.ts';
import type { LineField } from './line-fields.ts';
import { OP_UNKNOWN } from '../../model/operation.ts';
import { parseLetters } from './request-letters.ts';

/*
 * biosnoop of bcc (Python and Lua) and of libbpf-tools, with all columns of their various versions. The time is
 * that of the completion; LAT(ms) is from issue to completion, QUE(ms) from submission to issue. Both tools
 * truncate names to 14 characters, and a name may contain anything, so lines are parsed from their right end, where
 * the number of fields is fixed. ioheat's own export has the columns of bcc, with `?` and -1 for unknown values.
 */

/** Time of day or seconds; the fraction is a separate group. */
const TIME = /^ *(\d\d:\d\d:\d\d|\d+)\.(\d{1,9}) /;
const WHOLE = /^\d+$/;
const COUNT = /^(?:\d+|-1)$/;
const DECIMAL = /^(?:-?\d+\.\d+|-1)$/;
const SECTOR = /^-?\d+$/;
const LETTERS = /^(?:[A-Z]{1,8}|\?)$/;
const PATTERN = /^[SR?]$/;

const HEADING =
  /^ *TIME(?:STAMP|\(s\))? +(COMM +PID|PID +COMM) +DISK +T +SECTOR +BYTES(?: +P)?( +QUE\(ms\))? +LAT\(ms\) *$/;

/** `event.name[0] = '?'` of both tools: the request was never seen at submission. */
const NOBODY = '?';
const NO_DISKS = new Set(['Unknown', '<unknown>', '?']);
const NO_NUMBER = '-1';

/** Printed to stderr when the perf buffer overran; many logs include stderr. */
const LOST = /^(?:Possibly l|L|l)ost (\d+) (?:events on CPU #\d+|samples)/;

type Order = 'comm first' | 'pid first';

interface ParsedLine {
  /** Seconds or time of day. */
  readonly whole: string;
  readonly fraction: string;
  readonly pid: string;
  readonly comm: string;
  readonly disk: string | undefined;
  readonly letters: string;
  readonly sector: string;
  readonly bytes: string;
  readonly queue: string | undefined;
  readonly latency: string;
}

function parseLine(line: string, order: Order): ParsedLine | undefined {
  const time = TIME.exec(line);
  if (time === null) return undefined;
  const fields = splitFields(line, time[0].length);
  const take = (pattern: RegExp) => {
    return pattern.test(fields.at(-1)?.text ?? '') ? fields.pop()?.text : undefined;
  };
  const latency = take(DECIMAL);
  const queue = take(DECIMAL);
  take(PATTERN);
  const [bytes, sector, letters] = [take(COUNT), take(SECTOR), take(LETTERS)];
  const owner = order === 'pid first' ? pidFirst(line, fields) : commFirst(line, fields);
  if (latency === undefined || bytes === undefined || sector === undefined) return undefined;
  if (letters === undefined || owner === undefined) return undefined;
  const [whole, fraction] = [time[1]!, time[2]!];
  return { whole, fraction, ...owner, letters, sector, bytes, queue, latency };
}

type Owner = Pick<ParsedLine, 'pid' | 'comm' | 'disk'>;

/** Until 2022, the field of an unknown disk was empty. */
function commFirst(line: string, fields: readonly LineField[]): Owner | undefined {
  const first = fields[0];
  const [before, last] = [fields.at(-2), fields.at(-1)];
  const hasDisk = before !== undefined && COUNT.test(before.text);
  const pid = hasDisk ? before : last;
  if (first === undefined || pid === undefined || !COUNT.test(pid.text)) return undefined;
  const comm = trimSpacesAtEnd(line.slice(first.from, pid.from));
  return { pid: pid.text, comm, disk: hasDisk ? last?.text : undefined };
}

function pidFirst(line: string, fields: readonly LineField[]): Owner | undefined {
  const [pid, disk] = [fields[0], fields.at(-1)];
  if (pid === undefined || disk === undefined || fields.length < 2) return undefined;
  if (!WHOLE.test(pid.text)) return undefined;
  return { pid: pid.text, comm: trimSpaces(line.slice(pid.to, disk.from)), disk: disk.text };
}

export const biosnoop: LogFormat = {
  name: 'biosnoop',
  isEvent: (line) => orderOf(line) !== undefined,
  isHeading: (line) => HEADING.test(line),
  open: (head) => ok(openBiosnoop(head)),
};

function orderOf(line: string): Order | undefined {
  if (parseLine(line, 'comm first') !== undefined) return 'comm first';
  return parseLine(line, 'pid first') === undefined ? undefined : 'pid first';
}

function openBiosnoop(head: LogHead): OpenLog {
  const heading = head.lines.find(biosnoop.isHeading);
  const first = head.lines.find(biosnoop.isEvent);
  const order = orderIn(heading, first);
  const events = head.lines.flatMap((line) => parseLine(line, order) ?? []);
  const parsed = first === undefined ? undefined : parseLine(first, order);
  const libbpf = isLibbpf(heading, first);
  const days = new DayClock(head.writtenMs);
  const parser = new BiosnoopParser({ order, libbpf }, days);
  const start = parser.startAt(events);
  const hasWall = start !== undefined && parsed?.whole.includes(':') === true;
  return {
    writer: order === 'pid first' ? 'biosnoop' : `biosnoop (${libbpf ? 'libbpf-tools' : 'bcc'})`,
    unknown: unknownFields(heading, parsed, libbpf),
    startNs: 0n,
    ...(hasWall ? { wallNs: days.wallNsOf(start) } : {}),
    parser,
  };
}

function orderIn(heading: string | undefined, first: string | undefined): Order {
  if (heading !== undefined) return /PID +COMM/.test(heading) ? 'pid first' : 'comm first';
  return (first === undefined ? undefined : orderOf(first)) ?? 'comm first';
}

/** libbpf-tools also prints the flags, in a wider column, and one more digit. */
function isLibbpf(heading: string | undefined, first: string | undefined): boolean {
  if (heading !== undefined) return / T {4}SECTOR/.test(heading);
  return first !== undefined && /\.\d{3} *$/.test(first);
}

function unknownFields(
  heading: string | undefined,
  first: ParsedLine | undefined,
  libbpf: boolean,
): TraceField[] {
  const hasQueue = heading === undefined ? first?.queue !== undefined : heading.includes('QUE(ms)');
  const unknown: TraceField[] = hasQueue ? [] : ['queue'];
  if (!libbpf) unknown.push('flags');
  return [...unknown, 'tid', 'error'];
}

interface Layout {
  readonly order: Order;
  /** The log is from libbpf-tools, which also prints the flags. */
  readonly libbpf: boolean;
}

class BiosnoopParser implements LogParser {
  private start: Stamp | undefined;

  constructor(
    private layout: Layout,
    private readonly days: DayClock,
  ) {}

  startAt(events: readonly ParsedLine[]): Stamp | undefined {
    const [first] = events;
    // A time of day is of the day of the line before, and at most a day.
    const counted = first?.whole.includes(':') === true ? [first] : events;
    this.start = firstTime(counted.flatMap((event) => this.stampOf(event) ?? []));
    return this.start;
  }

  line(text: string, out: LogSink): boolean {
    const parsed = parseLine(text, this.layout.order);
    if (parsed === undefined) return this.isOther(text, out);
    const stamp = this.stampOf(parsed);
    const cmdFlags = parsed.letters === NOBODY ? OP_UNKNOWN : parseLetters(parsed.letters);
    if (stamp === undefined || cmdFlags === undefined || !hasPossibleTimes(parsed)) return false;
    this.start ??= stamp;
    const owner = ownerOf(parsed);
    const disk = NO_DISKS.has(parsed.disk ?? NOBODY) ? undefined : parsed.disk;
    // When the submission was not seen, the printed sector is meaningless.
    const isUnseen = owner === undefined && disk === undefined && parsed.disk !== NOBODY;
    const sector = isUnseen ? NaN : Number(parsed.sector);
    const hasBytes = parsed.bytes !== NO_NUMBER;
    const bytes = hasBytes ? Number(parsed.bytes) : 0;
    return out.rows.add({
      completeNs: nsBetween(this.start, stamp),
      deviceNs: durationNs(parsed.latency, NS_PER_MS),
      queueNs: this.queueNs(parsed.queue),
      sector,
      bytes,
      dev: disk === undefined ? out.devices.unnamed() : out.devices.named(disk),
      cmdFlags: hasBytes ? opOfEmpty(cmdFlags, sector, bytes) : cmdFlags,
      error: 0,
      owner,
      unknown: this.unknownOf(parsed, hasBytes),
    });
  }

  end(): void {
    this.start = undefined;
  }

  private isOther(text: string, out: LogSink): boolean {
    const lost = LOST.exec(text);
    if (lost !== null) out.lose('lost by biosnoop', Number(lost[1]));
    const isHeading = HEADING.test(text);
    // The heading of another log, which may have other columns.
    if (isHeading)
      this.layout = { order: orderIn(text, undefined), libbpf: isLibbpf(text, undefined) };
    return lost !== null || text.trim() === '' || isHeading;
  }

  private unknownOf({ pid }: ParsedLine, hasBytes: boolean): number {
    return (
      IdentityMark.errorUnknown |
      (this.layout.libbpf ? 0 : IdentityMark.flagsUnknown) |
      (pid === NO_NUMBER ? IdentityMark.processUnknown : 0) |
      (hasBytes ? 0 : IdentityMark.sizeUnknown)
    );
  }

  /**
   * Unknown when absent, when -1, and when exactly 0 in libbpf-tools, which prints that for every request of a disk
   * without a scheduler, where the time is not taken.
   */
  private queueNs(text: string | undefined): number {
    const isNone = text === undefined || (this.layout.libbpf && text === '0.000');
    return isNone ? NaN : durationNs(text, NS_PER_MS);
  }

  private stampOf({ whole, fraction }: ParsedLine): Stamp | undefined {
    if (!whole.includes(':')) return parseStamp(whole, fraction);
    const seconds = secondsOfDay(whole);
    return seconds === undefined
      ? undefined
      : this.days.stamp(seconds, parseStamp('0', fraction).ns);
  }
}

/** The tools print -1, or -1.000, for a time that they do not have. */
function hasPossibleTimes({ queue = NO_NUMBER, latency }: ParsedLine): boolean {
  return [queue, latency].every((text) => Number(text) >= 0 || Number(text) === -1);
}

function ownerOf({ comm, pid }: ParsedLine): IoOwner | undefined {
  const tgid = pid === NO_NUMBER ? 0 : Number(pid);
  if (comm === NOBODY && tgid === 0) return undefined;
  return { tgid, tid: tgid, comm: comm === NOBODY ? '' : comm };
}
