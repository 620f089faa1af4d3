import type { ReadStream } from 'node:tty';
import { spawn } from '@lydell/node-pty';
import type { IPty } from '@lydell/node-pty';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { Emulator } from '../terminal/emulator.ts';

/** What the keys of a keyboard send. */
export const Key = {
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  pageUp: '\x1b[5~',
  pageDown: '\x1b[6~',
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  backspace: '\x7f',
  ctrlC: '\x03',
  ctrlL: '\x0c',
  ctrlZ: '\x1a',
} as const;

export interface PtyOptions {
  /** Default 80. */
  readonly columns?: number;
  /** Default 24. */
  readonly rows?: number;
  /** Value of TERM; default xterm-256color. */
  readonly term?: string;
  /** Added to the little that the program is given; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** By how much the terminal's answers to the program's questions are late. */
  readonly answersAfterMs?: number;
  /** 0xrrggbb, with which the terminal answers the question for its background; else it is silent. */
  readonly background?: number;
}

export interface ExitStatus {
  /** Exit code; 0 if a signal ended the program. */
  readonly code: number;
  /** Number of the signal that ended the program, if one did. */
  readonly signal: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/** A program in a terminal of its own. */
export class PtySession {
  readonly emulator: Emulator;
  /** Settles after the last output is on the screen. */
  readonly exit: Promise<ExitStatus>;
  private readonly pty: IPty;
  private readonly waiting = new Set<() => void>();
  private received = '';
  private written: Promise<void> = Promise.resolve();
  private ended: ExitStatus | undefined;

  constructor(
    file: string,
    args: readonly string[],
    private readonly options: PtyOptions = {},
  ) {
    const size = { cols: options.columns ?? 80, rows: options.rows ?? 24 };
    this.emulator = new Emulator(size.cols, size.rows);
    if (options.background !== undefined) this.emulator.answerBackground(options.background);
    this.pty = spawn(file, [...args], { ...size, ...spawnOptions(options) });
    const socket = socketOf(this.pty);
    readToTheEnd(socket);
    const { answersAfterMs } = options;
    const answer = (reply: string): void => {
      // What is read last may be a question of a program that has ended.
      if (this.ended === undefined && !socket.readableEnded) this.pty.write(reply);
    };
    this.emulator.onReply((reply) => {
      if (answersAfterMs === undefined) answer(reply);
      else setTimeout(answer, answersAfterMs, reply);
    });
    this.pty.onData((data) => {
      this.take(data);
    });
    this.exit = new Promise((resolve) => {
      this.pty.onExit(({ exitCode, signal }) => {
        void this.end({ code: exitCode, signal: signal === 0 ? undefined : signal }).then(resolve);
      });
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  /** Everything written so far, escape sequences included. */
  get output(): string {
    return this.received;
  }

  /** The visible rows as text, without blanks at their ends. */
  screen(): string[] {
    return this.emulator.screen();
  }

  cells(): CellBlock {
    return this.emulator.cells();
  }

  /** Whether the text is somewhere on the screen, within one row. */
  shows(text: string | RegExp): boolean {
    return this.screen().some((row) =>
      typeof text === 'string' ? row.includes(text) : text.test(row),
    );
  }

  /** Waits until `condition` holds; it is asked again after each piece of output. */
  waitFor(
    condition: string | RegExp | ((screen: string[]) => boolean),
    timeoutMs = DEFAULT_TIMEOUT_MS,
  ): Promise<void> {
    const holds = (): boolean =>
      typeof condition === 'function' ? condition(this.screen()) : this.shows(condition);
    return this.waitUntil(holds, `waiting for ${describe(condition)}`, timeoutMs);
  }

  /** Like `waitFor`, but for anything that output can change: modes, colours, the output itself. */
  waitUntil(holds: () => boolean, what: string, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        this.waiting.delete(check);
      };
      const check = (): void => {
        if (holds()) {
          stop();
          resolve();
        } else if (this.ended !== undefined) {
          stop();
          reject(this.failure(`the program ended (exit code ${this.ended.code}) while ${what}`));
        }
      };
      const timer = setTimeout(() => {
        stop();
        reject(this.failure(`no luck within ${timeoutMs} ms ${what}`));
      }, timeoutMs);
      this.waiting.add(check);
      check();
    });
  }

  type(keys: string): void {
    this.pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.pty.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals = 'SIGTERM'): void {
    process.kill(this.pty.pid, signal);
  }

  /** Stops reading, as a terminal does after Ctrl-S or a link that hangs. */
  pause(): void {
    this.pty.pause();
  }

  resume(): void {
    this.pty.resume();
  }

  /** Closes the terminal and tells its first program, as when a window or a connection is lost. */
  hangUp(): void {
    // Not in the type of a terminal for all systems.
    (this.pty as unknown as { destroy: () => void }).destroy();
  }

  /** Ends the program, whatever state it is in. */
  async dispose(): Promise<void> {
    if (this.ended === undefined) {
      this.pty.resume();
      // Not this.kill: the program may be gone already, its exit not yet reported.
      this.pty.kill('SIGKILL');
      await this.exit;
    }
    this.emulator.dispose();
  }

  private take(data: string): void {
    this.received += data;
    this.written = this.emulator.write(data).then(() => {
      this.wake();
    });
  }

  private async end(status: ExitStatus): Promise<ExitStatus> {
    await this.written;
    this.ended = status;
    this.wake();
    return status;
  }

  private wake(): void {
    for (const check of [...this.waiting]) check();
  }

  private failure(what: string): Error {
    const rule = '-'.repeat(this.emulator.columns);
    const screen = this.screen().join('\n');
    const term = this.options.term ?? 'xterm-256color';
    return new Error(`${what}; the screen (${term}):\n${rule}\n${screen}\n${rule}`);
  }
}

/** Any program in a terminal. */
export function startPty(file: string, args: readonly string[], options?: PtyOptions): PtySession {
  return new PtySession(file, args, options);
}

/** The built ioheat in a terminal. */
export function startIoheat(args: readonly string[], options?: PtyOptions): PtySession {
  ensureBuilt();
  return new PtySession(process.execPath, [IOHEAT, ...args], options);
}

/** The terminal as node-pty reads and writes it; not in the type of a terminal for all systems. */
function socketOf(pty: IPty): ReadStream {
  return (pty as unknown as { _socket: ReadStream })._socket;
}

/**
 * node-pty closes the terminal 200 ms after the program's end. If this process stands still for that
 * long, it does so before it has looked for the last output; two turns of the event loop take all of
 * it, as the kernel keeps at most 64 KiB.
 */
function readToTheEnd(socket: ReadStream): void {
  const close = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (error !== undefined) return close(error);
    setImmediate(() => setImmediate(close));
    return socket;
  };
}

function spawnOptions(options: PtyOptions): {
  env: Record<string, string | undefined>;
  cwd: string;
  uid?: number;
  gid?: number;
} {
  const { HOME, PATH } = process.env;
  const term = options.term ?? 'xterm-256color';
  return {
    // Neither CI nor FORCE_COLOR: both change what Ink and chalk draw.
    env: { HOME, PATH, LANG: 'C.UTF-8', TZ: 'UTC', TERM: term, ...options.env },
    cwd: options.cwd ?? process.cwd(),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  };
}

function describe(condition: string | RegExp | ((screen: string[]) => boolean)): string {
  return typeof condition === 'function' ? condition.toString() : JSON.stringify(String(condition));
}
