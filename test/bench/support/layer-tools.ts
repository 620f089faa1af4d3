import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IOHEAT } from '../../e2e/build.ts';
import { say } from './output.ts';
import { withTracefs } from './peer-tools.ts';

/** A tool that shows system calls or waits, as people start it. */
export interface LayerTool {
  readonly name: string;
  readonly shows: string;
  /** What must be installed. */
  readonly needs: string;
  /** Runs next to the load and traces the whole machine. */
  readonly beside?: (folder: string) => readonly string[];
  /** The key that ends it; otherwise SIGINT. */
  readonly endKey?: string;
  /** Starts the load itself and traces nothing else. */
  readonly around?: (folder: string) => readonly string[];
}

/** What `strace -c` prints, for the whole machine and counted in the kernel. */
const COUNT_CALLS = `
tracepoint:raw_syscalls:sys_enter { @start[tid] = nsecs; }
tracepoint:raw_syscalls:sys_exit /@start[tid]/ {
  @calls[args->id] = count();
  @ns[args->id] = sum(nsecs - @start[tid]);
  delete(@start[tid]);
}`;

/** Reads and their time by process and file descriptor, as far as tracepoints know it. */
const COUNT_READS = `
tracepoint:syscalls:sys_enter_pread64 { @start[tid] = nsecs; @fd[tid] = args->fd; }
tracepoint:syscalls:sys_exit_pread64 /@start[tid]/ {
  @calls[comm, @fd[tid]] = count();
  @ns[comm, @fd[tid]] = hist(nsecs - @start[tid]);
  delete(@start[tid]); delete(@fd[tid]);
}`;

export function writeScripts(folder: string): void {
  writeFileSync(join(folder, 'calls.bt'), COUNT_CALLS);
  writeFileSync(join(folder, 'reads.bt'), COUNT_READS);
}

const BPFTRACE = '/usr/bin/bpftrace';
const PERF = '/usr/bin/perf';
const STRACE = '/usr/bin/strace';

/** All that it sees goes to a file, without a limit: its worst case. */
function record(name: string, shows: string, ...options: readonly string[]): LayerTool {
  return {
    ...{ name, shows, needs: IOHEAT },
    beside: (folder) => [
      ...[process.execPath, IOHEAT, 'record', join(folder, 'recording.ioheat'), '--force'],
      ...options,
    ],
  };
}

function live(name: string, shows: string, ...options: readonly string[]): LayerTool {
  return {
    ...{ name, shows, needs: IOHEAT, endKey: 'q' },
    beside: () => [process.execPath, IOHEAT, ...options],
  };
}

function inFile(command: string): (folder: string) => readonly string[] {
  return (folder) => ['/bin/sh', '-c', `cd '${folder}' && exec ${command} > output 2>&1`];
}

const TOOLS: readonly LayerTool[] = [
  record('ioheat record', 'each I/O'),
  record('ioheat record --waits', 'each I/O and wait', '--waits'),
  record('ioheat record --waits --calls', 'each I/O, wait and call', '--waits', '--calls'),
  live('ioheat --waits', 'the same on the screen, 5 % of a core', '--waits'),
  live('ioheat --waits --calls', 'the same on the screen', '--waits', '--calls'),
  {
    ...{ name: 'strace -c -f', shows: 'sums by call', needs: STRACE },
    around: (folder) => [STRACE, '-c', '-f', '-o', join(folder, 'strace')],
  },
  {
    ...{ name: 'perf trace -s -a', shows: 'sums by thread and call', needs: PERF },
    beside: inFile(`${PERF} trace -s -a`),
  },
  {
    ...{ name: 'bpftrace, as strace -c', shows: 'sums by call', needs: BPFTRACE },
    beside: inFile(`${BPFTRACE} calls.bt`),
  },
  {
    ...{ name: 'bpftrace, preads', shows: 'histograms of one call', needs: BPFTRACE },
    beside: inFile(`${BPFTRACE} reads.bt`),
  },
];

/** Those that are there, as LAYER_TOOLS chooses; the others are named. */
export function installed(): readonly LayerTool[] {
  for (const { name, needs } of TOOLS)
    if (!existsSync(needs)) say(`left out: ${name}: ${needs} is not installed`);
  const chosen = process.env['LAYER_TOOLS']?.split(',');
  return TOOLS.filter(
    ({ name, needs }) => existsSync(needs) && (chosen === undefined || chosen.includes(name)),
  );
}

export function commandOf(tool: LayerTool, folder: string): readonly string[] | undefined {
  return tool.beside === undefined ? undefined : withTracefs(tool.beside(folder));
}
