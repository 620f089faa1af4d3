import { ok } from '../../base/result.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { IdentityMark } from '../../model/identity.ts';
import { OP_UNKNOWN } from '../../model/operation.ts';
import type { TraceField } from '../trace-reader.ts';
import { firstTime } from './first-time.ts';
import type { LogFormat, LogHead, LogParser, LogSink, OpenLog } from './log-format.ts';

/*
 * The input of trace2heatmap.pl: a time and a value per line, after at most one heading, which that program skips
 * if it contains letters. In ioheat's own exports it names value and units; without it both columns are taken as
 * µs, as in that program's example.
 */

const NUMBER = '\\d{1,16}(?:\\.\\d{1,9})?';
const LINE = new RegExp(`^(${NUMBER})[ \\t]+(${NUMBER})$`);
const HEADING =
  /^time\((s|ms|us|ns)\)\s+(device|queue|total|size|offset|file-offset)\((s|ms|us|ns|bytes)\)$/i;

const UNIT_NS: Readonly<Record<string, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

export const trace2heatmap: LogFormat = {
  name: 'trace2heatmap',
  isEvent: (line) => LINE.test(line),
  isHeading: (line) => HEADING.test(line),
  open: (head) => ok(openTrace2heatmap(head)),
};

/**
 * The first time, from which times count. Without a heading, times may be of any clock: since the start of a machine,
 * they can exceed 2^53 ns.
 */
function startOf(lines: readonly string[]): number {
  const times = lines.flatMap((line) => LINE.exec(line)?.[1] ?? []);
  const stamps = times.map((time) => ({ seconds: Number(time) / 1e6, ns: 0, time: Number(time) }));
  return firstTime(stamps)?.time ?? 0;
}

type Value = 'device' | 'queue' | 'total' | 'size' | 'offset' | 'file-offset';

interface Columns {
  readonly timeNs: number;
  readonly value: Value;
  /** Ns or bytes per unit of the value. */
  readonly unit: number;
}

function openTrace2heatmap({ lines }: LogHead): OpenLog {
  const heading = lines.map((line) => HEADING.exec(line)).find((found) => found !== null);
  const columns = columnsOf(heading ?? undefined);
  const units = heading === undefined ? ' (units taken for µs)' : '';
  return {
    writer: `trace2heatmap input${units}`,
    unknown: lackedBy(columns.value),
    ...(columns.value === 'total' ? { latency: 'total' as const } : {}),
    startNs: 0n,
    parser: new Trace2heatmapParser(columns, heading === undefined ? startOf(lines) : 0),
  };
}

function columnsOf(heading: RegExpExecArray | undefined): Columns {
  if (heading === undefined) return { timeNs: 1e3, value: 'device', unit: 1e3 };
  const [, time = '', value = '', unit = ''] = heading.map((part) => part.toLowerCase());
  return { timeNs: UNIT_NS[time] ?? 1, value: value as Value, unit: UNIT_NS[unit] ?? 1 };
}

const ALL: readonly TraceField[] = [
  ...(['disk', 'op', 'device', 'queue', 'sector', 'bytes', 'pid', 'tid', 'comm'] as const),
  ...(['flags', 'error'] as const),
];
/** The total latency and the offset in a file are not fields of logs. */
const FIELD_OF: Readonly<Record<Value, TraceField | undefined>> = {
  device: 'device',
  queue: 'queue',
  total: undefined,
  size: 'bytes',
  offset: 'sector',
  'file-offset': undefined,
};

function lackedBy(value: Value): TraceField[] {
  return ALL.filter((field) => field !== FIELD_OF[value]);
}

const { flagsUnknown, errorUnknown, sizeUnknown } = IdentityMark;

class Trace2heatmapParser implements LogParser {
  private hasHeading = false;

  constructor(
    private readonly columns: Columns,
    private readonly start: number,
  ) {}

  line(text: string, out: LogSink): boolean {
    const found = LINE.exec(text);
    if (found === null) return this.isOther(text);
    const [, time, number] = found;
    const { timeNs, value, unit } = this.columns;
    const amount = Math.round(Number(number) * unit);
    const only = (one: Value): number => (one === value ? amount : NaN);
    const isSize = value === 'size';
    return out.rows.add({
      completeNs: Math.round((Number(time) - this.start) * timeNs),
      deviceNs: only('device'),
      queueNs: only('queue'),
      ...(value === 'total' && { totalNs: amount }),
      sector: only('offset') / SECTOR_BYTES,
      fileOffset: only('file-offset'),
      bytes: isSize ? amount : 0,
      dev: out.devices.unnamed(),
      cmdFlags: OP_UNKNOWN,
      error: 0,
      owner: undefined,
      unknown: flagsUnknown | errorUnknown | (isSize ? 0 : sizeUnknown),
    });
  }

  end(): void {
    // Every line stands alone.
  }

  /** trace2heatmap.pl also skips a first line with letters. */
  private isOther(text: string): boolean {
    if (text.trim() === '') return true;
    const isFirst = !this.hasHeading;
    this.hasHeading = true;
    return isFirst && /[a-z]/i.test(text);
  }
}
