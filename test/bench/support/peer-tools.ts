import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IOHEAT } from '../../e2e/build.ts';
import type { LoopDevice } from '../../load/loop-device.ts';

/** A tool that people use for block I/O, as they start it. */
export interface Tool {
  readonly name: string;
  /** What must be installed. */
  readonly needs: string;
  /** What it tells: each I/O, sums, or only what /proc has. */
  readonly tells: string;
  /** Without any, what it prints goes to a terminal. */
  readonly command: (folder: string, disk: LoopDevice) => readonly string[];
  /** The key that ends it, for a tool that prints its figures only then; otherwise SIGINT. */
  readonly endKey?: string;
  /** A tool without programs in the kernel is not expected to have a cost there. */
  readonly isBpf: boolean;
  /** I/Os of the disk that it told of one by one. */
  readonly seen?: (output: Output) => number;
}

export interface Output {
  /** What went to the terminal, its end at least. */
  readonly tail: string;
  readonly disk: LoopDevice;
  readonly folder: string;
}

/** One line per I/O, as biosnoop prints it, from tracepoints alone. */
const SNOOP = `
tracepoint:block:block_rq_issue { @start[args->dev, args->sector] = nsecs; @comm[args->dev, args->sector] = comm; @pid[args->dev, args->sector] = pid; }
tracepoint:block:block_rq_complete /@start[args->dev, args->sector]/ {
  printf("%-12u %-16s %-7d %-9u %-4s %-10u %d\\n", nsecs / 1000, @comm[args->dev, args->sector], @pid[args->dev, args->sector], args->dev, args->rwbs, args->sector, (nsecs - @start[args->dev, args->sector]) / 1000);
  delete(@start[args->dev, args->sector]); delete(@comm[args->dev, args->sector]); delete(@pid[args->dev, args->sector]);
}`;

/** I/Os and time by process and disk once a second, as biotop shows them. */
const TOP = `
tracepoint:block:block_rq_issue { @start[args->dev, args->sector] = nsecs; @who[args->dev, args->sector] = pid; }
tracepoint:block:block_rq_complete /@start[args->dev, args->sector]/ {
  $pid = @who[args->dev, args->sector];
  @ios[$pid, args->dev] = count(); @us[$pid, args->dev] = sum((nsecs - @start[args->dev, args->sector]) / 1000);
  delete(@start[args->dev, args->sector]); delete(@who[args->dev, args->sector]);
}
interval:s:1 { print(@ios); print(@us); clear(@ios); clear(@us); }`;

export function writeScripts(folder: string): void {
  writeFileSync(join(folder, 'snoop.bt'), SNOOP);
  writeFileSync(join(folder, 'top.bt'), TOP);
}

const OUTPUT = 'output';

/** To a file in memory, as nobody reads a hundred thousand lines a second from a terminal. */
function toFile(command: (disk: LoopDevice) => string): Tool['command'] {
  return (folder, disk) => [
    '/bin/sh',
    '-c',
    `cd '${folder}' && exec ${command(disk)} > ${OUTPUT} 2>&1`,
  ];
}

/** Lines of the file with the disk's number. */
function linesOf({ folder, disk }: Output, word: string): number {
  const path = join(folder, OUTPUT);
  if (!existsSync(path) || statSync(path).size > 2 ** 31) return NaN;
  const text = readFileSync(path);
  let count = 0;
  const token = `${word}${disk.dev}`;
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + token.length)) count++;
  return count;
}

/** By what --verbose says at the end. */
function delivered({ tail }: Output): number {
  return Number(/delivered (\d+)/.exec(tail)?.[1]);
}

const BPFTRACE = '/usr/bin/bpftrace';
const PERF = '/usr/bin/perf';

