import type { BatchNotes } from '../format/batch-notes.ts';
import { FileBytes } from './byte-source.ts';
import { looksLikeMessage, readMessage } from './message-scanner.ts';
import type { Message } from './message-scanner.ts';
import type { TraceExtent } from '../../trace-reader.ts';

/** The last batch starts within this distance from the end, unless it contains summaries. */
const TAIL_BYTES = 8 << 20;
const STEP_BYTES = 64 << 10;
/** Maximum number of candidate positions to check. */
const MOST_LOOKS = 1000;

/** The extent of a file, from its first and its last batch; undefined when these cannot be found. */
export function findExtent(
  fd: number,
  first: BatchNotes | undefined,
  fileBytes: number,
): TraceExtent | undefined {
  const last = findLastNotes(fd, fileBytes);
  if (first === undefined || last === undefined) return undefined;
  return {
    startNs: first.startNs,
    endNs: Math.max(first.endNs, last.endNs),
    rows: last.rowsBefore + (last.isSummary ? 0 : last.rows),
  };
}

/** Messages start at multiples of eight, and the last intact one is near the end. */
function findLastNotes(fd: number, fileBytes: number): BatchNotes | undefined {
  // Two readers, because a read replaces the buffer that the search is in.
  const [windows, messages] = [new FileBytes(fd), new FileBytes(fd)];
  let looks = 0;
  const lowest = Math.max(0, fileBytes - TAIL_BYTES);
  // No bit mask: a file may be longer than 2^31 bytes.
  for (let end = Math.ceil(fileBytes / 8) * 8; end > lowest; end -= STEP_BYTES) {
    const from = Math.max(0, end - STEP_BYTES);
    const window = windows.read(from, end - from);
    for (let at = window.length & ~7; at >= 0; at -= 8) {
      // Long runs of one value are compressed to bytes that look like the first four of a message.
      if (!looksLikeMessage(window, at)) continue;
      if (looks++ > MOST_LOOKS) return undefined;
      const message = readMessage(messages, from + at);
      if (typeof message === 'object' && hasTimes(message, fileBytes)) return message.notes;
    }
  }
  return undefined;
}

function hasTimes({ notes, endAt }: Message, fileBytes: number): boolean {
  return notes !== undefined && notes.rows > 0 && endAt <= fileBytes;
}
