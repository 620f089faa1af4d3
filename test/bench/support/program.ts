import { readFileSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import type { IPty } from '@lydell/node-pty';
import { ensureBuilt, IOHEAT } from '../../e2e/build.ts';

/** What the end of a frame looks like on the wire: the end of synchronized output. */
const END_OF_FRAME = '\x1b[?2026l';
const TAIL_CHARACTERS = 20_000;
const TICKS_PER_SECOND = 100;

export interface Usage {
  /** Processor time of all threads, in ms. */
  readonly cpuMs: number;
  /** Resident: memory of its own, and all of it, with the program text and what the kernel shares. */
  readonly ownBytes: number;
  readonly rssBytes: number;
  /** The most that has been resident. */
  readonly peakBytes: number;
  readonly bytes: number;
  readonly frames: number;
}

/** A program in a terminal that takes everything at once and draws nothing. */
export class MeasuredProgram {
  readonly startedMs = performance.now();
  /** When the first frame was complete, in ms since the start. */
  readonly firstFrame: Promise<number>;
  private readonly exit: Promise<void>;
  private readonly pty: IPty;
  /** The end of what it has written, escape sequences included. */
  tail = '';
  private bytes = 0;
  private frames = 0;

  constructor(args: readonly string[], size: { readonly cols: number; readonly rows: number }) {
    const { HOME, PATH } = process.env;
    const env = { HOME, PATH, LANG: 'C.UTF-8', TZ: 'UTC', XDG_CONFIG_HOME: '/nonexistent' };
    this.pty = spawn(process.execPath, [...args], { ...size, env, name: 'xterm-256color' });
    this.firstFrame = new Promise((resolve) => {
      this.pty.onData((data) => {
        this.tail = (this.tail + data).slice(-TAIL_CHARACTERS);
        this.bytes += Buffer.byteLength(data);
        this.frames += data.split(END_OF_FRAME).length - 1;
        if (this.frames > 0) resolve(performance.now() - this.startedMs);
      });
    });
    this.exit = new Promise((resolve) => {
      this.pty.onExit(() => {
        resolve();
      });
    });
  }

  static ioheat(args: readonly string[], cols = 200, rows = 50): MeasuredProgram {
    ensureBuilt();
    return new MeasuredProgram([IOHEAT, ...args], { cols, rows });
  }

  type(keys: string): void {
    this.pty.write(keys);
  }

  usage(): Usage {
    const stat = readFileSync(`/proc/${this.pty.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${this.pty.pid}/status`, 'utf8');
    return {
      cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND,
      ownBytes: kilobytes(status, 'RssAnon'),
      rssBytes: kilobytes(status, 'VmRSS'),
      peakBytes: kilobytes(status, 'VmHWM'),
      bytes: this.bytes,
      frames: this.frames,
    };
  }

  async end(): Promise<void> {
    this.pty.kill('SIGTERM');
    await this.exit;
  }
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}
