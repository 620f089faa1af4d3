import { NS_PER_MS } from '../../base/time.ts';
import { splitFields } from './line-fields.ts';
import { trimSpacesAtEnd } from './log-text.ts';
import { ok } from '../../base/result.ts';
import { IdentityMark } from '../../model/identity.ts';
import { OP_UNKNOWN } from '../../model/operation.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';

/*
 * biosnoop.bt of bpftrace: latencies in whole milliseconds, rounded down, from submission to completion, without
 * operation or sector. The disk was absent at first, a name since 2021, and a number since 2025.
 */

const HEADING = /^TIME\(ms\) +(?:(DISK(?: ID)?) +)?COMM +PID +LAT\(ms\) *$/;
const SECOND_HEADING = /^ +MAJOR MINOR *$/;
const ATTACHING = /^Attach(?:ing|ed) \d+ probes?/;

/** Most I/Os of fast disks: without the note, `0ns` would look like a measurement. */
const BELOW_STEP = 'latencies below 1ms, which the log has as 0';

const WHOLE = /^\d+$/;

export const bpftraceBiosnoop: LogFormat = {
  name: 'biosnoop.bt',
  // Single lines are too unspecific, so the heading identifies the format.
  isEvent: (line) => HEADING.test(line),
  isHeading: (line) => HEADING.test(line),
  open: (head) => ok(openBpftrace(head)),
};

function openBpftrace(head: LogHead): OpenLog {
  const heading = head.lines.map((line) => HEADING.exec(line)).find((found) => found !== null);
  const disk = heading?.[1];
  return {
    writer: 'biosnoop.bt (bpftrace)',
    unknown: [...(disk === undefined ? ['disk' as const] : []), ...NOT_IN_LOG],
    latency: 'total',
    startNs: 0n,
    parser: new BpftraceParser(disk === undefined ? 0 : disk === 'DISK' ? 1 : 2),
  };
}

const NOT_IN_LOG = [
  ...(['op', 'device', 'queue', 'sector', 'bytes'] as const),
  ...(['tid', 'flags', 'error'] as const),
];
const { flagsUnknown, errorUnknown, sizeUnknown } = IdentityMark;

class BpftraceParser implements LogParser {
  /** Number of fields for the disk: absent, a name, or two numbers. */
  constructor(private readonly diskFields: 0 | 1 | 2) {}

  line(text: string, out: LogSink): boolean {
    const fields = splitFields(text, 0);
    const disk = fields.slice(1, 1 + this.diskFields).map((field) => field.text);
    const name = fields[1 + this.diskFields];
    const [time, pid, latency] = [fields[0], fields.at(-2), fields.at(-1)];
    const isWhole = fields.length >= 4 + this.diskFields && text.charAt(0) !== ' ';
    const numbers = [time?.text, pid?.text, latency?.text, ...(disk.length === 2 ? disk : [])];
    if (!isWhole || !numbers.every((number) => WHOLE.test(number ?? ''))) return isOther(text);
    const tgid = Number(pid?.text);
    const dev = devOf(out, disk);
    if (dev === undefined) return false;
    const totalNs = Number(latency?.text) * NS_PER_MS;
    if (totalNs === 0) out.problems.add(BELOW_STEP, out.where());
    return out.rows.add({
      completeNs: Number(time?.text) * NS_PER_MS,
      deviceNs: NaN,
      queueNs: NaN,
      totalNs,
      sector: NaN,
      bytes: 0,
      dev,
      cmdFlags: OP_UNKNOWN,
      error: 0,
      owner: { tgid, tid: tgid, comm: trimSpacesAtEnd(text.slice(name?.from, pid?.from)) },
      unknown: flagsUnknown | errorUnknown | sizeUnknown,
    });
  }

  end(): void {
    // Every line stands alone.
  }
}

function isOther(text: string): boolean {
  return text === '' || [HEADING, SECOND_HEADING, ATTACHING].some((known) => known.test(text));
}

function devOf(out: LogSink, [name, minor]: readonly string[]): number | undefined {
  if (name === undefined) return out.devices.unnamed();
  return minor === undefined ? out.devices.named(name) : out.devices.numbered(`${name},${minor}`);
}
