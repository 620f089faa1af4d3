import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * Keeps all processors from sleeping, with loops that run only when nothing else does (SCHED_IDLE). A
 * sleeping processor of a virtual machine wakes about 100 µs late: what fio measures includes that, as it
 * ends when its thread runs again, and the block layer's completion does not.
 */
export class AwakeProcessors {
  private readonly loops: readonly ChildProcess[] = cpus().map((_, cpu) =>
    spawn('chrt', ['--idle', '0', 'taskset', '-c', String(cpu), 'sh', '-c', 'while :; do :; done']),
  );

  dispose(): void {
    for (const loop of this.loops) loop.kill('SIGKILL');
  }
}
