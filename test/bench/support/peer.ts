import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import type { IPty } from '@lydell/node-pty';

const MS_PER_TICK = 10;
const TAIL_CHARACTERS = 20_000;

/** Any tool in a terminal that takes everything at once, with all the processes it starts. */
export class Peer {
  private readonly pty: IPty;
  private readonly exit: Promise<void>;
  bytes = 0;
  /** The end of what it has written. */
  tail = '';
  /** Ends of synchronized output; 0 for a program that does not use it. */
  frames = 0;

  constructor(
    command: readonly string[],
    size = { cols: 200, rows: 50 },
    env: Record<string, string> = {},
  ) {
    const [file = '', ...args] = command;
    const { HOME, PATH } = process.env;
    this.pty = spawn(file, args, {
      ...size,
      env: { HOME, PATH, LANG: 'C.UTF-8', TZ: 'UTC', ...env },
      name: 'xterm-256color',
    });
    this.pty.onData((data) => {
      this.bytes += Buffer.byteLength(data);
      this.tail = (this.tail + data).slice(-TAIL_CHARACTERS);
      this.frames += data.split('\x1b[?2026l').length - 1;
    });
    this.exit = new Promise((resolve) => {
      this.pty.onExit(() => {
        resolve();
      });
    });
  }

  /** Processor time of the tool and its children so far, in ms. */
  cpuMs(): number {
    return family(this.pty.pid).reduce((sum, pid) => sum + ticksOf(pid), 0) * MS_PER_TICK;
  }

  /** Memory of the tool and its children, with what they share counted for each. */
  residentMib(): number {
    return family(this.pty.pid).reduce((sum, pid) => sum + residentPagesOf(pid), 0) / PAGES_PER_MIB;
  }

  /** To the tool and its children, children first. */
  signalAll(signal: NodeJS.Signals): void {
    for (const pid of family(this.pty.pid).reverse()) process.kill(pid, signal);
  }

  /** By a key, or as Ctrl-C does. */
  async end(key?: string): Promise<void> {
    if (key === undefined) this.pty.kill('SIGINT');
    else this.pty.write(key);
    const killing = setTimeout(() => {
      this.pty.kill('SIGKILL');
    }, 5000);
    await this.exit;
    clearTimeout(killing);
  }
}

function family(pid: number): number[] {
  const children = parents().filter(([, parent]) => parent === pid);
  return [pid, ...children.flatMap(([child]) => family(child))];
}

/** Of every process that still is one: its id and its parent's. */
function parents(): [pid: number, parent: number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .flatMap((pid) => {
      const fields = statFields(pid);
      return fields === undefined ? [] : [[pid, Number(fields[1])] as [number, number]];
    });
}

function ticksOf(pid: number): number {
  const fields = statFields(pid);
  return fields === undefined ? 0 : Number(fields[11]) + Number(fields[12]);
}

const PAGES_PER_MIB = 256;

function residentPagesOf(pid: number): number {
  return Number(statFields(pid)?.[21] ?? 0);
}

/** From the state on; undefined for a process that has ended meanwhile. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && /ENOENT|ESRCH/.test(String(cause.code)))
      return undefined;
    throw cause;
  }
}

export interface ProgramTime {
  readonly name: string;
  readonly ns: number;
  readonly runs: number;
}

/** Time in BPF programs and how often they ran, by program id, while the kernel counts that. */
export function programTimes(): Map<number, ProgramTime> {
  const text = execFileSync('bpftool', ['prog', 'show', '-j'], { encoding: 'utf8' });
  const programs = JSON.parse(text) as {
    id: number;
    name?: string;
    run_time_ns?: number;
    run_cnt?: number;
  }[];
  return new Map(
    programs.map(({ id, name = '', run_time_ns: ns = 0, run_cnt: runs = 0 }) => [
      id,
      { name, ns, runs },
    ]),
  );
}
