import type { TraceField } from '../source/trace-reader.ts';
import { DayClock, secondsOfDay, wallNsOf } from './day-clock.ts';
import type { IoOwner } from './import-rows.ts';
import { opOfEmpty } from './import-rows.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';
import { durationNs, nsBetween, parseStamp } from './log-text.ts';
import type { Stamp } from './log-text.ts';
import { parseLetters } from './request-letters.ts';

/*
 * biosnoop of bcc (Python and Lua) and of libbpf-tools, all columns that they have had. The time is
 * that of the completion; LAT(ms) runs from the issue to the device, QUE(ms) from the submission to
 * that issue. Both tools cut names after 14 characters, and a name may hold anything: lines are read
 * from their right end, where the number of fields is fixed.
 */

const NS_PER_MS = 1e6;

/** Time of day or seconds; the fraction in groups of their own. */
const TIME = '(\\d\\d:\\d\\d:\\d\\d|\\d+)\\.(\\d{1,9})';
const REQUEST = '([A-Z]{1,8}) +(-?\\d+) +(\\d+)(?: +([SR?]))?(?: +(-?[\\d.]+))? +([\\d.]+) *$';
/** Before 2022 a disk that was not known left its field empty. */
const COMM_FIRST = new RegExp(`^ *${TIME} +(?:(.*[^ ]) +)?(\\d+) +(?:([^ ]+) +)?${REQUEST}`);
const PID_FIRST = new RegExp(`^ *${TIME} +(\\d+) +(?:(.*[^ ]) +)?([^ ]+) +${REQUEST}`);

const HEADING =
  /^ *TIME(?:STAMP|\(s\))? +(COMM +PID|PID +COMM) +DISK +T +SECTOR +BYTES(?: +P)?( +QUE\(ms\))? +LAT\(ms\) *$/;

/** `event.name[0] = '?'` of both tools: the request was never seen at submission. */
const NOBODY = '?';
const NO_DISKS = new Set(['Unknown', '<unknown>']);

/** Printed when the perf buffer overran; goes to stderr, which many logs take in as well. */
const LOST = /^(?:Possibly l|L|l)ost (\d+) (?:events on CPU #\d+|samples)/;

export const biosnoop: LogFormat = {
  name: 'biosnoop',
  isEvent: (line) => COMM_FIRST.test(line) || PID_FIRST.test(line),
  isHeading: (line) => HEADING.test(line),
  open: (head) => openBiosnoop(head),
};

function openBiosnoop(head: LogHead): OpenLog {
  const heading = head.lines.find(biosnoop.isHeading);
  const first = head.lines.find(biosnoop.isEvent);
  const pidFirst =
    heading === undefined
      ? first !== undefined && !COMM_FIRST.test(first)
      : /PID +COMM/.test(heading);
  const pattern = pidFirst ? PID_FIRST : COMM_FIRST;
  const parser = new BiosnoopParser(pattern, pidFirst);
  const libbpf = isLibbpf(heading, first);
  const start = parser.startOf(first);
  const wall = start !== undefined && first !== undefined && /^ *\d\d:/.test(first);
  return {
    writer: pidFirst ? 'biosnoop' : `biosnoop (${libbpf ? 'libbpf-tools' : 'bcc'})`,
    unknown: unknownFields(heading, first, pattern, libbpf),
    startNs: 0n,
    ...(wall ? { wallNs: wallNsOf(start, head.writtenMs) } : {}),
    parser,
  };
}

/** libbpf-tools prints the flags too, in a wider column, and one digit more. */
function isLibbpf(heading: string | undefined, first: string | undefined): boolean {
  if (heading !== undefined) return / T {4}SECTOR/.test(heading);
  return first !== undefined && /\.\d{3} *$/.test(first);
}

function unknownFields(
  heading: string | undefined,
  first: string | undefined,
  pattern: RegExp,
  libbpf: boolean,
): TraceField[] {
  const hasQueue =
    heading === undefined
      ? first !== undefined && pattern.exec(first)?.[10] !== undefined
      : heading.includes('QUE(ms)');
  const unknown: TraceField[] = hasQueue ? [] : ['queue'];
  if (!libbpf) unknown.push('flags');
  return [...unknown, 'tid', 'error'];
}

class BiosnoopParser implements LogParser {
  private readonly days = new DayClock();
  private start: Stamp | undefined;

  constructor(
    private readonly pattern: RegExp,
    private readonly pidFirst: boolean,
  ) {}

  startOf(first: string | undefined): Stamp | undefined {
    const fields = first === undefined ? null : this.pattern.exec(first);
    this.start = fields === null ? undefined : this.stampOf(fields);
    return this.start;
  }

  line(text: string, out: LogSink): boolean {
    const fields = this.pattern.exec(text);
    if (fields === null) return this.isOther(text, out);
    const stamp = this.stampOf(fields);
    const cmdFlags = parseLetters(fields[6]!);
    if (stamp === undefined || cmdFlags === undefined) return false;
    this.start ??= stamp;
    const owner = this.ownerOf(fields);
    const isNobodys = owner === undefined && (fields[5] === undefined || NO_DISKS.has(fields[5]));
    const sector = isNobodys ? NaN : Number(fields[7]);
    const bytes = Number(fields[8]);
    return out.rows.add({
      completeNs: nsBetween(this.start, stamp),
      deviceNs: durationNs(fields[11]!, NS_PER_MS),
      queueNs: queueNs(fields[10]),
      sector,
      bytes,
      dev: out.devices.named(fields[5] ?? '<unknown>'),
      cmdFlags: opOfEmpty(cmdFlags, sector, bytes),
      error: 0,
      owner,
    });
  }

  end(): void {
    this.start = undefined;
  }

  private isOther(text: string, out: LogSink): boolean {
    const lost = LOST.exec(text);
    if (lost !== null) out.lose('lost by biosnoop', Number(lost[1]));
    return lost !== null || text.trim() === '' || HEADING.test(text);
  }

  private stampOf(fields: RegExpExecArray): Stamp | undefined {
    const [, whole, fraction] = fields as unknown as [string, string, string];
    if (!whole.includes(':')) return parseStamp(whole, fraction);
    const seconds = secondsOfDay(whole);
    return seconds === undefined
      ? undefined
      : this.days.stamp(seconds, parseStamp('0', fraction).ns);
  }

  private ownerOf(fields: RegExpExecArray): IoOwner | undefined {
    const comm = fields[this.pidFirst ? 4 : 3] ?? '';
    const tgid = Number(fields[this.pidFirst ? 3 : 4]);
    if (comm === NOBODY && tgid === 0) return undefined;
    return { tgid, tid: tgid, comm };
  }
}

/**
 * Nothing, -1, and what libbpf-tools prints for every request of a disk without scheduler: exactly 0,
 * where the time was not taken.
 */
function queueNs(text: string | undefined): number {
  return text === undefined || text === '0.000' ? NaN : durationNs(text, NS_PER_MS);
}
