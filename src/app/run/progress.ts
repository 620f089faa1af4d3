import { formatByteSum, formatCount } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { RecordingState } from '../../trace/recording/writing/recording-writer.ts';

/** `12:04  1.2M I/Os, 36k calls  28.1 MB  lost 0` */
export function progressText(
  { bytes }: Pick<RecordingState, 'bytes'>,
  counted: string,
  elapsedMs: number,
  lost: number,
): string {
  return `${timeText(elapsedMs)}  ${counted}  ${formatByteSum(bytes)}  lost ${formatCount(lost)}`;
}

/** The line that remains after a recording. */
export function lossSummaryText(
  state: Pick<RecordingState, 'name' | 'bytes'>,
  counted: string,
  elapsedMs: number,
  lost: number,
): string {
  const name = sanitizeText(state.name);
  return `${name}: ${progressText(state, counted, elapsedMs, lost).replace(/^\S+ +/, '')} in ${timeText(elapsedMs)}`;
}

/** `4:09`, `1:02:03` */
function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
}
