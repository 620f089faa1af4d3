import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TraceSession } from '../kernel/fixtures/trace-session.ts';
import type { SeenIo } from '../kernel/fixtures/trace-session.ts';
import { LoopDevice } from '../load/loop-device.ts';

const TRACING = '/sys/kernel/tracing';
const [folder = '.', ...wanted] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'ioheat-fixtures-'));

/** A tool that watches one disk until it is stopped. */
interface Tool {
  readonly name: string;
  start(disk: LoopDevice): Promise<() => Promise<string>>;
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] });
}

function put(file: string, text: string): void {
  writeFileSync(join(TRACING, file), text);
}

/** Its standard output goes to a file; resolves when `isReady` says so of that file. */
async function startChild(
  command: string,
  args: readonly string[],
  isReady: (output: string) => boolean,
): Promise<{ child: ChildProcess; output: () => string; ended: Promise<unknown> }> {
  const path = join(work, 'output');
  const fd = openSync(path, 'w');
  const child = spawn(command, args, { stdio: ['ignore', fd, 'ignore'], cwd: work });
  closeSync(fd);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const output = () => readFileSync(path, 'latin1');
  for (let tries = 0; !isReady(output()) && tries < 200; tries++) await sleep(50);
  return { child, output, ended };
}

function childTool(
  name: string,
  command: string,
  argsOf: (disk: LoopDevice) => readonly string[],
  isReady: (output: string) => boolean,
): Tool {
  return {
    name,
    start: async (disk) => {
      const { child, output, ended } = await startChild(command, argsOf(disk), isReady);
      return async () => {
        await sleep(500);
        child.kill('SIGINT');
        await ended;
        return output();
      };
    },
  };
}

/** Tools that write a file of their own, which another program prints. */
function recordingTool(
  name: string,
  command: string,
  argsOf: (disk: LoopDevice) => readonly string[],
  print: () => string,
): Tool {
  return {
    name,
    start: async (disk) => {
      const { child, ended } = await startChild(command, argsOf(disk), started);
      return async () => {
        await sleep(500);
        child.kill('SIGINT');
        await ended;
        return print();
      };
    },
  };
}

let startedAt = 0;
/** perf and trace-cmd say nothing when they are ready. */
function started(): boolean {
  startedAt ||= Date.now();
  const isReady = Date.now() - startedAt > 1500;
  if (isReady) startedAt = 0;
  return isReady;
}

function ftraceTool(name: string, events: readonly string[], options: readonly string[]): Tool {
  return {
    name,
    start: (disk) => {
      put('trace', '');
      for (const option of options) put(`options/${option}`, '1');
      for (const event of events) {
        put(`events/block/${event}/filter`, `dev == ${disk.dev}`);
        put(`events/block/${event}/enable`, '1');
      }
      return Promise.resolve(() => {
        for (const event of events) {
          put(`events/block/${event}/enable`, '0');
          put(`events/block/${event}/filter`, '0');
        }
        const text = takeTrace();
        for (const option of options) put(`options/${option}`, '0');
        return Promise.resolve(text);
      });
    },
  };
}

function takeTrace(): string {
  const text = readFileSync(join(TRACING, 'trace'), 'latin1');
  put('trace', '');
  return text;
}

/** The `blk` tracer; with `bin` it writes what blktrace writes, which lockdown refuses to blktrace. */
function blkTracer(name: string, isBinary: boolean): Tool {
  return {
    name,
    start: async (disk) => {
      put('trace', '');
      const enable = `/sys/block/${disk.name}/trace/enable`;
      writeFileSync(enable, '1');
      put('current_tracer', 'blk');
      put('options/context-info', isBinary ? '0' : '1');
      if (isBinary) put('options/bin', '1');
      const pipe = isBinary
        ? await startChild('cat', [join(TRACING, 'trace_pipe')], () => true)
        : undefined;
      return async () => {
        await sleep(500);
        pipe?.child.kill('SIGTERM');
        await pipe?.ended;
        if (isBinary) put('options/bin', '0');
        put('options/context-info', '1');
        const text = isBinary ? printed(join(work, 'output')) : takeTrace();
        put('current_tracer', 'nop');
        writeFileSync(enable, '0');
        put('trace', '');
        return text;
      };
    },
  };
}

/** blkparse takes files for parts of a set unless they come through its standard input. */
function printed(path: string): string {
  return run('/bin/sh', ['-c', 'exec blkparse -i - <"$0"', path]);
}

const perfEvents = (disk: LoopDevice, names: readonly string[]) =>
  names.flatMap((name) => ['-e', `block:${name}`, '--filter', `dev == ${disk.dev}`]);

const BPFTRACE = `BEGIN {
  printf("%-12s %-14s %-16s %-6s %7s\\n", "TIME(ms)", "DISK ID", "COMM", "PID", "LAT(ms)");
  printf("             MAJOR MINOR\\n");
}
tracepoint:block:block_io_start /args->dev == DEV/ {
  @start[args->dev, args->sector] = nsecs;
  @iopid[args->dev, args->sector] = pid;
  @iocomm[args->dev, args->sector] = comm;
}
tracepoint:block:block_io_done
/args->dev == DEV && @start[args->dev, args->sector] != 0 && @iopid[args->dev, args->sector] != 0/ {
  printf("%-12u %-5d %-8d %-16s %-6d %7d\\n", elapsed / 1e6, args->dev >> 20,
    args->dev & 1048575, @iocomm[args->dev, args->sector], @iopid[args->dev, args->sector],
    (nsecs - @start[args->dev, args->sector]) / 1e6);
  delete(@start[args->dev, args->sector]);
  delete(@iopid[args->dev, args->sector]);
  delete(@iocomm[args->dev, args->sector]);
}
END { clear(@start); clear(@iopid); clear(@iocomm); }`;

