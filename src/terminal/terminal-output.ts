import type { ReadStream, WriteStream } from 'node:tty';
import type { Guardian } from './guardian.ts';
import { enterSequence, leaveSequence, type MouseMode } from './modes.ts';
import type { Screen } from './screen.ts';
import { writeNow } from './write-now.ts';

/** As `process.stdout` is, if it is a terminal; Node's type of it lacks the descriptor. */
export type TerminalStream = WriteStream & { readonly fd: number };

export interface TerminalStreams {
  readonly output: TerminalStream;
  /** Put into raw mode while the program draws; absent if keys come from elsewhere. */
  readonly input?: ReadStream;
}

export interface TerminalOutputOptions {
  readonly mouse?: MouseMode;
  /** The terminal can take a frame again, or needs one: after a frame was left out, after `resume`. */
  readonly onReady?: () => void;
  /** Told whose the terminal is. */
  readonly guardian?: Pick<Guardian, 'taken' | 'given'> | undefined;
}

/** Cumulative since the program began. */
export interface OutputCounters {
  framesSent: number;
  /** Left out because the terminal had not yet taken the frame before. */
  framesSkipped: number;
  bytesWritten: number;
}

type State = 'outside' | 'drawing' | 'suspended' | 'restored';

/**
 * The only writer to the terminal. Writing never blocks: Node's terminal streams do by default, so
 * that a terminal that stalls would stop the tracing too. While a frame is still on its way, further
 * ones are left out, and `onReady` asks for the latest when it has arrived.
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

  /** Takes the whole terminal: alternate screen, no cursor, no autowrap, raw input. */
  enter(): void {
    if (this.state !== 'outside') return;
    this.takeTerminal();
  }

  /** Brings the terminal up to date. False if the frame was left out. */
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

  /** Gives the terminal back for a while. */
  suspend(): void {
    if (this.state !== 'drawing') return;
    this.state = 'suspended';
    this.giveTerminal();
  }

  /** Takes the terminal again, also if somebody else has changed its modes meanwhile. */
  resume(): void {
    if (this.state !== 'drawing' && this.state !== 'suspended') return;
    this.takeTerminal();
    this.options.onReady?.();
  }

  /**
   * Waits for a frame that is still on its way, `maxMs` at most: what the stream has queued would be
   * written after the terminal has been given back.
   */
  async whenTaken(maxMs: number): Promise<void> {
    const { output } = this.streams;
    if (output.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      // Calls back in order, after all that was written before.
      output.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /**
   * Gives the terminal back for good, at once and however often it is called. False if the terminal
   * is gone or stalled, and may be left as it was.
   */
  restore(): boolean {
    const isTaken = this.state === 'drawing';
    this.state = 'restored';
    if (!isTaken) return this.isGivenBack;
    this.isGivenBack = this.giveTerminal();
    // The rest of a frame must not follow, nor a stalled terminal hold up what is still to be done.
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
    // Past the stream's queue: the rest of a frame from before belongs on the alternate screen.
    this.writePastQueue(enterSequence(this.mouse));
  }

  /** Takes the keys as they are typed, also when some other program has put the terminal back. */
  retakeInput(): void {
    const { input } = this.streams;
    // Off first: Node does nothing if it believes that raw mode is on.
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

/** Not public in Node, but the only way: the flag belongs to libuv's handle. */
function setBlocking(stream: TerminalStream, isBlocking: boolean): void {
  const { _handle } = stream as { _handle?: BlockingHandle };
  _handle?.setBlocking?.(isBlocking);
}