export const TOOLS: readonly Tool[] = [
  {
    name: 'ioheat',
    needs: IOHEAT,
    tells: 'each I/O, drawn',
    command: (_, { name }) => [process.execPath, IOHEAT, '--verbose', '--disk', name],
    endKey: 'q',
    isBpf: true,
    seen: delivered,
  },
  {
    name: 'ioheat record',
    needs: IOHEAT,
    tells: 'each I/O, file',
    command: (folder, { name }) => {
      const file = join(folder, 'recording');
      return [process.execPath, IOHEAT, 'record', file, '--verbose', '--disk', name];
    },
    isBpf: true,
    seen: delivered,
  },
  {
    name: 'biolatency',
    needs: '/usr/sbin/biolatency',
    tells: 'one histogram',
    command: () => ['/usr/sbin/biolatency', '1'],
    isBpf: true,
  },
  {
    name: 'biopattern',
    needs: '/usr/sbin/biopattern',
    tells: 'sums per disk',
    command: () => ['/usr/sbin/biopattern', '1'],
    isBpf: true,
  },
  {
    name: 'bitesize.bt',
    needs: '/usr/sbin/bitesize.bt',
    tells: 'sizes per process',
    command: () => [BPFTRACE, '/usr/sbin/bitesize.bt'],
    isBpf: true,
  },
  {
    name: 'bpftrace, as biotop',
    needs: BPFTRACE,
    tells: 'sums per process and disk',
    command: (folder) => [BPFTRACE, join(folder, 'top.bt')],
    isBpf: true,
  },
  {
    name: 'bpftrace, as biosnoop',
    needs: BPFTRACE,
    tells: 'each I/O, lines',
    command: toFile(() => `${BPFTRACE} snoop.bt`),
    isBpf: true,
    seen: (output) => linesOf(output, ' '),
  },
  {
    name: 'perf record',
    needs: PERF,
    tells: 'each event, file',
    command: toFile(({ dev }) => {
      const events = ['block_rq_issue', 'block_rq_complete'].map(
        (name) => `-e block:${name} --filter 'dev == ${dev}'`,
      );
      return `${PERF} record -a ${events.join(' ')} -o perf.data`;
    }),
    isBpf: false,
    // Two events per I/O.
    seen: ({ folder }) =>
      Number(/\((\d+) samples\)/.exec(readFileSync(join(folder, OUTPUT), 'latin1'))?.[1]) / 2,
  },
  {
    name: 'perf trace',
    needs: PERF,
    tells: 'each event, lines',
    command: toFile(() => `${PERF} trace -a -e block:block_rq_issue -e block:block_rq_complete`),
    isBpf: false,
    seen: (output) => linesOf(output, 'rq_complete(dev: '),
  },
  {
    name: 'iostat -x',
    needs: '/usr/bin/iostat',
    tells: 'no tracing: /proc/diskstats',
    command: () => ['/usr/bin/iostat', '-x', '1'],
    isBpf: false,
  },
];

/** What is asked for by the same people, and whether it runs is to be found out. */
export const CANDIDATES: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['biosnoop (libbpf-tools)', ['/usr/sbin/biosnoop']],
  ['biotop (libbpf-tools)', ['/usr/sbin/biotop', '1']],
  ['biostacks (libbpf-tools)', ['/usr/sbin/biostacks', '1']],
  ['biolatency-bpfcc', ['/usr/sbin/biolatency-bpfcc', '1']],
  ['biosnoop-bpfcc', ['/usr/sbin/biosnoop-bpfcc']],
  ['biotop-bpfcc', ['/usr/sbin/biotop-bpfcc', '1']],
  ['biolatency.bt', [BPFTRACE, '/usr/sbin/biolatency.bt']],
  ['biosnoop.bt', [BPFTRACE, '/usr/sbin/biosnoop.bt']],
  ['blktrace', ['/usr/sbin/blktrace', '-d', 'DISK', '-o', '-']],
  ['trace-cmd', ['/usr/bin/trace-cmd', 'stream', '-e', 'block:block_rq_complete']],
];

const TRACEFS = '/sys/kernel/tracing/events';
const MOUNTS =
  'mount -t tracefs tracefs /sys/kernel/tracing; mount -t debugfs debugfs /sys/kernel/debug; exec "$@"';

/** Where nobody has mounted what these tools read, they see it mounted, and nobody else does. */
export function withTracefs(command: readonly string[]): readonly string[] {
  if (existsSync(TRACEFS)) return command;
  return ['/usr/bin/unshare', '-m', '/bin/sh', '-c', MOUNTS, 'sh', ...command];
}