const biosnoop = process.env['BIOSNOOP'] ?? 'biosnoop';
const hasHeading = (output: string) => output.includes('LAT(ms)');
const ALL = ['block_io_start', 'block_rq_insert', 'block_rq_issue', 'block_rq_complete'];
const ISSUES = ['block_rq_issue', 'block_rq_complete'];

// What goes to a file is buffered: stdbuf makes the heading come at once.
const tools: readonly Tool[] = [
  childTool(
    'biosnoop-libbpf-queued',
    'stdbuf',
    (disk) => ['-oL', biosnoop, '-Q', '-d', disk.name],
    hasHeading,
  ),
  childTool(
    'biosnoop-libbpf-timestamp',
    'stdbuf',
    (disk) => ['-oL', biosnoop, '-t', '-d', disk.name],
    hasHeading,
  ),
  childTool(
    'biosnoop-bpftrace',
    'bpftrace',
    (disk) => ['-e', BPFTRACE.replaceAll('DEV', String(disk.dev))],
    hasHeading,
  ),
  recordingTool(
    'perf-script',
    'perf',
    (disk) => ['record', '-q', '-a', '-o', 'perf.data', ...perfEvents(disk, ALL)],
    () => run('perf', ['script', '-i', join(work, 'perf.data')]),
  ),
  recordingTool(
    'perf-script-ns',
    'perf',
    (disk) => ['record', '-q', '-a', '-o', 'perf.data', ...perfEvents(disk, ISSUES)],
    () =>
      run('perf', [
        ...['script', '-i', join(work, 'perf.data'), '--ns'],
        ...['-F', 'comm,pid,tid,cpu,time,event,trace'],
      ]),
  ),
  recordingTool(
    'trace-cmd-report',
    'trace-cmd',
    (disk) => [
      ...['record', '-q', '-o', 'trace.dat'],
      ...ALL.flatMap((name) => ['-e', `block:${name}`, '-f', `dev == ${disk.dev}`]),
    ],
    () => run('trace-cmd', ['report', '-i', join(work, 'trace.dat')]),
  ),
  ftraceTool('ftrace-trace', ALL, ['record-tgid']),
  blkTracer('blkparse', true),
  blkTracer('ftrace-blk', false),
];

/** Direct writes and reads one by one, a buffered write with its flush, FUA, a discard. */
function load(disk: LoopDevice): void {
  const dd = run('/bin/sh', ['-c', 'command -v dd']).trim();
  const names = ['db writer', 'reader'].map((name) => {
    const path = join(work, name);
    if (!existsSync(path)) symlinkSync(dd, path);
    return path;
  });
  const [writer, reader] = names as [string, string];
  run(writer, ['if=/dev/zero', `of=${disk.path}`, 'bs=4k', 'count=12', 'oflag=direct']);
  run(reader, [`if=${disk.path}`, 'of=/dev/null', 'bs=16k', 'count=8', 'iflag=direct']);
  run(writer, ['if=/dev/zero', `of=${disk.path}`, 'bs=64k', 'count=3', 'seek=8', 'conv=fsync']);
  run(writer, ['if=/dev/zero', `of=${disk.path}`, 'bs=8k', 'count=2', 'oflag=direct,dsync']);
  disk.discard(1 << 20, 1 << 16);
}

/** Without what identifies the machine that made it: nothing but the disk and the I/O. */
function rowOf(io: SeenIo, originNs: number) {
  const { deviceNs, queueNs, sector, bytes, key } = io;
  const { cmdFlags, tgid, tid, comm, error, marks } = key;
  const completeNs = io.completeNs - originNs;
  return [completeNs, deviceNs, queueNs, sector, bytes, cmdFlags, tgid, tid, comm, error, marks];
}

async function make(tool: Tool): Promise<void> {
  const disk = LoopDevice.create({ bytes: 16 << 20 });
  const session = TraceSession.open();
  try {
    if (disk.hasScheduler('mq-deadline')) disk.setQueue('scheduler', 'mq-deadline');
    session.source.setFilter({ devs: [disk.dev] });
    const stop = await tool.start(disk);
    session.take(disk.dev);
    load(disk);
    await sleep(300);
    const seen = session.take(disk.dev);
    const text = await stop();
    writeFileSync(join(folder, `${tool.name}.txt`), text, 'latin1');
    const rows = seen.map((io) => JSON.stringify(rowOf(io, seen[0]?.completeNs ?? 0)));
    writeFileSync(join(folder, `${tool.name}.json`), `[\n${rows.join(',\n')}\n]\n`);
    process.stdout.write(`${tool.name}: ${text.split('\n').length} lines, ${rows.length} I/Os\n`);
  } finally {
    session.dispose();
    disk.dispose();
  }
}

/** Lockdown refuses files of the function tracer that trace-cmd only wants to empty. */
function mount(): void {
  run('mount', ['-t', 'tracefs', 'tracefs', TRACING]);
  run('mount', ['-t', 'debugfs', 'debugfs', '/sys/kernel/debug']);
  const one = join(work, 'one');
  writeFileSync(one, '1\n');
  run('mount', ['--bind', one, '/proc/sys/kernel/ftrace_enabled']);
  for (const name of ['filter', 'notrace', 'pid', 'notrace_pid']) {
    const empty = join(work, `ftrace_${name}`);
    writeFileSync(empty, '');
    run('mount', ['--bind', empty, join(TRACING, `set_ftrace_${name}`)]);
  }
}

mount();
try {
  for (const tool of tools.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    await make(tool);
} finally {
  put('tracing_on', '1');
  rmSync(work, { recursive: true });
}
