import { readSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import type { IPty } from '@lydell/node-pty';
import { Emulator, PrivateMode } from '../../terminal/emulator.ts';

const SLICE_MS = 5;

interface UnixTerminal {
  readonly fd: number;
  readonly _socket: { readonly _handle: { readStart: () => number } };
}

export interface SlowTerminalOptions {
  readonly bytesPerSecond: number;
  readonly columns: number;
  readonly rows: number;
  /** Whether it answers what the program asks; else it is silent. */
  readonly answers: boolean;
}

/**
 * A terminal that is read at a fixed rate, as a serial line or a slow connection takes it. What the kernel buffers of
 * the pseudo-terminal, about 12 kB, counts as buffers of the link.
 */
export class SlowTerminal {
  readonly emulator: Emulator;
  private readonly pty: IPty;
  private readonly fd: number;
  private readonly timer: NodeJS.Timeout;
  private readonly watchers = new Set<() => void>();
  private readonly buffer = Buffer.alloc(1 << 16);
  private startedMs = performance.now();
  private taken = 0;
  private isEnded = false;

  constructor(
    args: readonly string[],
    private readonly options: SlowTerminalOptions,
  ) {
    const { columns, rows } = options;
    this.emulator = new Emulator(columns, rows);
    const { HOME, PATH } = process.env;
    this.pty = spawn(process.execPath, [...args], {
      cols: columns,
      rows,
      env: { HOME, PATH, LANG: 'C.UTF-8', TERM: 'xterm-256color', XDG_CONFIG_HOME: '/nonexistent' },
    });
    // Not in the type of a terminal for all systems. A paused stream would still read once.
    const { fd, _socket } = this.pty as unknown as UnixTerminal;
    _socket._handle.readStart = () => 0;
    this.fd = fd;
    if (options.answers)
      this.emulator.onReply((reply) => {
        this.type(reply);
      });
    this.pty.onExit(() => (this.isEnded = true));
    this.timer = setInterval(() => {
      this.take();
    }, SLICE_MS);
  }

  type(keys: string): void {
    if (!this.isEnded) this.pty.write(keys);
  }

  screen(): string[] {
    return this.emulator.screen();
  }

  /** Ms until `holds` at the end of a frame, or undefined after `limitMs`. */
  until(holds: (screen: string[]) => boolean, limitMs: number): Promise<number | undefined> {
    const startedMs = performance.now();
    return new Promise((resolve) => {
      const settle = (ms: number | undefined): void => {
        clearTimeout(timer);
        this.watchers.delete(check);
        resolve(ms);
      };
      const timer = setTimeout(settle, limitMs, undefined);
      const check = (): void => {
        if (this.emulator.isModeSet(PrivateMode.synchronizedOutput)) return;
        if (holds(this.screen())) settle(performance.now() - startedMs);
      };
      this.watchers.add(check);
      check();
    });
  }

  dispose(): void {
    clearInterval(this.timer);
    if (!this.isEnded) this.pty.kill('SIGKILL');
    this.emulator.dispose();
  }

  /** A link that was idle has not saved anything up. */
  private take(): void {
    const { bytesPerSecond } = this.options;
    const nowMs = performance.now();
    const due = Math.floor(((nowMs - this.startedMs) / 1000) * bytesPerSecond) - this.taken;
    if (due <= 0) return;
    const length = this.read(due);
    if (length < due) {
      this.startedMs = nowMs;
      this.taken = 0;
    } else this.taken += length;
    if (length === 0) return;
    void this.emulator.write(Uint8Array.from(this.buffer.subarray(0, length))).then(() => {
      for (const check of [...this.watchers]) check();
    });
  }

  private read(most: number): number {
    try {
      return readSync(this.fd, this.buffer, 0, Math.min(most, this.buffer.length), null);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EAGAIN' || code === 'EIO') return 0;
      throw error;
    }
  }
}
