import { biosnoop } from './biosnoop.ts';
import { blkparse } from './blkparse.ts';
import { bpftraceBiosnoop } from './bpftrace-biosnoop.ts';
import type { LogFormat } from './log-format.ts';
import { withoutMark } from './line-splitter.ts';
import { tracepoints } from './tracepoints.ts';

const FORMATS: readonly LogFormat[] = [biosnoop, blkparse, tracepoints, bpftraceBiosnoop];

/** A log that shows no known line within so many bytes is foreign. */
export const RECOGNISE_BYTES = 1 << 16;

/**
 * The format of a log by its first bytes, whatever its name; undefined when none is seen in them,
 * which more bytes may change up to `RECOGNISE_BYTES`. A heading alone is enough only when nothing
 * follows (`isWhole`): what the first event tells belongs to the header.
 */
export function recognise(firstBytes: Uint8Array, isWhole = false): LogFormat | undefined {
  const lines = headLines(firstBytes, isWhole);
  return bestOf(lines, 'isEvent') ?? (isWhole ? bestOf(lines, 'isHeading') : undefined);
}

/** Whole lines among the first bytes, one character per byte. */
export function headLines(firstBytes: Uint8Array, isWhole: boolean): string[] {
  const length = Math.min(firstBytes.length, RECOGNISE_BYTES);
  const text = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, length).toString('latin1');
  const lines = withoutMark(text)
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return isWhole && length === firstBytes.length ? lines : lines.slice(0, -1);
}

/** Most lines win: other programs' messages may stand between. */
function bestOf(lines: readonly string[], kind: 'isEvent' | 'isHeading'): LogFormat | undefined {
  let best: LogFormat | undefined;
  let most = 0;
  for (const format of FORMATS) {
    const count = lines.filter((line) => format[kind](line)).length;
    if (count <= most) continue;
    best = format;
    most = count;
  }
  return best;
}
