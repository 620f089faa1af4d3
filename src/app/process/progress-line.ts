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
