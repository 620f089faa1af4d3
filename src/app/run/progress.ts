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

const EVERY_MS_ON_TERMINAL = 500;
const EVERY_MS_IN_LOG = 10_000;

/** A progress line: rewritten in place on a terminal, else one every ten seconds. */
export class ProgressLine {
  private shownMs = -Infinity;

  constructor(
    private readonly isTerminal: boolean,
    private readonly write: (text: string) => void,
  ) {}

  show(text: string, nowMs: number): void {
    if (nowMs - this.shownMs < (this.isTerminal ? EVERY_MS_ON_TERMINAL : EVERY_MS_IN_LOG)) return;
    const isFirst = this.shownMs === -Infinity;
    this.shownMs = nowMs;
    if (this.isTerminal) this.write(`\r${text}\x1b[K`);
    // The first line of a log already has counts.
    else if (!isFirst) this.write(`${text}\n`);
  }

  /** Clears the line for other text. */
  clear(): void {
    if (this.isTerminal && this.shownMs !== -Infinity) this.write('\r\x1b[K');
  }
}
