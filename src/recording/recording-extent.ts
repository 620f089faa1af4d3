import { CONTINUATION } from './arrow-message.ts';
import type { BatchNotes } from './batch-notes.ts';
import type { FileBytes } from './byte-source.ts';
import { readMessage } from './message-scanner.ts';
import type { Message } from './message-scanner.ts';
import type { TraceExtent } from '../source/trace-reader.ts';

/** The last batch begins within this distance from the end, unless it is one of summaries. */
const TAIL_BYTES = 8 << 20;
const STEP_BYTES = 64 << 10;
/** Looks at places that might be a message. */
const MOST_LOOKS = 1000;

/** How far a file reaches, from its first and its last batch; undefined when these cannot be found. */
export function findExtent(
  source: FileBytes,
  first: BatchNotes | undefined,
  fileBytes: number,
): TraceExtent | undefined {
  const last = findLastNotes(source, fileBytes);
  if (first === undefined || last === undefined) return undefined;
  return {
    startNs: first.startNs,
    endNs: Math.max(first.endNs, last.endNs),
    rows: last.rowsBefore + (last.isSummary ? 0 : last.rows),
  };
}

/** Messages begin at multiples of eight, and the last whole one is near the end. */
function findLastNotes(source: FileBytes, fileBytes: number): BatchNotes | undefined {
  let looks = 0;
  const lowest = Math.max(0, fileBytes - TAIL_BYTES);
  for (let end = (fileBytes + 7) & ~7; end > lowest; end -= STEP_BYTES) {
    const from = Math.max(0, end - STEP_BYTES);
    const window = source.read(from, end - from);
    for (let at = window.length & ~7; at >= 0; at -= 8) {
      if (at + 4 > window.length || window.readUInt32LE(at) !== CONTINUATION) continue;
      if (looks++ > MOST_LOOKS) return undefined;
      const message = readMessage(source, from + at);
      if (typeof message === 'object' && hasTimes(message, fileBytes)) return message.notes;
    }
  }
  return undefined;
}

function hasTimes({ notes, endAt }: Message, fileBytes: number): boolean {
  return notes !== undefined && notes.rows > 0 && endAt <= fileBytes;
}
