import { biosnoop } from './biosnoop.ts';
import { blkparse } from './blkparse.ts';
import { bpftraceBiosnoop } from './bpftrace-biosnoop.ts';
import type { LogFormat } from './log-format.ts';
import { withoutMark } from './line-splitter.ts';
import { hasMargin, mended, MENDINGS } from './mail-lines.ts';
import type { LineMender } from './mail-lines.ts';
import { trace2heatmap } from './trace2heatmap.ts';
import { tracepoints } from './tracepoints.ts';

export const FORMATS: readonly LogFormat[] = [biosnoop, blkparse, tracepoints, bpftraceBiosnoop];

/** A log without a known line in this many bytes is not supported. */
export const RECOGNISE_BYTES = 1 << 16;

export interface Recognised {
  readonly format: LogFormat;
  /** The first lines, after mending. */
  readonly lines: readonly string[];
  /** Undoes what a mail program did to the lines; absent when nothing has to be undone. */
  readonly mender?: LineMender;
}

/**
 * Finds the format of a log from its first bytes, regardless of its name; undefined when none is recognized, which
 * may change with more bytes, up to `RECOGNISE_BYTES`. A heading alone is enough only when nothing follows
 * (`isWhole`), because the header needs data from the first event.
 */
export function recognise(firstBytes: Uint8Array, isWhole = false): Recognised | undefined {
  const lines = headLines(firstBytes, isWhole);
  const plain = bestOf(lines, 'isEvent');
  // A small tolerance, because a line that is incomplete at the end counts as unreadable only in some formats.
  const isClean = plain !== undefined && plain.count * CLEAN_SHARE >= linesWithText(lines);
  const mail = isClean ? undefined : mendedFormat(lines, plain?.count ?? 0);
  if (mail !== undefined) return mail;
  if (plain !== undefined) return { format: plain.format, lines };
  if (isTwoColumns(lines)) return { format: trace2heatmap, lines };
  const heading = isWhole ? bestOf(lines, 'isHeading') : undefined;
  return heading && { format: heading.format, lines };
}

const CLEAN_SHARE = 1.01;

/** The complete lines of the first bytes, one character per byte. */
function headLines(firstBytes: Uint8Array, isWhole: boolean): string[] {
  const length = Math.min(firstBytes.length, RECOGNISE_BYTES);
  const text = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, length).toString('latin1');
  const lines = withoutMark(text)
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return isWhole && length === firstBytes.length ? lines : lines.slice(0, -1);
}

function linesWithText(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== '').length;
}

interface Found {
  readonly format: LogFormat;
  readonly count: number;
}

/** The format with most readable lines wins, because messages of other programs may be in between. */
function bestOf(lines: readonly string[], kind: 'isEvent' | 'isHeading'): Found | undefined {
  let best: Found | undefined;
  for (const format of FORMATS) {
    const count = lines.filter((line) => format[kind](line)).length;
    if (count > (best?.count ?? 0)) best = { format, count };
  }
  return best;
}

interface Mended extends Found {
  readonly found: Recognised;
  readonly unread: number;
}

/** The mending that makes most lines readable, if those are more than without mending. */
function mendedFormat(lines: readonly string[], plain: number): Recognised | undefined {
  let best: Mended | undefined;
  for (const mending of MENDINGS.filter((one) => !one.isWrapped || hasMargin(lines)))
    for (const format of FORMATS) {
      const fresh = mended(lines, mending.create(format.isEvent));
      const count = fresh.filter((line) => format.isEvent(line)).length;
      const unread = linesWithText(fresh) - count;
      const before = best ?? { count: plain, unread: linesWithText(lines) - plain };
      // A wrapped line may have been readable without its last column; joined, there is one unreadable line less.
      const mayTie = mending.isWrapped && !mending.isEncoded && count > 0;
      const isTie = mayTie && count === before.count;
      if (!(count > before.count || (isTie && unread < before.unread))) continue;
      const mender = mending.create(format.isEvent);
      best = { format, count, unread, found: { format, lines: fresh, mender } };
    }
  return best?.found;
}

/** These lines have no other mark, so the log must contain nothing else except one heading. */
function isTwoColumns(lines: readonly string[]): boolean {
  const [first, ...others] = lines.filter((line) => line.trim() !== '');
  if (first === undefined) return false;
  const isHead = trace2heatmap.isHeading(first) || trace2heatmap.isEvent(first);
  return isHead && others.every((line) => trace2heatmap.isEvent(line));
}
