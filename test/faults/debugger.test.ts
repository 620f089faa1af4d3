import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { describe, expect, test } from 'vitest';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';
import { until } from '../until.ts';
import { listeningOf } from './support/listening.ts';

/**
 * Between Node's own handler and the first line of bin/ioheat the signal opens the debugger: some milliseconds, more on
 * a busy machine, which an option closes from Node 22.14 on (`--disable-sigusr1`). A signal falls into them now and
 * then, not four times in a row.
 */
const RETRIES = 3;

interface Stage {
  readonly when: string;
  readonly isReached: (pid: number) => boolean;
}

const { SIGUSR1, SIGXFSZ } = constants.signals;

/** When the signal comes: each is a state of the process that the kernel shows. */
const STAGES: readonly Stage[] = [
  { when: 'when Node catches it', isReached: (pid) => catches(pid, SIGUSR1) },
  // The program listens to both in one go. Node ignores the other one.
  { when: 'when the program does', isReached: (pid) => catches(pid, SIGXFSZ) },
  { when: 'when it is confined', isReached: (pid) => statusOf(pid, 'Seccomp') === '2' },
];

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly isLive?: boolean;
}

const SHORT = ['--duration', '800ms'];
const COMMANDS: readonly Command[] = [
  { name: 'a pattern as text', args: ['demo', '--once', ...SHORT] },
  { name: 'a recording of a pattern', args: ['record', '-', '--source', 'demo', ...SHORT] },
  { name: 'live tracing', args: ['--once', ...SHORT], isLive: true },
];

describe('SIGUSR1 opens no debugger once the program runs', () => {
  for (const { name, args, isLive } of COMMANDS)
    test(
      `${name} does not open a debugger on SIGUSR1`,
      isLive === true ? { ...needs('tracing'), retry: RETRIES } : { retry: RETRIES },
      async () => {
        ensureBuilt();
        for (const { when, isReached } of STAGES) {
          const child = spawn(process.execPath, [IOHEAT, ...args], { stdio: 'ignore' });
          const pid = child.pid!;
          const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
          await until(() => hasEnded() || isReached(pid), when);
          child.kill('SIGUSR1');
          let looksSinceOpen = Infinity;
          await until(() => {
            looksSinceOpen = listeningOf(pid).length > 0 ? 0 : looksSinceOpen + 1;
            return hasEnded();
          }, 'its end');
          // Node itself closes it at the end, which no more than two looks see; confined, it aborts when it opens it.
          expect([when, child.signalCode, looksSinceOpen < 4]).toEqual([when, null, false]);
        }
      },
    );
});

/** Whether the process has a handler for the signal. */
function catches(pid: number, signal: number): boolean {
  return ((BigInt(`0x${statusOf(pid, 'SigCgt')}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

function statusOf(pid: number, name: string): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return new RegExp(`^${name}:\\s*(\\w+)$`, 'm').exec(status)?.[1] ?? '0';
}
