import { OP_UNKNOWN } from './request-letters.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';

/*
 * biosnoop.bt of bpftrace: whole milliseconds, cut off, from the submission to the completion, and
 * neither operation nor place. The disk came in 2021 by name and is a number since 2025; before that
 * there was none.
 */

const NS_PER_MS = 1e6;

const HEADING = /^TIME\(ms\) +(?:(DISK(?: ID)?) +)?COMM +PID +LAT\(ms\) *$/;
const SECOND_HEADING = /^ +MAJOR MINOR *$/;
const ATTACHING = /^Attach(?:ing|ed) \d+ probes?/;

const NO_DISK = /^(\d+) +()()(.*[^ ]) +(\d+) +(\d+) *$/;
const DISK_NAME = /^(\d+) +([^ ]+) +()(.*[^ ]) +(\d+) +(\d+) *$/;
const DISK_NUMBER = /^(\d+) +(\d+) +(\d+) +(.*[^ ]) +(\d+) +(\d+) *$/;

export const bpftraceBiosnoop: LogFormat = {
  name: 'biosnoop.bt',
  // Lines alone look like anything: the heading tells.
  isEvent: (line) => HEADING.test(line),
  isHeading: (line) => HEADING.test(line),
  open: (head) => openBpftrace(head),
};

function openBpftrace(head: LogHead): OpenLog {
  const heading = head.lines.map((line) => HEADING.exec(line)).find((found) => found !== null);
  const disk = heading?.[1];
  return {
    writer: 'biosnoop.bt (bpftrace)',
    unknown: ['queue', 'sector', 'bytes', 'tid', 'flags', 'error'],
    startNs: 0n,
    parser: new BpftraceParser(
      disk === undefined ? NO_DISK : disk === 'DISK' ? DISK_NAME : DISK_NUMBER,
    ),
  };
}

class BpftraceParser implements LogParser {
  constructor(private readonly pattern: RegExp) {}

  line(text: string, out: LogSink): boolean {
    const fields = this.pattern.exec(text);
    if (fields === null)
      return [HEADING, SECOND_HEADING, ATTACHING].some((known) => known.test(text)) || text === '';
    const [, time, disk, minor, comm, pid, latency] = fields as unknown as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const tgid = Number(pid);
    return out.rows.add({
      completeNs: Number(time) * NS_PER_MS,
      deviceNs: Number(latency) * NS_PER_MS,
      queueNs: NaN,
      sector: NaN,
      bytes: 0,
      dev: devOf(out, disk, minor),
      cmdFlags: OP_UNKNOWN,
      error: 0,
      owner: { tgid, tid: tgid, comm },
    });
  }

  end(): void {
    // Each line is complete in itself.
  }
}

function devOf(out: LogSink, disk: string, minor: string): number {
  if (disk === '') return out.devices.named('(any disk)');
  return minor === '' ? out.devices.named(disk) : out.devices.numbered(`${disk},${minor}`);
}
