import type { ReadStream, WriteStream } from 'node:tty';
import type { Guardian } from './guardian.ts';
import { enterSequence, leaveSequence, type MouseMode } from './modes.ts';
import type { Screen } from './screen.ts';
import { writeNow } from './write-now.ts';

/** The shape of `process.stdout` if it is a terminal; Node's type lacks the descriptor. */
export type TerminalStream = WriteStream & { readonly fd: number };

export interface TerminalStreams {
  readonly output: TerminalStream;
  /** Set to raw mode while the program draws; absent if keys come from elsewhere. */
  readonly input?: ReadStream;
}

export interface TerminalOutputOptions {
  readonly mouse?: MouseMode;
  /** Written once, when the terminal is taken; the answer comes among the keys. */
  readonly question?: string;
  /** The terminal can take a frame again, or needs one: after a frame was left out, after `resume`. */
  readonly onReady?: () => void;
  /** Notified when the terminal is taken and restored. */
  readonly guardian?: Pick<Guardian, 'taken' | 'given'> | undefined;
}

/** Cumulative since the program started. */
export interface OutputCounters {
  framesSent: number;
  /** Skipped because the terminal had not yet taken the previous frame. */
  framesSkipped: number;
  bytesWritten: number;
}

type State = 'outside' | 'drawing' | 'suspended' | 'restored';

/**
 * The only writer to the terminal. Writing never blocks: Node's terminal streams do by default, so that a stalled
 * terminal would stop the tracing too. While a frame is being sent, further ones are skipped, and `onReady` requests
 * the latest when it has been sent.
 */
export class TerminalOutput {
  readonly counters: OutputCounters = { framesSent: 0, framesSkipped: 0, bytesWritten: 0 };
  private state: State = 'outside';
  private isSkipping = false;
  private needsRepaint = true;
  private isGivenBack = true;
  private readonly mouse: MouseMode;

  constructor(
    readonly streams: TerminalStreams,
    private readonly options: TerminalOutputOptions = {},
  ) {
    this.mouse = options.mouse ?? 'off';
  }

  /** Takes over the terminal: alternate screen, no cursor, no autowrap, raw input. */
  enter(): void {
    if (this.state !== 'outside') return;
    this.takeTerminal();
    const { question = '' } = this.options;
    if (question !== '') this.writePastQueue(question);
  }

  /** Updates the terminal. False if the frame was skipped. */
  present(screen: Screen): boolean {
    if (this.state !== 'drawing') return false;
    const { output } = this.streams;
    if (output.writableLength > 0) {
      this.counters.framesSkipped++;
      this.isSkipping = true;
      return false;
    }
    if (this.needsRepaint) screen.invalidate();
    this.needsRepaint = false;
    const bytes = screen.encode();
    if (bytes.length === 0) return true;
    this.counters.framesSent++;
    this.counters.bytesWritten += bytes.length;
    output.write(bytes, () => {
      this.frameTaken();
    });
    return true;
  }

  /** Restores the terminal for a while. */
  suspend(): void {
    if (this.state !== 'drawing') return;
    this.state = 'suspended';
    this.giveTerminal();
  }

  /** Takes over the terminal again, even if another program has changed its modes meanwhile. */
  resume(): void {
    if (this.state !== 'drawing' && this.state !== 'suspended') return;
    this.takeTerminal();
    this.options.onReady?.();
  }

  /**
   * Waits up to `maxMs` for a frame that is being sent: what the stream has queued would be written after the
   * terminal is restored.
   */
  async whenTaken(maxMs: number): Promise<void> {
    const { output } = this.streams;
    if (output.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      // The callback runs after everything that was written before.
      output.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /**
   * Restores the terminal permanently, at once; may be called repeatedly. False if the terminal is gone or stalled,
   * and may not be restored.
   */
  restore(): boolean {
    const isTaken = this.state === 'drawing';
    this.state = 'restored';
    if (!isTaken) return this.isGivenBack;
    this.isGivenBack = this.giveTerminal();
    // The rest of a frame must not follow, and a stalled terminal must not delay the exit.
    const { output } = this.streams;
    if (output.writableLength > 0) output.destroy();
    return this.isGivenBack;
  }

  private takeTerminal(): void {
    const { output } = this.streams;
    this.state = 'drawing';
    this.needsRepaint = true;
    this.options.guardian?.taken();
    setBlocking(output, false);
    this.retakeInput();
    // Bypasses the stream's queue, because the rest of an earlier frame belongs to the alternate screen.
    this.writePastQueue(enterSequence(this.mouse));
  }

  /** Sets raw mode again, even if another program has reset it. */
  retakeInput(): void {
    const { input } = this.streams;
    // Off first, because Node does nothing if it assumes that raw mode is on.
    input?.setRawMode(false);
    input?.setRawMode(true);
  }

  private giveTerminal(): boolean {
    const { output, input } = this.streams;
    input?.setRawMode(false);
    const isBroken = output.writableLength > 0;
    const isDone = this.writePastQueue(leaveSequence(this.mouse, output.rows, isBroken));
    // The descriptor may be shared with the shell, if Node could not open a terminal of its own.
    setBlocking(output, true);
    this.options.guardian?.given();
    return isDone;
  }

  private writePastQueue(sequence: string): boolean {
    this.counters.bytesWritten += sequence.length;
    return writeNow(this.streams.output.fd, Buffer.from(sequence, 'latin1'));
  }

  private frameTaken(): void {
    if (!this.isSkipping) return;
    this.isSkipping = false;
    this.options.onReady?.();
  }
}

interface BlockingHandle {
  setBlocking?: (isBlocking: boolean) => void;
}

/** Not a public API of Node, but the only way: the flag is in libuv's handle. */
function setBlocking(stream: TerminalStream, isBlocking: boolean): void {
  const { _handle } = stream as { _handle?: BlockingHandle };
  _handle?.setBlocking?.(isBlocking);
}
