import type { ReadStream, WriteStream } from 'node:tty';
import type { Guardian } from './guardian.ts';
import { drainAnswers } from './drain-answers.ts';
import { Link, STATUS_QUESTION } from './link.ts';
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
  /** Whether the terminal is asked when it has taken a frame; `answered` must then be called for each answer. */
  readonly asksStatus?: boolean;
  /**
   * Called when the terminal can take a frame again, or needs one: after a frame was left out or cut, and after
   * `resume`.
   */
  readonly onReady?: () => void;
  /** Notified when the terminal is taken and restored. */
  readonly guardian?: Pick<Guardian, 'taken' | 'given'> | undefined;
}

const QUESTION = Buffer.from(STATUS_QUESTION, 'latin1');

/** How often a session that ends looks for the last answer. */
const POLL_MS = 5;

/** Cumulative since the program started. */
export interface OutputCounters {
  framesSent: number;
  /** Skipped because the terminal had not yet taken the previous frame. */
  framesSkipped: number;
  /** Parts of frames. The rest came later, or was replaced by the next frame. */
  framesCut: number;
  bytesWritten: number;
}

type State = 'outside' | 'drawing' | 'suspended' | 'restored';

/**
 * The only writer to the terminal. Writing never blocks: Node's terminal streams do by default, so that a stalled
 * terminal would stop the tracing too. While a frame is being sent, further ones are skipped, and `onReady` requests
 * the latest when it has been sent. Over a slow link, a frame is sent in parts: the next when the terminal has answered
 * that it has taken the one before.
 */
export class TerminalOutput {
  readonly counters: OutputCounters = {
    framesSent: 0,
    framesSkipped: 0,
    framesCut: 0,
    bytesWritten: 0,
  };
  private state: State = 'outside';
  /** Whether something has to be shown that the terminal could not take yet. */
  private isBehind = false;
  private readonly link = new Link();
  private patience: NodeJS.Timeout | undefined;
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

  /**
   * Updates the terminal. False if the frame was skipped or cut. An urgent frame does not wait until the terminal has
   * taken the frame before.
   */
  present(screen: Screen, isUrgent = false): boolean {
    if (this.state !== 'drawing') return false;
    const room = this.room(isUrgent);
    this.isBehind = room === 0;
    if (room === 0) {
      this.counters.framesSkipped++;
      this.awaitAnswer();
      return false;
    }
    if (this.needsRepaint) screen.invalidate();
    this.needsRepaint = false;
    const bytes = screen.encode(room);
    if (bytes.length === 0) return true;
    this.isBehind = screen.isCut;
    this.counters.framesSent++;
    if (screen.isCut) this.counters.framesCut++;
    this.send(bytes);
    return !screen.isCut;
  }

  /** Whether a frame would be sent now. If not, `onReady` is called when it would. */
  isReady(): boolean {
    if (this.state !== 'drawing') return true;
    if (!this.isBehind) this.isBehind = this.room(false) === 0;
    return !this.isBehind;
  }

  /** Call it when the terminal answers the question for its status. */
  answered(): void {
    this.link.answered(performance.now());
    this.awaitAnswer();
    this.continue();
  }

  /** Waits up to `maxMs` for the answers to all questions: the shell would take them as keys. */
  async whenAnswered(maxMs: number): Promise<void> {
    const untilMs = performance.now() + maxMs;
    while (this.link.awaited > 0 && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
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
    // Only the programs in the foreground are told of a new size.
    refreshSize(this.streams.output);
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
    if (this.options.asksStatus !== true) return;
    this.link.restart();
    this.link.asked(0, performance.now());
    this.writePastQueue(STATUS_QUESTION);
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
    clearTimeout(this.patience);
    if (input !== undefined && this.link.awaited > 0) drainAnswers(input, this.link.awaited);
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

  private send(frame: Uint8Array): void {
    const { isAsked } = this;
    const parts = isAsked ? [QUESTION, frame, QUESTION] : [frame];
    const bytes = isAsked ? Buffer.concat(parts) : frame;
    this.counters.bytesWritten += bytes.length;
    this.streams.output.write(bytes, this.continue.bind(this));
    if (!isAsked) return;
    // Two questions: the time between their answers is what the link needs for the frame.
    const nowMs = performance.now();
    this.link.asked(0, nowMs);
    this.link.asked(frame.length, nowMs);
    this.awaitAnswer();
  }

  private get isAsked(): boolean {
    return this.options.asksStatus === true && this.link.isAsked;
  }

  /** The number of bytes that the terminal can take now. */
  private room(isUrgent: boolean): number {
    if (this.streams.output.writableLength > 0) return 0;
    return this.isAsked ? this.link.room(isUrgent, performance.now()) : Infinity;
  }

  private continue(): void {
    if (this.isBehind && this.state === 'drawing' && this.room(false) > 0) this.options.onReady?.();
  }

  /** Waits for an answer, which may never come. */
  private awaitAnswer(): void {
    clearTimeout(this.patience);
    const patienceMs = this.isAsked ? this.link.patienceMs(performance.now()) : undefined;
    if (patienceMs === undefined) return;
    this.patience = setTimeout(() => {
      // If bytes have not even been sent, the answer cannot have come.
      if (this.streams.output.writableLength === 0) this.link.giveUp();
      this.continue();
      this.awaitAnswer();
    }, patienceMs).unref();
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

/** Emits `resize` if the size has changed. Not a public API of Node, which calls it for SIGWINCH. */
function refreshSize(stream: TerminalStream): void {
  const { _refreshSize } = stream as { _refreshSize?: () => void };
  _refreshSize?.call(stream);
}
